// --live: the state of a run, as the page that LiveServer serves.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "cli/live_server.hpp"
#include "report/html_live.hpp"
#include "run/source.hpp"
#include "solve/solver.hpp"

namespace chainmail {

class LivePage {
 public:
  LivePage(const LiveServerOptions& options, const Source& source);

  std::string url() const { return server_.url(); }
  bool visible_from_outside() const { return server_.visible_from_outside(); }
  // Rewrites the page at most twice a second and costs next to nothing in between.
  void update(const SolveStatus& status, double fraction, std::optional<double> best);
  // The report replaces the page.
  void finish(const std::string& report) { server_.publish(report); }

 private:
  LiveView view_;
  LiveServer server_;
  std::chrono::steady_clock::time_point last_ = {};
};

}  // namespace chainmail
