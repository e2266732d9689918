#include "solve/form_checkpoint.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "solve/checkpoint_file.hpp"
#include "solve/record_parts.hpp"

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
  json pool = json::array();
  for (const FormState& state : r.pool) pool.push_back(to_json(state));
  json record{{"beta", r.ladder.beta},
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
              {"trace", trace_to_json(r.trace)},
              {"walks", r.walks}};
  add_grid(record, r.grid);
  return record;
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
  r.grid = grid_from(j);
  r.trace = trace_from_json(j.at("trace"));
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
  require(misfit_of(r.grid, replicas).empty());
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
