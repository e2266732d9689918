#include "solve/record_parts.hpp"

#include <algorithm>

namespace chainmail {

void add_grid(nlohmann::json& record, const ReplicaGrid::State& grid) {
  const SwapStatistics& swaps = grid.statistics;
  record["cell_of"] = grid.cell_of;
  record["heading"] = grid.heading;
  record["attempts_beta"] = swaps.attempts_beta;
  record["accepts_beta"] = swaps.accepts_beta;
  record["attempts_penalty"] = swaps.attempts_penalty;
  record["accepts_penalty"] = swaps.accepts_penalty;
  record["round_trips"] = swaps.round_trips;
}

ReplicaGrid::State grid_from(const nlohmann::json& record) {
  ReplicaGrid::State grid;
  record.at("cell_of").get_to(grid.cell_of);
  record.at("heading").get_to(grid.heading);
  SwapStatistics& swaps = grid.statistics;
  record.at("attempts_beta").get_to(swaps.attempts_beta);
  record.at("accepts_beta").get_to(swaps.accepts_beta);
  record.at("attempts_penalty").get_to(swaps.attempts_penalty);
  record.at("accepts_penalty").get_to(swaps.accepts_penalty);
  record.at("round_trips").get_to(swaps.round_trips);
  return grid;
}

std::string misfit_of(const ReplicaGrid::State& grid, std::size_t replicas) {
  if (grid.cell_of.size() != replicas || grid.heading.size() != replicas) {
    return "a grid of another size";
  }
  std::vector<bool> taken(replicas, false);
  for (std::uint32_t cell : grid.cell_of) {
    if (cell >= replicas || taken[cell]) return "two replicas in one cell";
    taken[cell] = true;
  }
  if (std::any_of(grid.heading.begin(), grid.heading.end(),
                  [](std::uint8_t heading) { return heading > 2; })) {
    return "a replica without a heading";
  }
  const SwapStatistics& s = grid.statistics;
  for (const auto* counts :
       {&s.attempts_beta, &s.accepts_beta, &s.attempts_penalty, &s.accepts_penalty}) {
    if (counts->size() != replicas) return "swaps of a grid of another size";
  }
  return {};
}

nlohmann::json trace_to_json(const std::vector<TracePoint>& trace) {
  nlohmann::json rows = nlohmann::json::array();
  for (const TracePoint& p : trace) {
    rows.push_back({p.sweep, p.energy, p.g, p.best ? nlohmann::json(*p.best) : nlohmann::json()});
  }
  return rows;
}

std::vector<TracePoint> trace_from_json(const nlohmann::json& rows) {
  std::vector<TracePoint> trace;
  for (const nlohmann::json& row : rows) {
    TracePoint point{row.at(0), row.at(1), row.at(2), {}};
    if (!row.at(3).is_null()) point.best = row.at(3).get<double>();
    trace.push_back(point);
  }
  return trace;
}

}  // namespace chainmail
