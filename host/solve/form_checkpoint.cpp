#include "solve/form_checkpoint.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "solve/checkpoint_file.hpp"

namespace chainmail {

using nlohmann::json;

namespace {

constexpr CheckpointKind kKind{"chainmail-form-checkpoint", 2};

std::string as_text(const std::vector<Bit>& bits) {
  std::string text(bits.size(), '0');
  for (std::size_t i = 0; i < bits.size(); ++i) text[i] = bits[i] != 0 ? '1' : '0';
  return text;
}

std::vector<Bit> as_bits(const std::string& text) {
  std::vector<Bit> bits(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '0' && text[i] != '1') throw std::invalid_argument("a bit is neither 0 nor 1");
    bits[i] = text[i] == '1' ? 1 : 0;
  }
  return bits;
}

// Infinities have no JSON: a state that was never found is null.
json to_json(const FormState& state) {
  if (state.bits.empty()) return {};
  return {
      {"bits", as_text(state.bits)}, {"f", state.f}, {"g", state.g}, {"feasible", state.feasible}};
}

FormState state_from(const json& j) {
  if (j.is_null()) return {};
  return {as_bits(j.at("bits").get<std::string>()), j.at("f").get<double>(),
          j.at("g").get<double>(), j.at("feasible").get<bool>()};
}

json to_json(const FormRecord& r) {
  json trace = json::array(), pool = json::array();
  for (const TracePoint& p : r.trace) {
    trace.push_back({p.sweep, p.energy, p.g, p.best ? json(*p.best) : json()});
  }
  for (const FormState& state : r.pool) pool.push_back(to_json(state));
  const SwapStatistics& swaps = r.grid.statistics;
  return {{"beta", r.ladder.beta},
          {"penalty", r.ladder.penalty},
          {"notes", r.ladder.notes},
          {"ladder_sweeps", r.ladder.replica_sweeps},
          {"counts",
           {r.rounds, r.sweeps, r.replica_sweeps, r.answer_feasible, r.next_look, r.seen,
            r.seen_feasible, r.best_sweep}},
          {"answer_energy", r.answer_energy},
          {"scale", r.scale},
          {"best", to_json(r.best)},
          {"pool", pool},
          {"weights", r.weights},
          {"cell_of", r.grid.cell_of},
          {"heading", r.grid.heading},
          {"attempts_beta", swaps.attempts_beta},
          {"accepts_beta", swaps.accepts_beta},
          {"attempts_penalty", swaps.attempts_penalty},
          {"accepts_penalty", swaps.accepts_penalty},
          {"round_trips", swaps.round_trips},
          {"trace", trace},
          {"walks", r.walks}};
}

FormRecord record_from(const json& j) {
  FormRecord r;
  j.at("beta").get_to(r.ladder.beta);
  j.at("penalty").get_to(r.ladder.penalty);
  j.at("notes").get_to(r.ladder.notes);
  j.at("ladder_sweeps").get_to(r.ladder.replica_sweeps);
  const json& counts = j.at("counts");
  std::size_t at = 0;
  for (std::uint64_t* count : {&r.rounds, &r.sweeps, &r.replica_sweeps, &r.answer_feasible,
                               &r.next_look, &r.seen, &r.seen_feasible, &r.best_sweep}) {
    counts.at(at++).get_to(*count);
  }
  j.at("answer_energy").get_to(r.answer_energy);
  j.at("scale").get_to(r.scale);
  r.best = state_from(j.at("best"));
  for (const json& state : j.at("pool")) r.pool.push_back(state_from(state));
  j.at("weights").get_to(r.weights);
  j.at("cell_of").get_to(r.grid.cell_of);
  j.at("heading").get_to(r.grid.heading);
  SwapStatistics& swaps = r.grid.statistics;
  j.at("attempts_beta").get_to(swaps.attempts_beta);
  j.at("accepts_beta").get_to(swaps.accepts_beta);
  j.at("attempts_penalty").get_to(swaps.attempts_penalty);
  j.at("accepts_penalty").get_to(swaps.accepts_penalty);
  j.at("round_trips").get_to(swaps.round_trips);
  for (const json& row : j.at("trace")) {
    TracePoint point{row.at(0), row.at(1), row.at(2), {}};
    if (!row.at(3).is_null()) point.best = row.at(3).get<double>();
    r.trace.push_back(point);
  }
  j.at("walks").get_to(r.walks);
  return r;
}

// Bits of the wrong length or an assignment that is no permutation would crash later.
void check(const FormCheckpoint& checkpoint, const FormModel& model) {
  const auto require = [](bool fine) {
    if (!fine) throw std::invalid_argument("sizes do not fit the run");
  };
  // What a state is worth follows from its bits.
  const auto judged = [&](const FormState& found) {
    require(found.bits.size() == model.bits);
    require(found.feasible == (model.violated(found.bits) == 0));
    require(std::abs(found.f - model.f(found.bits)) <= 1e-9 * std::max(1.0, std::abs(found.f)));
  };
  const auto state = [&](const std::vector<Bit>& bits) {
    require(bits.size() == model.bits);
    for (std::size_t group = 0; group < model.groups.size(); ++group) {
      std::size_t ones = 0;
      for (std::uint32_t bit : model.groups[group]) ones += bits[bit];
      require(ones == 1);
    }
  };
  for (const FormRecord& record : checkpoint.finished) {
    judged(record.best);
    require(!record.trace.empty());
    for (const FormState& other : record.pool) judged(other);
  }
  if (!checkpoint.running) return;
  const FormRecord& r = *checkpoint.running;
  const std::size_t replicas = r.ladder.rows() * r.ladder.columns();
  require(replicas > 0 && checkpoint.replicas.size() == replicas);
  for (const auto& replica : checkpoint.replicas) state(replica.bits);
  if (!r.best.bits.empty()) judged(r.best);
  for (const FormState& other : r.pool) judged(other);
  require(r.weights.size() == model.limits.size());
  std::vector<bool> taken(replicas, false);
  require(r.grid.cell_of.size() == replicas && r.grid.heading.size() == replicas);
  for (std::uint32_t cell : r.grid.cell_of) {
    require(cell < replicas && !taken[cell]);
    taken[cell] = true;
  }
  const SwapStatistics& s = r.grid.statistics;
  require(s.attempts_beta.size() == replicas && s.accepts_beta.size() == replicas);
  require(s.attempts_penalty.size() == replicas && s.accepts_penalty.size() == replicas);
  require(r.walks.size() <= replicas);
}

}  // namespace

std::uint64_t form_fingerprint(const FormModel& model, const FormSearchOptions& options,
                               std::uint64_t sweeps, std::size_t trials, std::size_t first_trial) {
  std::uint64_t print =
      hash_of(model.bits, {options.seed, sweeps, trials, first_trial, options.sweeps_per_swap,
                           static_cast<std::uint64_t>(options.swap_sets)});
  const auto add = [&](std::uint64_t word) { print = hash_of(print, {word}); };
  const auto number = [&](double value) { add(std::bit_cast<std::uint64_t>(value)); };
  number(model.constant);
  for (double value : model.linear) number(value);
  for (const Neighbour& n : model.pairs.items) {
    add(n.spin);
    number(n.value);
  }
  for (std::uint32_t bit : model.clashes.items) add(bit);
  for (const FormTerm& t : model.forms.items) {
    add(t.index);
    add(static_cast<std::uint64_t>(t.coefficient));
  }
  for (const FormLimits& limits : model.limits) {
    add(static_cast<std::uint64_t>(limits.lower));
    add(static_cast<std::uint64_t>(limits.upper));
    add(std::bit_cast<std::uint64_t>(limits.price));
  }
  for (std::uint32_t bit : model.groups.items) add(bit);
  for (Bit bit : options.ladder.start) add(bit);
  if (options.device != nullptr) {
    for (char c : options.device->sampler()) add(static_cast<unsigned char>(c));
  }
  number(options.ladder.moves.exchanges);
  number(options.ladder.moves.swaps);
  number(options.ladder.moves.chains);
  if (options.given) {
    for (double value : options.given->beta) number(value);
    for (double value : options.given->penalty) number(value);
  }
  add(options.ladder.most_rows);
  add(options.ladder.columns);
  return print;
}

void write_form_checkpoint(const std::string& path, std::uint64_t fingerprint,
                           const FormCheckpoint& checkpoint) {
  json content = {{"seconds", checkpoint.seconds},
                  {"finished", json::array()},
                  {"running", checkpoint.running ? to_json(*checkpoint.running) : json()},
                  {"replicas", json::array()}};
  for (const FormRecord& record : checkpoint.finished) {
    content["finished"].push_back(to_json(record));
  }
  for (const auto& replica : checkpoint.replicas) {
    content["replicas"].push_back({as_text(replica.bits), replica.drawn});
  }
  write_checkpoint_file(path, kKind, fingerprint, std::move(content));
}

std::optional<FormCheckpoint> read_form_checkpoint(const std::string& path,
                                                   std::uint64_t fingerprint,
                                                   const FormModel& model) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  FormCheckpoint checkpoint;
  reading_checkpoint(path, [&] {
    const json content = read_checkpoint_file(path, kKind, fingerprint);
    content.at("seconds").get_to(checkpoint.seconds);
    for (const json& j : content.at("finished")) checkpoint.finished.push_back(record_from(j));
    if (!content.at("running").is_null()) checkpoint.running = record_from(content.at("running"));
    for (const json& j : content.at("replicas")) {
      checkpoint.replicas.push_back({as_bits(j.at(0).get<std::string>()), j.at(1)});
    }
    check(checkpoint, model);
  });
  return checkpoint;
}

}  // namespace chainmail
