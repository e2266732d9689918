// Schedules as files: what `tune` saves and `--schedule` loads.
#pragma once

#include <string>

#include "schedule/schedule.hpp"

namespace chainmail {

std::string schedule_to_json(const Schedule& schedule);

// `path` is named in messages. Throws InputError for anything but a complete, ascending ladder.
Schedule schedule_from_json(const std::string& text, const std::string& path);
Schedule read_schedule(const std::string& path);

// Ladders given by hand must be finite and ascending; `where` opens the message.
void check_schedule(const Schedule& schedule, const std::string& where);

}  // namespace chainmail
