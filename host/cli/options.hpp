// The options of a command as one table: name, default, range and one line of help. Parsing,
// --help and every check derive from it (Boost.Program_options underneath).
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "chainmail/options.hpp"

namespace boost::program_options {
class options_description;  // whose header costs every command two seconds
}

namespace chainmail {

class OptionTable {
 public:
  // `usage` is what follows "chainmail", e.g. "solve FILE [options]"; `about` explains, in words.
  OptionTable(std::string usage, std::string about, std::string examples = {});
  OptionTable(OptionTable&&) noexcept;
  ~OptionTable();

  OptionTable& group(const std::string& caption);
  // Options from here on appear only in --help-all, or in --help again.
  OptionTable& level(OptionInfo::Level level);
  // An option of a run, read into `options`.
  OptionTable& option(const OptionInfo& info, Options& options);
  OptionTable& flag(const std::string& name, bool& target, const std::string& help);
  OptionTable& text(const std::string& name, std::string& target, const std::string& help);
  OptionTable& file(const std::string& name, std::string& target, const std::string& help);
  OptionTable& choice(const std::string& name, std::string& target,
                      const std::vector<std::string>& choices, const std::string& help);
  // Whole numbers may be written 100000 or 1e5. The default is the target's present value.
  OptionTable& count(const std::string& name, std::uint64_t& target, std::uint64_t low,
                     std::uint64_t high, const std::string& help);
  // The help says what the default is.
  OptionTable& optional_count(const std::string& name, std::optional<std::uint64_t>& target,
                              std::uint64_t low, std::uint64_t high, const std::string& help);
  OptionTable& number(const std::string& name, double& target, double low, double high,
                      const std::string& help);
  OptionTable& optional_number(const std::string& name, std::optional<double>& target,
                               const std::string& help);
  OptionTable& numbers(const std::string& name, std::vector<double>& target,
                       const std::string& help);  // comma-separated
  // A positional argument; required unless said otherwise.
  OptionTable& argument(const std::string& name, std::string& target, bool required = true);
  // What is left after those, one or more unless said otherwise.
  OptionTable& arguments(const std::string& name, std::vector<std::string>& target,
                         bool required = true);

  // False when --help or --help-all was asked for and printed. Throws UsageError.
  bool parse(const std::vector<std::string>& arguments);

  // Whether the user gave the option, rather than its default.
  bool given(const std::string& long_name) const;

 private:
  struct Argument {
    std::string name;
    std::string* target;
    bool required;
  };
  OptionTable& add(const std::string& name, const std::string& value_name,
                   const std::string& default_text, const std::string& help,
                   std::function<void(const std::string&)> store);
  std::vector<std::string> names() const;
  void print_help(bool all) const;

  std::string usage_, about_, examples_;
  OptionInfo::Level level_ = OptionInfo::common;
  std::vector<boost::program_options::options_description> groups_;
  std::vector<boost::program_options::options_description> common_;  // of each group, for --help
  std::vector<Argument> arguments_;
  std::string rest_name_;
  std::vector<std::string>* rest_ = nullptr;
  bool rest_required_ = true;
  std::vector<std::string> given_;
};

}  // namespace chainmail
