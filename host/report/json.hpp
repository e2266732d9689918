// The machine-readable result. Field names are a promise to users: add, never rename.
#pragma once

#include <string>

#include "solve/result.hpp"

namespace chainmail {

// One field per line in a fixed order; what is not a finite number is null.
std::string to_json(const Result& result);

// The same without seconds, tune_seconds, updates_per_ns, peak_memory_kib and members, the only
// fields in which two runs of one command may differ.
std::string to_json_without_timings(const Result& result);

}  // namespace chainmail
