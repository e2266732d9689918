// Which plot shows which part of a Result; the HTML report only places them.
#pragma once

#include <cstddef>

#include "report/svg.hpp"
#include "solve/result.hpp"

namespace chainmail {

svg::Plot course_plot(const Result& result);  // the best against time
svg::Plot energy_plot(const Result& result);  // the answer replica and the best against sweeps
svg::Plot violation_plot(const Result& result);
svg::Plot walk_plot(const Result& result, std::size_t walk);
svg::Plot beta_plot(const Result& result);
svg::Plot penalty_plot(const Result& result);
svg::Plot rejection_plot(const Result& result);  // Λ along β
svg::Plot flow_plot(const Result& result);       // where replicas came from, along β; may be empty
svg::Plot trials_plot(const Result& result);
svg::Plot beta_acceptance_plot(const Result& result);  // of a ladder with one column
svg::HeatMap beta_acceptance_map(const Result& result);
svg::HeatMap penalty_acceptance_map(const Result& result);
svg::HeatMap pilot_map(const Result& result);

}  // namespace chainmail
