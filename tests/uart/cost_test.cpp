// What a round costs on a serial line, as the driver reckons it and as the simulated line counts
// it.
#include <catch2/catch.hpp>

#include "run/flight.hpp"
#include "support.hpp"

namespace chainmail::test {

using namespace contract;

TEST_CASE("A round takes the bytes and the time that the port says", "[uart]") {
  constexpr std::uint32_t kReplicas = 16, kRounds = 4;
  constexpr double kUsbMicroseconds = 1000.0;
  BurstCosts costs;
  std::uint32_t sweeps = 0;
  const auto use = [&](std::uint32_t rounds) {
    ServedBoard served("hx8k");
    {
      const auto port = served.open(120, 60);
      REQUIRE(port->costs() != nullptr);
      costs = *port->costs();
      sweeps = static_cast<std::uint32_t>(balanced_sweeps(costs, kReplicas));
      Buffers b = random_buffers(port->topology(), kReplicas, sweeps,
                                 kLoadTables | kLoadSpins | kNoBurst, 7);
      run(*port, b);
      b.flags = 0;
      for (std::uint32_t round = 0; round < rounds; ++round) {
        b.seed = mix64(b.seed);
        run(*port, b);
      }
      CHECK(port->frames_sent_again() == 0);
    }
    return served.stop();
  };
  const sim::BoardUse setup = use(0), all = use(kRounds);
  const auto a_round = [&](std::uint64_t sim::BoardUse::*what) {
    return static_cast<double>(all.*what - setup.*what) / kRounds;
  };
  // A session's numbers are random: some bytes are escaped, here or in the setup.
  const double in = a_round(&sim::BoardUse::bytes_in), out = a_round(&sim::BoardUse::bytes_out);
  CHECK(in == Approx(105).margin(5));
  CHECK(out == Approx(94).margin(5));

  CHECK(costs.clock_hz == 48e6 / 3);  // three p-bits share an engine
  const double work = a_round(&sim::BoardUse::at_work), line = a_round(&sim::BoardUse::on_line);
  CHECK(work == Approx(3.0 * kReplicas * sweeps).epsilon(0.02));
  const double idle = line / (line + work);
  CHECK(idle < 0.5);
  costs.launch_us -= kUsbMicroseconds;  // no USB here
  CHECK(projected_idle(costs, 1, kReplicas, sweeps) == Approx(idle).margin(0.02));
  CHECK(projected_idle(costs, 1, kReplicas, 50) > 0.9);  // as it was
}

TEST_CASE("A board of the link's first version says no speed, and works", "[uart]") {
  using Bytes = std::vector<std::uint8_t>;
  const auto first_version = [decoder = uart::FrameDecoder()](const Bytes& bytes) mutable {
    Bytes line;
    for (const std::uint8_t byte : bytes) {
      auto frame = decoder.take(byte);
      if (!frame) continue;
      if (frame->front() == (uart_link::kOpen | uart_link::kReply)) {
        frame->at(uart_link::kHeadBytes + 1) = 1;
        frame->resize(frame->size() - 4);
      }
      const Bytes again = uart::encode_frame(*frame);
      line.insert(line.end(), again.begin(), again.end());
    }
    return line;
  };
  const ServedBoard served("icebreaker", {{}, first_version, {}});
  const auto port = served.open();
  CHECK(port->costs() == nullptr);
  const auto golden = open_native_port(kBoardTopology);
  Buffers expected = random_buffers(port->topology(), 16, 7, kEverything, 77), actual = expected;
  run(*golden, expected);
  run(*port, actual);
  CHECK_THAT(difference(expected, actual), Catch::Equals(""));
}

}  // namespace chainmail::test
