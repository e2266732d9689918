#include <fmt/format.h>

#include "device/group/group_device.hpp"
#include "device/group/launched.hpp"
#include "device/group/remote_device.hpp"
#include "run/exact_run.hpp"
#include "run/plan_parts.hpp"
#include "solve/component_exchange.hpp"
#include "support/counted.hpp"
#include "support/error.hpp"
#include "topology/topology.hpp"

namespace chainmail {

// Models get exact arithmetic unless told otherwise: f of two feasible states may differ by less
// than few bits can represent next to a large penalty.
std::string precision_for(const Source& source, const PlanOptions& options) {
  const std::string& wanted = options.device.precision;
  const bool constrained = source.model && source.model->model.constrained();
  return constrained && wanted == "auto" ? "float" : wanted;
}

std::unique_ptr<Device> open_device(const Source& source, const PlanOptions& options) {
  DeviceOptions wanted = options.device;
  if (settled_by_presolve(source)) wanted.name = "cpu";  // nothing is left for another to run
  wanted.precision = precision_for(source, options);
  // A constrained model has more bits in squares, and row kernels need none.
  const bool rows = wanted.name.find("rows") != std::string::npos;
  if (rows && source.model && source.model->model.constrained()) {
    wanted.forms = source.model->form_model();
  } else if (wanted.name != "cpu") {
    wanted.spins = source.problem().size();
  }
  wanted.copies = options.copies;
  if (launched_channels().empty()) return make_device(wanted);
  // Every process contributes its device of that name.
  const GroupOptions group{wanted.tiles, wanted.mixed};
  wanted.tiles = 1;
  if (wanted.threads == 0) wanted.threads = 1;  // launchers start one process per core
  std::vector<std::unique_ptr<Device>> members;
  members.push_back(make_device(wanted));
  for (const auto& channel : launched_channels()) {
    members.push_back(make_remote_device(channel, wanted));
  }
  return make_group_device(std::move(members), group);
}

Placement placement_on(const Device& device, const PlanOptions& options) {
  if (const Topology* topology = device.topology()) return topology->options.placement;
  return options.placement.value_or(Placement::packed);
}

Embedding embed_problem(const Device& device, const Source& source, const Problem& problem,
                        const PlanOptions& options) {
  const Topology* topology = device.topology();
  if (topology != nullptr && options.copies > 1 && options.copies != topology->options.copies) {
    throw UsageError(fmt::format("--copies {}, but topology {} of {} has {} of each spin",
                                 options.copies, topology->name, options.device.name,
                                 counted(topology->options.copies, "copy", "copies")));
  }
  // The CPU needs no colours; they are reported with copies, but without copies there can be as
  // many as spins.
  const Colours colours = options.copies > 1 ? Colours::found : Colours::none;
  Embedding embedding =
      topology != nullptr
          ? embed(problem, *topology)
          : embed(problem, options.copies, placement_on(device, options), options.seed, colours);
  if (topology == nullptr) embedding.dimension = lattice_dimension(embedding.model.f);
  if (!source.model) return embedding;
  return with_residuals(std::move(embedding), source.model->squares().residuals);
}

Embedding embed_on(const Device& device, const Source& source, const PlanOptions& options) {
  return embed_problem(device, source, source.problem(), options);
}

// Only where a run by rule on the CPU looks for one answer: kernels have their own embedding, and
// of several answers some would differ only in removed spins.
bool may_reduce(const Source& source, const PlanOptions& options, const Device& device) {
  const bool by_rule = !options.given_ladder && !options.literal &&
                       options.ladder.value_or(LadderKind::geometric) == LadderKind::geometric;
  return options.reduce && by_rule && !source.model && !source.problem().constraint &&
         device.topology() == nullptr && options.copies == 1 && options.solutions == 1 &&
         options.device.moves == "single";
}

}  // namespace chainmail
