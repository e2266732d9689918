// SPDX-License-Identifier: Apache-2.0
// The options of a run and their table, from which the command line, Python and the man page derive
// theirs. Part of the public interface; chainmail/chainmail.hpp includes it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace chainmail {

struct Status;

// Defaults are chosen by the problem; options.def says what each option means.
struct Options {
#define CHAINMAIL_OPTION(group, level, type, name, initial, limits, help) type name = initial;
#include "chainmail/options.def"
#undef CHAINMAIL_OPTION

  std::vector<std::int64_t> initial = {};  // values to start from
  // Variables and the values they are held at; the others are solved or sampled given those.
  std::vector<std::pair<std::size_t, std::int64_t>> fixed = {};
  const std::atomic<bool>* stop = nullptr;  // ends the run with the best answer so far when set
  // After every round of swaps and every step of tuning, from the calling thread. Must not throw.
  std::function<void(const Status&)> progress = {};
};

struct OptionInfo {
  enum Group { every, run, embedding, ladder, device };  // every: of every command
  enum Level { common, rare };
  struct Limits {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    std::vector<std::string> choices = {};  // empty: any text
    bool file = false;
  };
  using Field = std::variant<bool Options::*, std::uint64_t Options::*, double Options::*,
                             std::optional<double> Options::*, std::string Options::*,
                             std::vector<double> Options::*>;

  Group group;
  Level level;
  std::string name;
  Field field;
  Limits limits;
  std::string help;
};

const std::vector<OptionInfo>& option_table();

}  // namespace chainmail
