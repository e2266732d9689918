// Every call of the library that can fail goes through here, so that users see one kind of
// exception, in which options are named as in the public header.
#pragma once

#include <cctype>

#include "chainmail/chainmail.hpp"
#include "support/error.hpp"

namespace chainmail {

// "--time-limit" as "time_limit".
inline std::string without_dashes(const std::string& text) {
  std::string plain;
  bool option = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto lower = [&](std::size_t at) {
      return at < text.size() && std::islower(static_cast<unsigned char>(text[at])) != 0;
    };
    if (!option && text.compare(k, 2, "--") == 0 && lower(k + 2)) {
      option = true;
      ++k;
    } else if (option && text[k] == '-' && lower(k + 1)) {
      plain += '_';
    } else {
      option = option && lower(k);
      plain += text[k];
    }
  }
  return plain;
}

template <typename Call>
auto guarded(const Call& call) {
  try {
    return call();
  } catch (const InputError& error) {
    throw Failure(Failure::input, error.what());
  } catch (const UsageError& error) {
    throw Failure(Failure::usage, without_dashes(error.what()));
  } catch (const DeviceError& error) {
    throw Failure(Failure::device, error.what());
  }
}

}  // namespace chainmail
