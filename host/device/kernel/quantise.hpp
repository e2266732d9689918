// The one scale that turns a model's couplings into integers the tables can hold.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "device/kernel/loader.hpp"

namespace chainmail {

// Exact where all couplings are multiples of one unit that fits; else as fine as the tables allow.
Scale choose_scale(const PlacedModel& placed, const Topology& topology,
                   const LoaderOptions& options);

// Whether all sums of couplings fit the tables after rounding at this scale.
bool tables_hold(const PlacedModel& placed, const Topology& topology, double scale);

// The largest unit of which all values are multiples, for integers, binary and decimal fractions.
std::optional<double> common_unit(const std::vector<double>& values);
std::vector<double> values_of(const Quadratic& q);  // couplings and fields that are not zero

// Largest scale in (0, high] that holds, to a part in 10^6; holds() need not be quite monotonic.
double largest_scale(const std::function<bool(double)>& holds, double high);

}  // namespace chainmail
