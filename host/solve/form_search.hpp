// One trial on a form model: the annealed start, then a grid of replicas in beta and P with swaps.
// P follows what the cold replicas do; where there is no objective, the weights of forms that stay
// violated grow instead.
#pragma once

#include <memory>
#include <optional>

#include "ladder/form_ladder.hpp"
#include "solve/device_replicas.hpp"
#include "solve/form_options.hpp"
#include "solve/result.hpp"
#include "solve/solver.hpp"
#include "swap/replica_grid.hpp"

namespace chainmail {

// What a trial leaves, and the part of its state that is not bits.
struct FormRecord {
  Ladder ladder;
  std::uint64_t rounds = 0, sweeps = 0, replica_sweeps = 0;
  std::uint64_t answer_feasible = 0;  // rounds in which the answer replica was so
  double answer_energy = 0.0;
  double scale = 1.0;  // of the ladder's penalties, now
  std::uint64_t next_look = 0, seen = 0,
                seen_feasible = 0;  // of cold replicas, since the last look
  FormState best;
  std::uint64_t best_sweep = 0;
  std::vector<FormState> pool;
  ReplicaGrid::State grid;
  std::vector<double> weights;  // of the forms
  std::vector<TracePoint> trace;
  std::vector<std::vector<std::uint32_t>> walks;
};

class FormSearch {
 public:
  FormSearch(const FormModel& model, const FormSearchOptions& options, FormMembers& members);

  // Called often while the start anneals; false ends it.
  using Going = std::function<bool(const FormState& best)>;
  void start(const Going& going);
  bool started() const { return replicas_ != nullptr; }
  void round();

  const FormRecord& record() const { return record_; }
  std::size_t replicas() const { return replicas_ ? replicas_->size() : 0; }

  // For checkpoints.
  std::vector<FormSnapshot> snapshots();
  void restore(const FormRecord& record, const std::vector<FormSnapshot>& replicas);
  FormRecord full_record() const;  // with the grid's state and the weights

 private:
  FormState jump_first(const Going& going);
  void note_start(const FormState& best, std::uint64_t sweeps);
  void make_grid();
  std::vector<Parameters> cells() const;
  void take_notes();
  void look_at_cold();
  bool cold_half_is_near();
  void adapt_weights();
  void add_to_pool();

  FormModel model_;  // its weights may change
  FormPlan plan_;
  FormSearchOptions options_;
  FormMembers& members_;
  FormMoves moves_;
  std::unique_ptr<FormReplicas> replicas_;
  std::optional<ReplicaGrid> grid_;
  std::vector<double> first_weights_, f_, g_;
  FormRecord record_;
};

}  // namespace chainmail
