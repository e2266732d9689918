#include "chainmail/options.hpp"

namespace chainmail {

namespace {

using Limits = OptionInfo::Limits;

const Limits any;
const Limits any_file{.file = true};
Limits at_least(double low) {
  return {.low = low};
}
Limits between(double low, double high) {
  return {.low = low, .high = high};
}
Limits one_of(std::vector<std::string> choices) {
  return {.choices = std::move(choices)};
}

}  // namespace

const std::vector<OptionInfo>& option_table() {
  static const std::vector<OptionInfo> table{
#define CHAINMAIL_OPTION(group, level, type, name, initial, limits, help) \
  {OptionInfo::group, OptionInfo::level, #name, &Options::name, limits, help},
#include "chainmail/options.def"
#undef CHAINMAIL_OPTION
  };
  return table;
}

}  // namespace chainmail
