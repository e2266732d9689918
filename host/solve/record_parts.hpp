// What the records in checkpoints of all kinds have in common: the state of a replica grid, and the
// trace of a run.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "grid/replica_grid.hpp"
#include "solve/result.hpp"

namespace chainmail {

// Adds its fields to a record.
void add_grid(nlohmann::json& record, const ReplicaGrid::State& grid);

// Throws what nlohmann::json throws where a field is missing or of another kind.
ReplicaGrid::State grid_from(const nlohmann::json& record);

// Empty if each replica has its own cell, a heading and its counts; else what is wrong.
std::string misfit_of(const ReplicaGrid::State& grid, std::size_t replicas);

nlohmann::json trace_to_json(const std::vector<TracePoint>& trace);
std::vector<TracePoint> trace_from_json(const nlohmann::json& rows);

}  // namespace chainmail
