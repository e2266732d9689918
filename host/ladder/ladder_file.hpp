// Schedules as files: what `tune` saves and `--schedule` loads.
#pragma once

#include <string>

#include "grid/ladder.hpp"

namespace chainmail {

std::string ladder_to_json(const Ladder& ladder);

// `path` is named in messages. Throws InputError for anything but a complete, ascending ladder.
Ladder ladder_from_json(const std::string& text, const std::string& path);
Ladder read_ladder(const std::string& path);

// Ladders given by hand must be finite and ascending; `where` opens the message.
void check_ladder(const Ladder& ladder, const std::string& where);
Ladder ladder_by_hand(std::vector<double> betas, std::vector<double> penalties,
                      const std::string& where);  // without penalties: one of 0

}  // namespace chainmail
