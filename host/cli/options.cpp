#include "cli/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <boost/program_options.hpp>
#include <charconv>
#include <cmath>
#include <iostream>

#include "cli/nearest.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace po = boost::program_options;

namespace {

constexpr unsigned kHelpWidth = 100;

std::string long_name_of(const std::string& name) {
  return name.substr(0, name.find(','));
}

std::optional<double> parse_number(const std::string& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

std::optional<std::uint64_t> parse_count(const std::string& text) {
  std::uint64_t whole = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
  if (error == std::errc{} && end == text.data() + text.size()) return whole;
  constexpr double kExactUpTo = 0x1.0p53;
  const auto value = parse_number(text);  // 1e5
  if (!value || *value < 0 || *value > kExactUpTo || *value != std::floor(*value)) return {};
  return static_cast<std::uint64_t>(*value);
}

[[noreturn]] void refuse(const std::string& option, const std::string& expected,
                         const std::string& found, const std::string& hint = {}) {
  throw UsageError(fmt::format("--{}: expected {}, not '{}'{}", option, expected, found, hint));
}

std::string range_text(const std::string& kind, const std::string& low, const std::string& high,
                       bool open_ended) {
  return open_ended ? fmt::format("{}, {} or more", kind, low)
                    : fmt::format("{} from {} to {}", kind, low, high);
}

std::function<std::uint64_t(const std::string&)> count_reader(const std::string& option,
                                                              std::uint64_t low,
                                                              std::uint64_t high) {
  const std::string expected =
      range_text("a whole number", std::to_string(low), std::to_string(high),
                 high == std::numeric_limits<std::uint64_t>::max());
  return [=](const std::string& text) {
    const auto value = parse_count(text);
    if (!value || *value < low || *value > high) refuse(option, expected, text);
    return *value;
  };
}

// The command line's name of an option, with the letter of those that have one.
std::string spelled(const OptionInfo& info) {
  std::string name = info.name;
  std::replace(name.begin(), name.end(), '_', '-');
  if (name == "copies") return name + ",k";
  if (name == "device") return name + ",d";
  return name == "seed" ? name + ",s" : name;
}

std::uint64_t whole_limit(double limit) {
  return std::isinf(limit) ? std::numeric_limits<std::uint64_t>::max()
                           : static_cast<std::uint64_t>(limit);
}

void bind(OptionTable& table, const OptionInfo& info, bool& target) {
  table.flag(spelled(info), target, info.help);
}
void bind(OptionTable& table, const OptionInfo& info, std::uint64_t& target) {
  table.count(spelled(info), target, whole_limit(info.limits.low), whole_limit(info.limits.high),
              info.help);
}
void bind(OptionTable& table, const OptionInfo& info, double& target) {
  table.number(spelled(info), target, info.limits.low, info.limits.high, info.help);
}
void bind(OptionTable& table, const OptionInfo& info, std::optional<double>& target) {
  table.optional_number(spelled(info), target, info.help);
}
void bind(OptionTable& table, const OptionInfo& info, std::vector<double>& target) {
  table.numbers(spelled(info), target, info.help);
}
void bind(OptionTable& table, const OptionInfo& info, std::string& target) {
  if (!info.limits.choices.empty()) {
    table.choice(spelled(info), target, info.limits.choices, info.help);
  } else if (info.limits.file) {
    table.file(spelled(info), target, info.help);
  } else {
    table.text(spelled(info), target, info.help);
  }
}

}  // namespace

OptionTable::OptionTable(std::string usage, std::string about, std::string examples)
    : usage_(std::move(usage)), about_(std::move(about)), examples_(std::move(examples)) {
  group("Options");
}
OptionTable::OptionTable(OptionTable&&) noexcept = default;
OptionTable::~OptionTable() = default;

OptionTable& OptionTable::group(const std::string& caption) {
  groups_.emplace_back(caption, kHelpWidth, kHelpWidth / 2);
  common_.emplace_back(caption, kHelpWidth, kHelpWidth / 2);
  return level(OptionInfo::common);
}

OptionTable& OptionTable::level(OptionInfo::Level level) {
  level_ = level;
  return *this;
}

OptionTable& OptionTable::option(const OptionInfo& info, Options& options) {
  level(info.level);
  std::visit([&](auto field) { bind(*this, info, options.*field); }, info.field);
  return *this;
}

OptionTable& OptionTable::add(const std::string& name, const std::string& value_name,
                              const std::string& default_text, const std::string& help,
                              std::function<void(const std::string&)> store) {
  const std::string shown = default_text.empty() ? help : help + " [" + default_text + "]";
  auto* value = po::value<std::string>()->value_name(value_name)->notifier(std::move(store));
  groups_.back().add_options()(name.c_str(), value, shown.c_str());
  if (level_ == OptionInfo::common) common_.back().add(groups_.back().options().back());
  return *this;
}

OptionTable& OptionTable::flag(const std::string& name, bool& target, const std::string& help) {
  groups_.back().add_options()(name.c_str(), po::bool_switch(&target), help.c_str());
  if (level_ == OptionInfo::common) common_.back().add(groups_.back().options().back());
  return *this;
}

OptionTable& OptionTable::text(const std::string& name, std::string& target,
                               const std::string& help) {
  return add(name, "TEXT", target, help, [&target](const std::string& text) { target = text; });
}

OptionTable& OptionTable::file(const std::string& name, std::string& target,
                               const std::string& help) {
  return add(name, "FILE", target, help, [&target](const std::string& text) { target = text; });
}

OptionTable& OptionTable::choice(const std::string& name, std::string& target,
                                 const std::vector<std::string>& choices, const std::string& help) {
  const std::string list = fmt::format("{}", fmt::join(choices, "|"));
  return add(name, list, target, help,
             [&target, choices, list, option = long_name_of(name)](const std::string& text) {
               if (std::find(choices.begin(), choices.end(), text) == choices.end()) {
                 refuse(option, list, text, did_you_mean(text, choices));
               }
               target = text;
             });
}

OptionTable& OptionTable::count(const std::string& name, std::uint64_t& target, std::uint64_t low,
                                std::uint64_t high, const std::string& help) {
  return add(name, "N", std::to_string(target), help,
             [&target, read = count_reader(long_name_of(name), low, high)](
                 const std::string& text) { target = read(text); });
}

OptionTable& OptionTable::optional_count(const std::string& name,
                                         std::optional<std::uint64_t>& target, std::uint64_t low,
                                         std::uint64_t high, const std::string& help) {
  return add(name, "N", {}, help,
             [&target, read = count_reader(long_name_of(name), low, high)](
                 const std::string& text) { target = read(text); });
}

OptionTable& OptionTable::number(const std::string& name, double& target, double low, double high,
                                 const std::string& help) {
  const std::string expected =
      range_text("a number", fmt::format("{:g}", low), fmt::format("{:g}", high), std::isinf(high));
  return add(name, "X", fmt::format("{:g}", target), help,
             [&target, low, high, expected, option = long_name_of(name)](const std::string& text) {
               const auto value = parse_number(text);
               if (!value || *value < low || *value > high) refuse(option, expected, text);
               target = *value;
             });
}

OptionTable& OptionTable::optional_number(const std::string& name, std::optional<double>& target,
                                          const std::string& help) {
  return add(name, "X", {}, help, [&target, option = long_name_of(name)](const std::string& text) {
    target = parse_number(text);
    if (!target) refuse(option, "a number", text);
  });
}

OptionTable& OptionTable::numbers(const std::string& name, std::vector<double>& target,
                                  const std::string& help) {
  return add(name, "X,X,...", {}, help,
             [&target, option = long_name_of(name)](const std::string& text) {
               target.clear();
               for (std::size_t from = 0; from <= text.size();) {
                 const std::size_t comma = std::min(text.find(',', from), text.size());
                 const auto value = parse_number(text.substr(from, comma - from));
                 if (!value) refuse(option, "numbers separated by commas", text);
                 target.push_back(*value);
                 from = comma + 1;
               }
             });
}

OptionTable& OptionTable::argument(const std::string& name, std::string& target, bool required) {
  arguments_.push_back({name, &target, required});
  return *this;
}

OptionTable& OptionTable::arguments(const std::string& name, std::vector<std::string>& target,
                                    bool required) {
  rest_name_ = name;
  rest_ = &target;
  rest_required_ = required;
  return *this;
}

bool OptionTable::given(const std::string& long_name) const {
  return std::find(given_.begin(), given_.end(), long_name) != given_.end();
}

std::vector<std::string> OptionTable::names() const {
  std::vector<std::string> all;
  for (const po::options_description& group : groups_) {
    for (const auto& option : group.options()) all.push_back("--" + option->long_name());
  }
  return all;
}

bool OptionTable::parse(const std::vector<std::string>& arguments) {
  po::options_description all;
  for (const po::options_description& group : groups_) all.add(group);
  bool help = false, help_all = false;
  all.add_options()("help,h", po::bool_switch(&help), "show this help");
  all.add_options()("help-all", po::bool_switch(&help_all), "show every option");
  po::options_description hidden;
  hidden.add_options()("positional", po::value<std::vector<std::string>>());
  all.add(hidden);
  po::positional_options_description positional;
  positional.add("positional", -1);

  po::variables_map values;
  std::vector<std::string> plain;
  try {
    const po::parsed_options parsed =
        po::command_line_parser(arguments)
            .options(all)
            .positional(positional)
            .style(po::command_line_style::default_style & ~po::command_line_style::allow_guessing)
            .run();
    for (const auto& option : parsed.options) given_.push_back(option.string_key);
    po::store(parsed, values);
    if (values["help"].as<bool>() || values["help-all"].as<bool>()) {
      print_help(values["help-all"].as<bool>());
      return false;
    }
    po::notify(values);
    if (values.contains("positional")) {
      plain = values["positional"].as<std::vector<std::string>>();
    }
  } catch (const po::unknown_option& e) {
    throw UsageError(e.what() + did_you_mean(e.get_option_name(), names()) + "; 'chainmail help " +
                     usage_.substr(0, usage_.find(' ')) + "' lists them");
  } catch (const po::error& e) {
    throw UsageError(e.what());
  }

  if (rest_ != nullptr) {
    const std::size_t named = std::min(plain.size(), arguments_.size());
    rest_->assign(plain.begin() + static_cast<std::ptrdiff_t>(named), plain.end());
    plain.resize(named);
    if (rest_->empty() && rest_required_)
      throw UsageError("missing " + rest_name_ + "; usage: chainmail " + usage_);
  }
  if (plain.size() > arguments_.size()) {
    throw UsageError("unexpected argument '" + plain[arguments_.size()] + "'");
  }
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (i < plain.size()) {
      *arguments_[i].target = plain[i];
    } else if (arguments_[i].required) {
      throw UsageError("missing " + arguments_[i].name + "; usage: chainmail " + usage_);
    }
  }
  return true;
}

void OptionTable::print_help(bool all) const {
  std::cout << "usage: chainmail " << usage_ << "\n\n" << about_ << "\n";
  std::size_t hidden = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const po::options_description& shown = all ? groups_[g] : common_[g];
    if (!shown.options().empty()) std::cout << "\n" << shown;
    hidden += groups_[g].options().size() - shown.options().size();
  }
  if (hidden > 0) std::cout << "\n--help-all shows " << hidden << " more options.\n";
  if (!examples_.empty()) std::cout << "\nExamples:\n" << examples_;
}

}  // namespace chainmail
