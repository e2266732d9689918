#include "solve/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "solve/checkpoint_file.hpp"
#include "solve/record_parts.hpp"
#include "support/random.hpp"

namespace chainmail {

using nlohmann::json;

namespace {

constexpr CheckpointKind kKind{"chainmail-checkpoint", 4};

std::string as_text(const std::vector<Spin>& spins) {
  std::string text(spins.size(), '-');
  for (std::size_t i = 0; i < spins.size(); ++i) {
    if (spins[i] > 0) text[i] = '+';
  }
  return text;
}

std::vector<Spin> as_spins(const std::string& text) {
  std::vector<Spin> spins(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '+' && text[i] != '-') throw std::invalid_argument("a spin is neither + nor -");
    spins[i] = text[i] == '+' ? 1 : -1;
  }
  return spins;
}

json to_json(const TrialRecord& r) {
  json best;  // absent until a state was judged: infinities have no JSON
  if (!r.best.best.solution.empty()) {
    best = {{"solution", as_text(r.best.best.solution)},
            {"energy", r.best.best.energy},
            {"g", r.best.best.g},
            {"feasible", r.best.best.feasible},
            {"found_at_sweep", r.best.best.found_at_sweep}};
  }
  json note;
  if (r.best.note) {
    note = {as_text(r.best.note->physical), r.best.note->device_f, r.best.note->sweep};
  }
  json record{
      {"note", note},
      {"judged_at", r.best.judged_at},
      {"rounds", r.rounds},
      {"sweeps", r.sweeps},
      {"skipped", r.skipped},
      {"answer_feasible", r.answer_feasible},
      {"answer_energy", r.answer_energy},
      {"best", best},
      {"seen", r.best.seen},
      {"rounding", r.best.rounding},
      {"trace", trace_to_json(r.trace)},
      {"walks", r.walks},
      {"watch", {r.watch.next_check, r.watch.rounds, r.watch.feasible, r.watch.factor}},
      {"cold_end",
       {r.cold_end.next_check, r.cold_end.round, r.cold_end.count, r.cold_end.sum,
        r.cold_end.factor}},
      {"quenches", r.quenches},
      {"exchanges", r.exchanges},
      {"penalty_hold", {r.penalty.next_look, r.penalty.seen, r.penalty.feasible, r.penalty.factor}},
      {"weights", {r.weights.next, r.weights.weights}}};
  add_grid(record, r.grid);
  return record;
}

TrialRecord record_from_json(const json& j) {
  TrialRecord r;
  j.at("rounds").get_to(r.rounds);
  j.at("sweeps").get_to(r.sweeps);
  j.at("skipped").get_to(r.skipped);
  j.at("answer_feasible").get_to(r.answer_feasible);
  j.at("answer_energy").get_to(r.answer_energy);
  if (const json& best = j.at("best"); !best.is_null()) {
    r.best.best.solution = as_spins(best.at("solution").get<std::string>());
    best.at("energy").get_to(r.best.best.energy);
    best.at("g").get_to(r.best.best.g);
    best.at("feasible").get_to(r.best.best.feasible);
    best.at("found_at_sweep").get_to(r.best.best.found_at_sweep);
  }
  if (const json& note = j.at("note"); !note.is_null()) {
    r.best.note = {as_spins(note.at(0).get<std::string>()), note.at(1), note.at(2)};
  }
  j.at("judged_at").get_to(r.best.judged_at);
  j.at("seen").get_to(r.best.seen);
  j.at("rounding").get_to(r.best.rounding);
  r.grid = grid_from(j);
  r.trace = trace_from_json(j.at("trace"));
  j.at("walks").get_to(r.walks);
  const json& watch = j.at("watch");
  r.watch = {watch.at(0), watch.at(1), watch.at(2), watch.at(3)};
  const json& cold = j.at("cold_end");
  r.cold_end = {cold.at(0), cold.at(1), cold.at(2), cold.at(3), cold.at(4)};
  j.at("quenches").get_to(r.quenches);
  j.at("exchanges").get_to(r.exchanges);
  const json& penalty = j.at("penalty_hold");
  r.penalty = {penalty.at(0), penalty.at(1), penalty.at(2), penalty.at(3)};
  j.at("weights").at(0).get_to(r.weights.next);
  j.at("weights").at(1).get_to(r.weights.weights);
  return r;
}

class Fingerprint {
 public:
  void add(std::uint64_t word) { state_ = hash_of(state_, {word}); }
  void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
  void add(const std::string& text) {
    add(text.size());
    for (char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  }
  template <class Value>
  void add(const std::vector<Value>& values) {
    add(values.size());
    for (const Value& value : values) add(value);
  }
  void add(const Quadratic& q) {
    add(q.offset);
    add(q.fields);
    for (const Coupling& c : q.couplings) {
      add(std::uint64_t{c.i} << 32 | c.j);
      add(c.value);
    }
  }
  void add(const FormModel& m) {
    add(std::uint64_t{m.bits});
    add(m.constant);
    add(m.linear);
    const auto lists = [&](const auto& all, const auto& add_item) {
      for (std::size_t start : all.start) add(std::uint64_t{start});
      for (const auto& item : all.items) add_item(item);
    };
    const auto number = [&](std::uint32_t item) { add(std::uint64_t{item}); };
    lists(m.pairs, [&](const Neighbour& n) {
      add(std::uint64_t{n.spin});
      add(n.value);
    });
    lists(m.monomials, number);
    for (const auto& [value, spins] : m.monomial_values) {
      add(std::uint64_t{spins});
      add(value);
    }
    lists(m.clashes, number);
    lists(m.forms, [&](const FormTerm& t) {
      add(std::uint64_t{t.index});
      add(static_cast<std::uint64_t>(t.coefficient));
    });
    for (const FormLimits& limits : m.limits) {
      add(static_cast<std::uint64_t>(limits.lower));
      add(static_cast<std::uint64_t>(limits.upper));
      add(limits.weight);
      add(limits.price);
    }
    lists(m.groups, number);
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0;
};

// The file's checksum catches every edit; these checks are for forged files, or files written by a
// faulty program.
void require(bool fine, const char* what) {
  if (!fine) throw std::invalid_argument(what);
}

// Energies are evaluated again; they agree to the last bit unless another compiler summed them up.
void check_best(TrialResult& best, const CheckpointFrame& frame) {
  if (best.solution.empty()) return;
  require(best.solution.size() == frame.spins, "a solution of another size");
  const TrialResult again = frame.judge->solution(best.solution);
  require(std::abs(again.energy - best.energy) <= 1e-9 * std::max(1.0, std::abs(again.energy)),
          "the best state has another energy");
  require(!best.feasible || again.feasible, "the best state is not feasible");
  best.energy = again.energy;  // to the last digit, or a target could seem to be reached
}

void check_record(TrialRecord& record, const CheckpointFrame& frame) {
  const std::size_t replicas = frame.replicas;
  require(record.sweeps <= frame.options->sweeps && record.rounds <= record.sweeps &&
              record.answer_feasible <= record.rounds,
          "more sweeps or rounds than the run has");
  const std::string misfit = misfit_of(record.grid, replicas);
  require(misfit.empty(), misfit.c_str());
  for (const auto& walk : record.walks) {
    require(walk.size() == record.trace.size(), "walks and trace of different lengths");
    require(
        std::all_of(walk.begin(), walk.end(), [&](std::uint32_t cell) { return cell < replicas; }),
        "a walk that leaves the grid");
  }
  require(record.watch.factor >= 1.0 && record.watch.factor <= FeasibilityWatch::kMost * 1.0001,
          "a penalty that was raised too far");
  require(record.penalty.factor > 0.0, "penalties that are not positive");
  require(record.weights.weights.size() == frame.weights, "weights of another model");
  check_best(record.best.best, frame);
  for (TrialResult& state : record.best.pool) check_best(state, frame);
}

void check(Checkpoint& checkpoint, const CheckpointFrame& frame) {
  require(checkpoint.finished.size() + checkpoint.running.size() <= frame.options->trials,
          "more trials than the run has");
  for (TrialRecord& record : checkpoint.finished) {
    check_record(record, frame);
    const bool may_end_early = frame.options->goal || frame.options->patience;
    require(record.sweeps == frame.options->sweeps || may_end_early,
            "a finished trial that is not at its end");
  }
  for (TrialRecord& record : checkpoint.running) check_record(record, frame);
  require(checkpoint.spins.size() == checkpoint.running.size(), "spins of another run");
  for (const auto& grid : checkpoint.spins) {
    require(grid.size() == frame.replicas, "spins of another number of replicas");
    for (const auto& spins : grid) {
      require(spins.size() == frame.pbits, "spins of another model");
      require(frame.judge->possible(spins), "a state no replica can be in");
    }
  }
}

}  // namespace

std::uint64_t run_fingerprint(const PhysicalModel& model, const Ladder& ladder,
                              const Device& device, const SolveOptions& options) {
  Fingerprint print;
  print.add(model.f);
  print.add(model.g);
  if (model.forms) print.add(*model.forms);
  print.add(options.moves.exchanges);
  print.add(options.moves.swaps);
  print.add(options.moves.chains);
  print.add(ladder.beta);
  print.add(ladder.penalty);
  print.add(ladder.answer_beta);
  // What the pilot measured and noted does not steer the run, but the result repeats it.
  for (const auto* measured : {&ladder.mean_f, &ladder.sigma_f, &ladder.mean_g, &ladder.sigma_g}) {
    print.add(*measured);
  }
  print.add(ladder.notes);
  print.add(ladder.replica_sweeps);
  print.add(device.sampler());
  print.add(static_cast<std::uint64_t>(options.method));
  print.add(static_cast<std::uint64_t>(options.swap_sets));
  print.add(options.sweeps);
  print.add(options.sweeps_per_swap);
  print.add(options.trials);
  print.add(options.first_trial);
  print.add(static_cast<std::uint64_t>(options.hold_feasible));
  const SearchOptions& search = options.search;
  for (std::uint64_t word :
       {search.quench_every, std::uint64_t{search.quench_rows}, std::uint64_t{search.find_cold_end},
        search.exchange_every, search.anneal_sweeps, std::uint64_t{search.hold_penalty},
        std::uint64_t{search.grow_weights}}) {
    print.add(word);
  }
  print.add(search.exchange_from);
  print.add(search.anneal_from);
  print.add(search.skip_below);
  print.add(options.seed);
  for (Spin spin : options.initial) print.add(static_cast<std::uint64_t>(spin > 0));
  return print.value();
}

void write_checkpoint(const std::string& path, std::uint64_t fingerprint,
                      const Checkpoint& checkpoint) {
  json content = {{"seconds", checkpoint.seconds},
                  {"finished", json::array()},
                  {"running", json::array()},
                  {"spins", json::array()}};
  for (const TrialRecord& record : checkpoint.finished) {
    content["finished"].push_back(to_json(record));
  }
  for (const TrialRecord& record : checkpoint.running) {
    content["running"].push_back(to_json(record));
  }
  for (const auto& grid : checkpoint.spins) {
    json texts = json::array();
    for (const std::vector<Spin>& spins : grid) texts.push_back(as_text(spins));
    content["spins"].push_back(std::move(texts));
  }
  write_checkpoint_file(path, kKind, fingerprint, std::move(content));
}

std::optional<Checkpoint> read_checkpoint(const std::string& path, std::uint64_t fingerprint,
                                          const CheckpointFrame& frame) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  Checkpoint checkpoint;
  reading_checkpoint(path, [&] {
    const json content = read_checkpoint_file(path, kKind, fingerprint);
    content.at("seconds").get_to(checkpoint.seconds);
    for (const json& j : content.at("finished")) {
      checkpoint.finished.push_back(record_from_json(j));
    }
    for (const json& j : content.at("running")) checkpoint.running.push_back(record_from_json(j));
    for (const json& grid : content.at("spins")) {
      checkpoint.spins.emplace_back();
      for (const json& text : grid) checkpoint.spins.back().push_back(as_spins(text));
    }
    check(checkpoint, frame);
  });
  return checkpoint;
}

}  // namespace chainmail
