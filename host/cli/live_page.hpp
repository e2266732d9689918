// --live: the state of a run, as the page that LiveServer serves.
#pragma once

#include <chrono>
#include <string>

#include "cli/live_server.hpp"
#include "report/html.hpp"
#include "run/plan.hpp"

namespace chainmail {

class LivePage {
 public:
  // `stop` ends the run; it is called from another thread.
  LivePage(const LiveServerOptions& options, const Source& source, std::function<void()> stop);

  std::string url() const { return server_.url(); }
  bool visible_from_outside() const { return server_.visible_from_outside(); }
  // Once it is known how the problem will be solved; works out a bound.
  void begin(const Plan& plan, const Device& device);
  // Rewrites the page at most twice a second and costs next to nothing in between.
  void update(const SolveStatus& status, const Running& running);
  // The report replaces the page.
  void finish(const std::string& report) { server_.publish(report); }

 private:
  Result so_far_;
  LiveServer server_;
  std::chrono::steady_clock::time_point last_ = {};
};

}  // namespace chainmail
