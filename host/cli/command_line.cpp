#include "cli/command_line.hpp"

#include <string_view>

namespace chainmail {
namespace {

std::string quoted(std::string_view argument) {
  constexpr std::string_view kSafe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,+@%";
  if (!argument.empty() && argument.find_first_not_of(kSafe) == std::string_view::npos)
    return std::string(argument);
  std::string text = "'";
  for (char c : argument) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

std::string command_line(int argc, const char* const* argv) {
  std::string text;
  for (int k = 0; k < argc; ++k) text += (k == 0 ? "" : " ") + quoted(argv[k]);
  return text;
}

}  // namespace chainmail
