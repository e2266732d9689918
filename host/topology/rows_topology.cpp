#include "topology/rows_topology.hpp"

#include <bit>

#include "support/error.hpp"
#include "support/random.hpp"
#include "support/text.hpp"
#include "topology/contract.hpp"
#include "topology/gumbel.hpp"
#include "topology/seed_codes.hpp"

namespace chainmail {

void check_form_options(const TopologyOptions& o) {
  if (o.forms != 0 && o.forms != 2 && o.forms != rows_contract::kMostForms) {
    throw UsageError(joined("topology: forms per variable must be 0, 2 or ",
                            rows_contract::kMostForms, ", not ", o.forms));
  }
  // The residuals of a replica lie together.
  const bool fits = o.forms == 0
                        ? o.form_residuals == 0
                        : std::has_single_bit(o.form_residuals) && o.form_residuals <= 1024;
  if (!fits) {
    throw UsageError(
        joined("topology: residuals per bank must be 1, 2, 4, ... 1024 where there are forms, not ",
               o.form_residuals));
  }
}

std::uint64_t hash_gumbel(std::uint64_t hash) {
  for (std::uint32_t entry : gumbel_table()) hash = hash_of(hash, {entry});
  return hash;
}

namespace {

void check(const TopologyOptions& o) {
  const auto require = [](bool fine, const std::string& what) {
    if (!fine) throw UsageError("topology: " + what);
  };
  require(o.logical >= 8 && o.logical <= 4096,
          joined("a row kernel has 8 to 4096 rows, not ", o.logical));
  // The lane of a place is its lowest bits.
  require(std::has_single_bit(o.lanes) && o.lanes <= 256,
          joined("lanes must be 1, 2, 4, ... 256, not ", o.lanes));
  require(o.max_replicas >= o.lanes && o.max_replicas % o.lanes == 0 &&
              o.max_replicas / o.lanes <= 1024,
          joined("replicas must be 1 to 1024 per lane, not ", o.max_replicas, " in all"));
  require(o.beta_bits >= 12 && o.beta_bits <= 24,
          joined("beta bits must be 12 to 24, not ", o.beta_bits));
  require(o.rng_words == 2 || o.rng_words == 4,
          joined("random state must be 2 or 4 words, not ", o.rng_words));
  check_form_options(o);
  require(o.copies == 1 && o.table_bits == rows_contract::kCouplingBits,
          joined("a row kernel has one copy and couplings of ", rows_contract::kCouplingBits,
                 " bits, not ", o.copies, " and ", o.table_bits));
}

std::uint64_t hash_rows(const Topology& t) {
  const TopologyOptions& o = t.options;
  std::uint64_t hash = hash_of(contract::kVersion, {o.logical, o.lanes, o.max_replicas, o.beta_bits,
                                                    o.rng_words, t.tables, t.row_words()});
  for (std::uint64_t code : t.lane_codes) hash = hash_of(hash, {code});
  if (o.penalised() || o.one_hots) {
    hash = hash_of(hash, {o.forms, o.form_residuals, o.products ? 1U : 0U, o.one_hots ? 1U : 0U});
  }
  if (o.one_hots) hash = hash_gumbel(hash);
  return hash_threshold(hash);
}

}  // namespace

unsigned Topology::penalty_bits() const {
  return options.penalised() ? options.beta_bits : contract::kPenaltyBits;
}

Topology fully_coupled(const TopologyOptions& options, unsigned field_bits) {
  Topology t;
  t.options = options;
  t.name = name_of(options);
  t.wiring.resize(options.logical);
  t.stages.resize(options.logical);
  for (std::uint32_t i = 0; i < options.logical; ++i) {
    t.wiring[i].colour = i;
    t.wiring[i].carries_field = true;
    t.wiring[i].links = {Topology::kNoPbit, Topology::kNoPbit};
    t.stages[i] = {i};
  }
  t.field_bits = field_bits;
  // Every row's couplings and field together fit a field; twice f is at most twice the sum of rows.
  t.energy_bits =
      static_cast<unsigned>(std::bit_width(std::uint64_t{options.logical} << t.field_bits)) + 1;
  t.lane_codes = seed_codes(options.lanes);
  return t;
}

Topology make_rows_topology(const TopologyOptions& options) {
  check(options);
  Topology t = fully_coupled(options, rows_contract::kFieldBits);
  t.address_bits = rows_contract::kGroupSpins;
  t.tables = (options.logical + t.address_bits - 1) / t.address_bits;
  t.violation_bits = options.penalised() ? rows_contract::kViolationBits : 1;
  t.hash = hash_rows(t);
  return t;
}

}  // namespace chainmail
