// The plots of Fig. 3.
#pragma once

#include "reproduce/wishart_analysis.hpp"

namespace chainmail::reproduce {

void plot_fig3(const Experiment& experiment, const WishartPlan& plan, const Runs& runs,
               const std::vector<ScanRow>& scan, const std::vector<CollapseRow>& collapse);

}  // namespace chainmail::reproduce
