// docs/predictions.md says what host/run/predictions.cpp says, which follows from measured figures.
#include <catch2/catch.hpp>
#include <string>

#include "run/flight.hpp"
#include "run/predictions.hpp"
#include "support/atomic_file.hpp"

using namespace chainmail;

TEST_CASE("every predicted row is in docs/predictions.md, and no other", "[predictions]") {
  const std::string page = read_file("docs/predictions.md");
  std::size_t expected = 0, found = 0;
  for (const auto& rows : {prediction_rows(), target_rows()}) {
    for (const std::string& row : rows) {
      INFO(row);
      CHECK(page.find(row + "\n") != std::string::npos);
      ++expected;
    }
  }
  for (const Prediction& p : predictions()) {
    const std::string start = std::string("\n| `") + p.board + "`";
    if (&p != predictions().data() && std::string(p.board) == (&p - 1)->board) continue;
    for (std::size_t at = page.find(start); at != std::string::npos; at = page.find(start, at + 1))
      ++found;
  }
  CHECK(found == predictions().size());
  CHECK(expected == predictions().size() + predicted_targets().size());
}

TEST_CASE("predicted grids in flight are those that solve uses", "[predictions]") {
  for (const Prediction& p : predictions()) {
    INFO(p.kernel);
    if (!p.costs.overlaps) {
      // The solver keeps a board that takes no turns busy by longer bursts.
      CHECK(p.grids == 1);
      CHECK(p.sweeps >= balanced_sweeps(p.costs, p.replicas));
      continue;
    }
    const bool flips = std::string(p.kernel).find("flips") != std::string::npos;
    const Flight flight = choose_flight(p.costs, flips ? p.replicas : 1024, p.replicas, p.sweeps);
    CHECK(flight.grids == p.grids);
    CHECK(p.idle() >= 0.0);
    CHECK(p.idle() < 0.6);
  }
}

TEST_CASE("predicted areas are those that were measured", "[predictions]") {
  const std::string pages = read_file("docs/lab/performance.md") + read_file("docs/flips.md") +
                            read_file("docs/lab/boards.md");
  for (const Prediction& p : predictions()) {
    if (p.cells == 0.0) continue;  // not synthesised
    std::string digits = std::to_string(static_cast<long>(p.cells));
    std::string grouped = digits;
    if (grouped.size() > 3) grouped.insert(grouped.size() - 3, ",");
    INFO(p.kernel << " " << digits);
    CHECK((pages.find(" " + digits + " ") != std::string::npos ||
           pages.find(" " + grouped + " ") != std::string::npos));
  }
}
