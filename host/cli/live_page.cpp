#include "cli/live_page.hpp"

#include <algorithm>

#include "report/html.hpp"

namespace chainmail {
namespace {

constexpr auto kInterval = std::chrono::milliseconds(500);
constexpr std::size_t kMostPoints = 500;

std::string name_of(const Source& source) {
  return source.model ? source.model->model.name : source.problem().name;
}

}  // namespace

LivePage::LivePage(const LiveServerOptions& options, const Source& source)
    : server_(options, html_head(name_of(source))) {
  view_.problem = name_of(source);
  view_.objective_name = source.user().name;
  view_.constrained = source.constrained();
  server_.publish(html_live(view_));
}

void LivePage::update(const SolveStatus& status, double fraction, std::optional<double> best) {
  const bool better = best && best != view_.best;
  if (better && view_.history.size() < kMostPoints) {
    view_.history.emplace_back(status.seconds, *best);
  } else if (better) {
    view_.history.back() = {status.seconds, *best};
  }
  view_.best = best;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < kInterval) return;
  last_ = now;
  view_.fraction = std::min(1.0, fraction);
  view_.seconds = status.seconds;
  view_.sweeps = status.sweeps_done;
  view_.updates_per_ns = static_cast<double>(status.updates) / (1e9 * status.seconds);
  server_.publish(html_live(view_));
}

}  // namespace chainmail
