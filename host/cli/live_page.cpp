#include "cli/live_page.hpp"

#include "report/digest.hpp"
#include "run/exact_run.hpp"

namespace chainmail {
namespace {

constexpr auto kInterval = std::chrono::milliseconds(500);
constexpr std::size_t kMostPoints = 500;

std::string name_of(const Source& source) {
  return source.model ? source.model->model.name : source.problem().name;
}

}  // namespace

LivePage::LivePage(const LiveServerOptions& options, const Source& source,
                   std::function<void()> stop)
    : server_(options, html_head(name_of(source)), std::move(stop)) {
  const UserObjective user = source.user();
  so_far_.problem = name_of(source);
  so_far_.spins = source.model ? source.model->model.variables.size() : source.given().size();
  so_far_.bits = source.model || source.problem().bits();
  so_far_.objective_name = user.name;
  so_far_.scale = user.scale;
  so_far_.shift = user.shift;
  so_far_.constrained = source.constrained();
  so_far_.no_objective = source.no_objective();
  if (!source.model) so_far_.known_optimum = source.problem().known_optimum;
  server_.publish(html_body(so_far_, Running{}));
}

void LivePage::begin(const Plan& plan, const Device& device) {
  so_far_.method = name_of(plan.solve.method);
  so_far_.device = device.describe();
  so_far_.ladder = plan.ladder;
  so_far_.tune_seconds = plan.tune_seconds;
  Result bounded = so_far_;
  if (plan.source->model) bounded.answers.emplace_back();
  tell_bound(*plan.source, plan.bound, bounded);
  so_far_.bound = bounded.bound;
  so_far_.bound_by = bounded.bound_by;
}

void LivePage::update(const SolveStatus& status, const Running& running) {
  auto& course = so_far_.course;
  if (status.best && (course.empty() || *status.best < course.back().second)) {
    if (course.size() >= kMostPoints) course.pop_back();
    course.emplace_back(so_far_.tune_seconds + status.seconds, *status.best);
    so_far_.best.energy = *status.best;
    so_far_.best.feasible = true;
    so_far_.objective = in_users_terms(*status.best, so_far_);
  }
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < kInterval) return;
  last_ = now;
  so_far_.seconds = status.seconds;
  so_far_.sweeps = status.sweeps_done;
  so_far_.updates = status.updates;
  so_far_.updates_per_ns = static_cast<double>(status.updates) / (1e9 * status.seconds);
  so_far_.rejections = status.rejections();
  server_.publish(html_body(so_far_, running));
}

}  // namespace chainmail
