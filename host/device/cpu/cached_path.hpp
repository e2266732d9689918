// Sampling with cached fields: a replica's fields are contiguous, decisions are made for a whole
// vector of p-bits at once, and only a flip costs a row of couplings. The path for few replicas.
#pragma once

#include <memory>

#include "device/cpu/cached_model.hpp"
#include "device/cpu/path.hpp"

namespace chainmail {

std::unique_ptr<Path> make_cached_path(CachedModel model);

}  // namespace chainmail
