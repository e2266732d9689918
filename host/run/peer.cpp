#include "run/peer.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <regex>

#include "model/model_files.hpp"
#include "model/plain_model.hpp"
#include "support/atomic_file.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct Peer {
  const char* name;
  // Arguments with {0} the model, {1} seconds, {2} the file for the solution.
  std::vector<std::string> arguments;
  std::regex better;   // a line of its log that reports a better solution; group 1 is its value
  std::regex optimal;  // a line that claims the optimum
};

const std::vector<Peer>& peers() {
  static const std::string number = R"(([-+]?\d[\d.]*(?:[eE][-+]?\d+)?))";
  static const std::vector<Peer> all = {
      {"cbc",
       {"{0}", "timeMode", "elapsed", "sec", "{1}", "solve", "solution", "{2}"},
       std::regex("Integer solution of " + number + " found"),
       std::regex("Result - Optimal solution found")},
      {"glpsol",
       {"--lp", "{0}", "--tmlim", "{1}", "--cuts", "-o", "{2}"},
       std::regex(R"((?:mip =|>>>>>|found by heuristic:) +)" + number),
       std::regex("INTEGER OPTIMAL SOLUTION FOUND")},
      {"highs",
       {"{0}", "--time_limit", "{1}", "--parallel", "off", "--solution_file", "{2}"},
       // Explored %, best bound, best solution, gap %.
       std::regex(R"(\d% +\S+ +)" + number + R"( +\S+%? .*s\s*$)"),
       std::regex("Status +Optimal")},
  };
  return all;
}

const Peer& peer_named(const std::string& name) {
  for (const Peer& peer : peers()) {
    if (peer.name == name) return peer;
  }
  throw UsageError("no other program is called '" + name + "'");
}

// Names and dialect that all of them read: minimised, no constant, no range in one row.
ConstrainedModel for_peers(const ConstrainedModel& given) {
  ConstrainedModel model = with_plain_names(plain_model(given).model);
  if (model.sense == Sense::maximise) {
    for (LinearTerm& term : model.objective.linear) term.coefficient = -term.coefficient;
    model.sense = Sense::minimise;
  }
  model.objective.constant = 0;
  std::vector<ModelConstraint> rows;
  for (ModelConstraint& row : model.constraints) {
    if (row.lower.finite() && row.upper.finite() && row.lower != row.upper) {
      rows.push_back(row);
      rows.back().upper = kUnbounded;
      row.lower = -kUnbounded;
      row.name += "u";
    }
    rows.push_back(std::move(row));
  }
  model.constraints = std::move(rows);
  return model;
}

// Starts it on a terminal of its own, for otherwise it would keep its log back until the end, and
// hands over the lines as they come.
class Terminal {
 public:
  Terminal(const std::string& program, const std::vector<std::string>& arguments) {
    std::vector<std::string> words = {program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    process_ = forkpty(&terminal_, nullptr, nullptr, nullptr);
    if (process_ == 0) {
      for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(signal, SIG_DFL);
      execvp(pointers[0], pointers.data());
      _exit(127);
    }
    if (process_ < 0) throw InputError("cannot start " + program);
  }
  ~Terminal() {
    kill(-process_, SIGKILL);
    kill(process_, SIGKILL);
    close(terminal_);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  // Until it ends, or `give_up` says so.
  void read(const std::function<void(const std::string&)>& on_line,
            const std::function<bool()>& give_up) const {
    std::string text;
    std::array<char, 4096> chunk{};
    for (;;) {
      pollfd ready{terminal_, POLLIN, 0};
      constexpr int kMilliseconds = 20;
      if (poll(&ready, 1, kMilliseconds) <= 0) {
        if (give_up()) return;
        continue;
      }
      const ssize_t got = ::read(terminal_, chunk.data(), chunk.size());
      if (got <= 0) return;
      text.append(chunk.data(), static_cast<std::size_t>(got));
      for (std::size_t end = 0; (end = text.find('\n')) != std::string::npos;) {
        on_line(text.substr(0, end));
        text.erase(0, end + 1);
      }
      if (give_up()) return;
    }
  }

 private:
  int terminal_ = -1;
  pid_t process_ = -1;
};

// All of them write a line for each variable that holds its name and, behind it, its value.
std::optional<std::vector<std::int64_t>> read_values(const std::string& file, std::size_t count) {
  if (!fs::exists(file)) return {};
  std::vector<std::int64_t> values(count, 0);
  const std::string text = read_file(file);
  static const std::regex line(R"((?:^|[ \t])x(\d+)[ \t]+(?:\*[ \t]+)?([-+]?\d[-+.\deE]*))");
  bool any = false;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::cmatch found;
    if (std::regex_search(text.data() + begin, text.data() + end, found, line)) {
      const std::size_t v = std::strtoul(found[1].str().c_str(), nullptr, 10) - 1;
      if (v < count) values[v] = std::llround(std::strtod(found[2].str().c_str(), nullptr));
      any = true;
    }
    begin = end + 1;
  }
  // CBC leaves out zeros, but not the line that says what it found.
  if (!any && text.find("bjective") == std::string::npos) return {};
  return values;
}

}  // namespace

std::vector<std::string> installed_peers() {
  std::vector<std::string> found;
  const char* path = std::getenv("PATH");
  for (const Peer& peer : peers()) {
    std::string folders = path == nullptr ? "" : path;
    for (std::size_t begin = 0; begin <= folders.size();) {
      const std::size_t end = std::min(folders.find(':', begin), folders.size());
      const fs::path file = fs::path(folders.substr(begin, end - begin)) / peer.name;
      if (access(file.c_str(), X_OK) == 0) {
        found.emplace_back(peer.name);
        break;
      }
      begin = end + 1;
    }
  }
  return found;
}

bool peers_take(const ConstrainedModel& model) {
  return model.objective.products.empty() && model.objective.monomials.empty() &&
         std::none_of(model.variables.begin(), model.variables.end(),
                      [](const ModelVariable& v) { return v.spin; }) &&
         std::all_of(model.constraints.begin(), model.constraints.end(),
                     [](const ModelConstraint& c) { return is_linear(c) && c.price == 0; });
}

PeerRun run_peer(const std::string& name, const ConstrainedModel& model, double time_limit,
                 const std::atomic<bool>& stop) {
  const Peer& peer = peer_named(name);
  std::string folder = (fs::temp_directory_path() / "chainmail-peer-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) throw InputError(folder + ": cannot be made");
  const struct Remove {
    std::string folder;
    ~Remove() {
      std::error_code ignored;
      fs::remove_all(folder, ignored);
    }
  } remove{folder};
  const std::string file = folder + "/model.lp", solution = folder + "/solution.txt";
  write_file(file, to_lp(for_peers(model)));

  PeerRun run;
  const double sign = model.sense == Sense::maximise ? -1.0 : 1.0;
  const double constant = static_cast<double>(model.objective.constant);
  std::vector<std::string> arguments;
  for (const std::string& word : peer.arguments) {
    arguments.push_back(fmt::format(fmt::runtime(word), file, std::ceil(time_limit), solution));
  }
  const auto start = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  {
    const Terminal terminal(name, arguments);
    constexpr double kGrace = 5.0;  // to write its solution
    terminal.read(
        [&](const std::string& line) {
          std::smatch found;
          if (std::regex_search(line, found, peer.better)) {
            const double value = sign * std::strtod(found[1].str().c_str(), nullptr) + constant;
            const auto& known = run.course;
            if (known.empty() || sign * value < sign * known.back().second) {
              run.course.emplace_back(seconds(), value);
            }
          }
          run.says_optimal = run.says_optimal || std::regex_search(line, peer.optimal);
        },
        [&] { return stop || seconds() > time_limit + kGrace; });
  }
  run.seconds = seconds();
  const auto values = read_values(solution, model.variables.size());
  if (!values) {
    run.refused = stop ? "interrupted" : "left no solution";
    return run;
  }
  run.answer = named_answer(model, *values);
  if (!run.answer->feasible && run.course.empty()) {  // GLPK then writes its relaxation
    run.answer.reset();
    run.refused = "found nothing in the time";
    return run;
  }
  // Logs round; the answer itself counts.
  const double value = run.answer->objective,
               known = run.course.empty() ? 0.0 : run.course.back().second;
  constexpr double kRounded = 1e-6;
  if (!run.course.empty() && std::abs(value - known) <= kRounded * std::abs(value)) {
    run.course.back().second = value;
  } else if (run.answer->feasible) {
    run.course.emplace_back(run.seconds, value);
  }
  return run;
}

}  // namespace chainmail
