#include "board/board_core.hpp"

#include <map>

#include "support/error.hpp"

namespace chainmail::sim {
namespace {

std::map<std::string, BoardCore::Factory>& factories() {
  static std::map<std::string, BoardCore::Factory> all;
  return all;
}

}  // namespace

bool BoardCore::enter(const std::string& board, Factory factory) {
  return factories().emplace(board, std::move(factory)).second;
}

std::vector<std::string> BoardCore::names() {
  std::vector<std::string> names;
  for (const auto& [name, factory] : factories()) names.push_back(name);
  return names;
}

std::unique_ptr<BoardCore> BoardCore::make(const std::string& board) {
  const auto found = factories().find(board);
  if (found != factories().end()) return found->second();
  std::string known;
  for (const std::string& name : names()) known += (known.empty() ? "" : ", ") + name;
  throw UsageError("no board '" + board + "' in this program; it has " + known);
}

}  // namespace chainmail::sim
