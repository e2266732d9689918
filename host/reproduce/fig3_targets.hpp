// The targets of Fig. 3 and whether the runs meet them.
#pragma once

#include "reproduce/wishart_analysis.hpp"

namespace chainmail::reproduce {

inline constexpr double kSolved = 1e-9;  // rho below it is the planted optimum

std::vector<Target> fig3_targets(const Runs& runs, const WishartPlan& plan,
                                 const std::vector<ComparisonRow>& comparison,
                                 const std::vector<CollapseRow>& collapse,
                                 const ExperimentOptions& options);

}  // namespace chainmail::reproduce
