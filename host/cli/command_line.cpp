#include "cli/command_line.hpp"

#include <string_view>

namespace chainmail {
namespace {

std::string shell_word(std::string_view argument) {
  constexpr std::string_view kSafe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,+@%";
  if (!argument.empty() && argument.find_first_not_of(kSafe) == std::string_view::npos)
    return std::string(argument);
  std::string text = "'";
  for (char c : argument) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

std::string command_line(const std::string& command, const std::vector<std::string>& arguments) {
  std::string text = command;
  for (const std::string& argument : arguments) text += " " + shell_word(argument);
  return text;
}

}  // namespace chainmail
