#include "solve/judge.hpp"

#include "problem/bits.hpp"

namespace chainmail {

TrialResult Judge::operator()(std::span<const Spin> physical, std::uint64_t sweep) const {
  Decoded decoded = decode_majority(*embedding_, physical);
  TrialResult state = solution(std::move(decoded.spins));
  state.found_at_sweep = sweep;
  if (decoded.broken_chains > 0) {
    state.g = embedding_->model.g(physical);
    state.feasible = false;
  }
  return state;
}

TrialResult Judge::solution(std::vector<Spin> spins) const {
  TrialResult state;
  state.solution = std::move(spins);
  if (const FormModel* forms = embedding_->model.forms.get()) {
    const std::vector<Bit> bits = bits_of(state.solution);
    state.energy = forms->f(bits);
    state.feasible = forms->violated(bits) == 0;
    state.g = state.feasible ? 0.0 : forms->g(bits);
    return state;
  }
  state.energy = problem_->objective(state.solution);
  state.g = problem_->constraint ? (*problem_->constraint)(state.solution) : 0.0;
  state.feasible = state.g <= embedding_->model.feasible && (!accepts_ || accepts_(state.solution));
  return state;
}

bool Judge::possible(std::span<const Spin> physical) const {
  const FormModel* forms = embedding_->model.forms.get();
  return forms == nullptr || forms->groups_hold(bits_of(physical));
}

}  // namespace chainmail
