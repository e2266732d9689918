#include "board/board_core.hpp"

#include "models.hpp"

namespace chainmail::sim {

bool BoardCore::enter(const std::string& board, Factory factory) {
  return Models<BoardCore>::enter(board, std::move(factory));
}

std::vector<std::string> BoardCore::names() {
  return Models<BoardCore>::names();
}

std::unique_ptr<BoardCore> BoardCore::make(const std::string& board) {
  return Models<BoardCore>::make("board", board);
}

}  // namespace chainmail::sim
