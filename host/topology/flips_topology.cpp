#include "topology/flips_topology.hpp"

#include <bit>

#include "support/error.hpp"
#include "support/random.hpp"
#include "support/text.hpp"
#include "topology/contract.hpp"
#include "topology/rows_topology.hpp"
#include "topology/seed_codes.hpp"

namespace chainmail {

namespace {

using namespace flips_contract;

void check(const TopologyOptions& o) {
  const auto require = [](bool fine, const std::string& what) {
    if (!fine) throw UsageError("topology: " + what);
  };
  require(std::has_single_bit(o.logical) && o.logical >= 16 && o.logical <= 2048,
          joined("a flip kernel has 16, 32, 64, ... 2048 rows, not ", o.logical));
  require((o.lanes == 16 || o.lanes == 64) && o.lanes <= o.logical,
          joined("a flip kernel draws 16 or 64 spins side by side, at most all of its ", o.logical,
                 ", not ", o.lanes));
  require(o.max_replicas >= 1 && o.max_replicas <= 512,
          joined("replicas must be 1 to 512, not ", o.max_replicas));
  require(o.beta_bits >= 12 && o.beta_bits <= 24,
          joined("beta bits must be 12 to 24, not ", o.beta_bits));
  require(o.copies == 1 && o.table_bits == kCouplingBits && o.rng_words == 4,
          joined("a flip kernel has one copy, couplings of ", kCouplingBits,
                 " bits and streams of 4 words, not ", o.copies, ", ", o.table_bits, " and ",
                 o.rng_words));
  check_form_options(o);
  require(o.forms == 0 || o.lanes == 16,
          joined("a flip kernel with forms draws 16 spins side by side, not ", o.lanes));
}

}  // namespace

unsigned left_out_bit(const TopologyOptions& options) {
  return options.penalised() ? kPenalisedLeftOutBit : kLeftOutBit;
}

Topology make_flips_topology(const TopologyOptions& options) {
  check(options);
  Topology t = fully_coupled(options, kFieldBits);
  t.address_bits = kWordCouplings;
  t.tables =
      options.logical / kWordCouplings + (options.products ? t.state_words() : 0) + options.forms;
  t.violation_bits = options.penalised() ? rows_contract::kViolationBits : 1;
  const TopologyOptions& o = options;
  std::uint64_t hash = hash_of(contract::kVersion, {o.logical, o.lanes, o.max_replicas, o.beta_bits,
                                                    o.rng_words, t.tables, t.image_words()});
  for (std::uint64_t code : t.lane_codes) hash = hash_of(hash, {code});
  if (o.products) hash = hash_of(hash, {1U});
  if (o.forms > 0) hash = hash_of(hash, {o.forms, o.form_residuals});
  if (o.one_hots) hash = hash_gumbel(hash);
  t.hash = hash_threshold(hash);
  return t;
}

}  // namespace chainmail
