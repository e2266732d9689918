// The replicas of a form model as its solver sees them: bursts of sweeps, what each replica
// reports, the best state of all. They run here and on the other members, every n-th on each of n;
// a replica's noise is its own, so who runs it changes no bit.
//
// A burst is a pure function of a replica's snapshot, so a member that fails costs time only: all
// replicas are dealt anew, and run again from the last snapshots kept.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "device/cpu/form_engine.hpp"
#include "device/group/form_members.hpp"
#include "device/group/form_replicas.hpp"
#include "device/group/mirror_clock.hpp"

namespace chainmail {

class FormGroup final : public FormReplicas {
 public:
  // The plan and the members must outlive it.
  FormGroup(const FormPlan& plan, std::size_t replicas, std::uint64_t seed, FormMembers& members);

  std::size_t size() const override { return f_.size(); }
  void set(std::size_t k, std::span<const Bit> bits) override;  // its noise goes on
  void restore(std::size_t k, const FormSnapshot& then) override;
  FormSnapshot snapshot(std::size_t k) override;
  std::vector<Bit> bits(std::size_t k) override { return snapshot(k).bits; }

  // One pair of parameters a replica. Energies over the burst are reported on demand.
  enum class Measure : bool { no, yes };
  void burst(std::span<const Parameters> parameters, std::uint64_t sweeps, const FormMoves& moves,
             Measure measure = Measure::no);
  void burst(std::span<const Parameters> parameters, std::uint64_t sweeps, const FormMoves& moves,
             std::uint64_t /*number*/) override {
    burst(parameters, sweeps, moves, Measure::no);
  }
  // After a burst.
  double f(std::size_t k) const override { return f_[k]; }
  double g(std::size_t k) const override { return g_[k]; }
  bool feasible(std::size_t k) const override { return feasible_[k] != 0; }
  const FormBurst& measured(std::size_t k) const { return measured_[k]; }

  // The best of what was found and of what was offered.
  const FormState& best() const override { return best_; }
  bool offer(const FormState& state) override;
  FormGroup* group() override { return this; }

  // By form: how many of these replicas violate it.
  std::vector<std::size_t> violated(std::span<const std::size_t> replicas);
  // New weights of the forms, in `model` too, which must be the plan's.
  void set_weights(FormModel& model, std::span<const double> weights);

 private:
  struct Burst {
    std::vector<Parameters> parameters;
    std::uint64_t sweeps;
    FormMoves moves;
    bool measure;
    double best_f, best_g;  // of the best state then: nothing worse need be told
    bool best_feasible;
  };
  struct Written {
    std::size_t replica;
    std::vector<Bit> bits;
  };
  struct Restored {
    std::size_t replica;
    FormSnapshot then;
  };
  struct Weights {
    std::vector<double> values;
  };
  using Event = std::variant<Burst, Written, Restored, Weights>;
  // A state better than the best so far, and whose it is.
  struct Found {
    FormState state;  // without its bits
    std::size_t from;
  };
  struct Lost {
    FormMember* member;
    std::string what;
  };

  // Makes the call again after a member was lost in it.
  template <class Run>
  auto with_members(const Run& run);
  template <class Run>
  auto on(FormMember& member, const Run& run);
  void deal();
  void bring_up();
  void replay();
  void apply(const Event& event);
  void write(std::size_t k, const Event& event);
  void tell_weights(std::span<const double> weights);
  std::optional<Found> run(const Burst& burst);
  void send_burst(std::size_t place, const Burst& burst);
  std::optional<Found> run_here(const Burst& burst);
  std::optional<Found> receive_burst(std::size_t place, const Burst& burst, double seconds);
  FormSnapshot snapshot_once(std::size_t k);
  FormState best_of(const Found& found);
  void keep();
  void note(Event event);
  std::size_t places() const { return there_.size(); }
  std::size_t count_at(std::size_t place) const {
    return place < size() ? (size() - place - 1) / places() + 1 : 0;
  }

  const FormPlan* plan_;
  std::uint64_t seed_;
  FormMembers* members_;
  FormModel* weighed_ = nullptr;  // the plan's model, once its weights may change
  std::vector<FormMember*> there_;
  std::optional<FormEngine> here_;
  std::vector<double> f_, g_;
  std::vector<char> feasible_;
  std::vector<FormBurst> measured_;
  FormState best_;

  // To go on from after a loss.
  std::vector<FormSnapshot> kept_;  // empty: as made
  std::vector<double> kept_weights_;
  std::vector<Event> since_;
  MirrorClock mirror_;
};

}  // namespace chainmail
