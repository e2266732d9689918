// The program's entry: picks the command and turns failures into one line and an exit code.
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <system_error>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/nearest.hpp"
#include "cli/outputs.hpp"
#include "device/group/launched.hpp"
#include "support/error.hpp"
#include "support/printable.hpp"

namespace {

using namespace chainmail;

constexpr Command kCommands[] = {
    {"generate", "make a problem with a known optimum from a seed", generate_command},
    {"info", "show what a problem is and how it embeds", info_command},
    {"convert", "write a problem in another format", convert_command},
    {"tune", "find the ladder of temperatures and penalties for a problem", tune_command},
    {"solve", "find the best feasible state of a problem", solve_command},
    {"compare", "solve a problem in several ways, with other programs beside", compare_command},
    {"merge", "merge the results of trials that were run separately", merge_command},
    {"check", "verify a solution of a problem, independently of the solver", check_command},
    {"sample", "draw samples from the Boltzmann distribution of a problem", sample_command},
    {"topology", "describe a kernel's array, or write what it is compiled from", topology_command},
    {"devices", "list what can run a problem on this machine", devices_command},
    {"selftest", "check that a board or an emulator works", selftest_command},
    {"bench", "measure the CPU sampler's speed", bench_command},
    {"reproduce", "run the paper's experiments, with plots and verdicts", reproduce_command},
};

void print_usage(std::FILE* stream) {
  fmt::print(stream,
             "Chainmail {}: constrained binary problems by two-dimensional parallel tempering\n\n"
             "usage: chainmail COMMAND [arguments]\n\n",
             CHAINMAIL_VERSION);
  for (const Command& command : kCommands) {
    fmt::print(stream, "  {:<10} {}\n", command.name, command.about);
  }
  fmt::print(stream,
             "\n'chainmail COMMAND --help' explains a command. A first run:\n"
             "  chainmail generate wishart -n 50 --seed 1 -o problem.json\n"
             "  chainmail solve problem.json --report report.html\n\nExit codes:\n");
  for (const ExitCodeMeaning& row : kExitCodes) {
    fmt::print(stream, "  {}  {}\n", static_cast<int>(row.code), row.meaning);
  }
}

int run(const Arguments& arguments) {
  if (arguments.empty()) {
    print_usage(stderr);
    return kUsage;
  }
  const bool help = arguments[0] == "help";
  if (arguments[0] == "--help" || arguments[0] == "-h" || (help && arguments.size() == 1)) {
    print_usage(stdout);
    return kDone;
  }
  if (help) return run({arguments[1], "--help"});
  if (arguments[0] == "--version") {
    fmt::print("chainmail {}\n", CHAINMAIL_VERSION);
    return kDone;
  }
  for (const Command& command : kCommands) {
    if (arguments[0] == command.name) return command.run({arguments.begin() + 1, arguments.end()});
  }
  std::vector<std::string> names;
  for (const Command& command : kCommands) names.emplace_back(command.name);
  throw UsageError("unknown command '" + arguments[0] + "'" + did_you_mean(arguments[0], names) +
                   "; 'chainmail --help' lists them");
}

int complain(const char* what, int code) {
  // fmt would throw if standard error is closed too.
  std::fputs(fmt::format("chainmail: {}\n", printable(what)).c_str(), stderr);
  return code;
}

int run_or_complain(int count, char** words) {
  try {
    if (const std::optional<int> served = join_launch()) return *served;
    const int code = run({words + 1, words + count});
    try {
      flush_output();
    } catch (const ReaderGone&) {
    }
    return code;
  } catch (const UsageError& e) {
    return complain(e.what(), kUsage);
  } catch (const DeviceError& e) {
    return complain(e.what(), kDeviceFault);
  } catch (const std::system_error& e) {  // of fmt::print
    if (e.code() == std::errc::broken_pipe) return kDone;
    return complain(e.what(), kBadInput);
  } catch (const std::bad_alloc&) {
    return complain("out of memory: the problem or the grid is too large", kBadInput);
  } catch (const std::exception& e) {
    return complain(e.what(), kBadInput);
  }
}

}  // namespace

int main(int count, char** words) {
  // A file that may not grow further is an error we can report, not the end.
  std::signal(SIGXFSZ, SIG_IGN);
  // A closed pipe (| head) must not prevent files from being written.
  std::signal(SIGPIPE, SIG_IGN);
  return leave_launch(run_or_complain(count, words));
}
