// uart_board: a board's RTL, simulated, behind a pseudo-terminal. Prints the terminal's path, ends
// when its client leaves (--stay: when it is killed) and says how busy the board was.
//   chainmail solve FILE --device uart:/dev/pts/N
#include <fmt/format.h>

#include <atomic>
#include <boost/program_options.hpp>
#include <csignal>
#include <cstdio>
#include <iostream>

#include "board/board_server.hpp"
#include "support/error.hpp"

namespace {

std::atomic<bool> stopped = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void stop(int /*signal*/) {
  stopped = true;
}

int run(int argc, char** argv) {
  namespace po = boost::program_options;
  std::string board;
  po::options_description description("uart_board [options]");
  description.add_options()("help", "this list")("board", po::value(&board)->default_value("hx8k"),
                                                 "which board: hx8k, icebreaker or ulx3s-25f")(
      "stay", "serve one client after the other");
  po::variables_map map;
  po::store(po::parse_command_line(argc, argv, description), map);
  po::notify(map);
  if (map.count("help") != 0) {
    std::cout << description;
    return 0;
  }
  std::signal(SIGINT, stop);
  std::signal(SIGTERM, stop);
  chainmail::sim::BoardServer server(chainmail::sim::BoardCore::make(board));
  fmt::print(
      "{0}\nnext, in another terminal:  build/chainmail generate full-adder -o adder.json\n"
      "                            build/chainmail solve adder.json --copies 2 --device uart:{0}\n",
      server.path());
  std::fflush(stdout);
  server.serve(stopped, map.count("stay") != 0);
  const chainmail::sim::BoardUse& use = server.use();
  fmt::print("{} bytes to the board, {} back; {} clocks on the line, {} at work\n", use.bytes_in,
             use.bytes_out, use.on_line, use.at_work);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const chainmail::DeviceError& error) {
    fmt::print(stderr, "uart_board: {}\n", error.what());
    return 3;
  } catch (const std::exception& error) {
    fmt::print(stderr, "uart_board: {}\n", error.what());
    return 2;
  }
}
