// Sampling in bytes: 16-entry tables of partial fields, integer logistic noise. The fast path for
// models whose couplings fit small integers.
#pragma once

#include <memory>

#include "device/cpu/path.hpp"
#include "device/cpu/table_model.hpp"

namespace chainmail {

std::unique_ptr<Path> make_table_path(TableModel model, double beta_max);

}  // namespace chainmail
