// The program as a user sees it: commands, exit codes, one-line errors, Ctrl-C. Runs the real
// binary, named by the environment variable CHAINMAIL (the Makefile sets it).
#include <signal.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "program.hpp"
#include "workplace.hpp"

using namespace chainmail;
using namespace chainmail::test;
using nlohmann::json;

TEST_CASE("generate, tune and solve work together and leave a result, a trace and a report") {
  const Workplace place;
  CHECK(place.run("generate wishart -n 16 --seed 5 -o p.json").code == 0);
  CHECK(place.run("tune p.json --copies 2 -o s.json").code == 0);
  const auto solved = place.run(
      "solve p.json --copies 2 --schedule s.json --sweeps 5000 --json r.json --trace t.csv "
      "--report r.html");
  INFO(solved.errors);
  CHECK(solved.code == 0);
  CHECK_THAT(solved.output, Catch::Contains("optimum reached"));
  CHECK(solved.errors.empty());  // progress is for terminals
  const json result = json::parse(place.read("r.json"));
  CHECK(result.at("energy").get<double>() == Approx(result.at("known_optimum").get<double>()));
  CHECK(result.at("feasible") == true);
  CHECK_THAT(place.read("t.csv"), Catch::StartsWith("sweep,"));
  CHECK_THAT(place.read("r.html"), Catch::Contains("<svg"));
  CHECK(place.files() == 7);  // four outputs, the problem, .output, .errors: nothing left over
}

TEST_CASE("standard output can carry the result, and problems can come by pipe") {
  const Workplace place;
  place.run("generate full-adder -o a.json");
  const auto piped = place.run("solve - --sweeps 500 --json -", "a.json");
  CHECK(json::parse(piped.output).at("energy").get<double>() == Approx(-4.0));
  check_refused(place.run("solve - --sweeps 500"), 1, "");  // an empty pipe
}

TEST_CASE("wrong usage is one line and exit code 2") {
  const Workplace place;
  place.run("generate full-adder -o a.json");
  check_refused(place.run("dance"), 2, "unknown command 'dance'");
  check_refused(place.run("solve"), 2, "missing FILE");
  check_refused(place.run("solve a.json b.json"), 2, "unexpected argument 'b.json'");
  check_refused(place.run("solve a.json --sweps 5"), 2, "sweps");
  check_refused(place.run("solve a.json --sweeps 1.5"), 2, "--sweeps: expected a whole number");
  check_refused(place.run("solve a.json --sweeps -5"), 2, "'-5'");
  check_refused(place.run("solve a.json --sweeps 1.5"), 2, "'1.5'");
  check_refused(place.run("solve a.json --trials"), 2, "trials");
  check_refused(place.run("solve a.json --method magic"), 2, "auto|2dpt|jcolumn|pt");
  check_refused(place.run("solve a.json --device toaster"), 2, "toaster");
  check_refused(place.run("solve a.json --moves worm"), 2, "single|chain");
  check_refused(place.run("solve a.json --moves chain --device hls:5x2"), 2, "--device cpu");
  check_refused(place.run("solve a.json --penalties 1,2"), 2, "--betas");
  check_refused(place.run("solve a.json --betas 1,x"), 2, "separated by commas");
  check_refused(place.run("generate wishart -n 10 --alpha -1"), 2, "alpha");
  check_refused(place.run("generate nonsense"), 2, "nonsense");
  CHECK(place.run("").code == 2);
}

TEST_CASE("a slip of the keyboard is met with the word that was meant") {
  const Workplace place;
  check_refused(place.run("solve a.json --sweep 5"), 2, "(did you mean --sweeps?)");
  check_refused(place.run("solve a.json --tiem-limit 5"), 2, "(did you mean --time-limit?)");
  check_refused(place.run("sovle a.json"), 2, "(did you mean solve?)");
  check_refused(place.run("generate wishrat -n 8"), 2, "(did you mean wishart?)");
  check_refused(place.run("solve a.json --method 2dtp"), 2, "(did you mean 2dpt?)");
  const auto far = place.run("solve a.json --banana 5");
  CHECK_THAT(far.errors, !Catch::Contains("did you mean") && Catch::Contains("help solve"));
  // Lists are whole: of problems and of models.
  check_refused(place.run("generate knapsack"), 2, "tsp");
  place.write("x.unk", "what is this\n");
  const auto unknown = place.run("solve x.unk");
  check_refused(unknown, 1, "--format");
  CHECK_THAT(unknown.errors, Catch::Contains("qubo") && Catch::Contains("qplib"));
}

TEST_CASE("the exit code tells what became of a run") {
  const Workplace place;
  const std::string tail = "Binary\n a b\nEnd\n";
  place.write("good.lp", "Minimize\n a + b\nSubject To\n c: a + b >= 1\n" + tail);
  place.write("none.lp", "Minimize\n a + b\nSubject To\n c: a + b >= 3\n" + tail);
  CHECK(place.run("solve good.lp").code == 0);
  const auto none = place.run("solve none.lp");
  CHECK(none.code == 5);
  CHECK_THAT(none.output, Catch::Contains("no solution exists: ") && !Catch::Contains("may help"));
  // Chains that hardly hold: a hot, weak ladder finds no state in which all do.
  place.run("generate sk -n 200 --seed 1 -o sk.json");
  const auto broken = place.run("solve sk.json -k 3 --betas 0.001 --penalties 0.001 --sweeps 10");
  CHECK(broken.code == 4);
  CHECK_THAT(broken.output, Catch::Contains("chains") && !Catch::Contains("no feasible state"));
  for (const char* code : {"  4  ", "  5  ", "  6  "}) {
    CHECK_THAT(place.run("--help").output, Catch::Contains(code));
  }
}

TEST_CASE("a run ends at the known optimum unless told otherwise") {
  const Workplace place;
  place.run("generate wishart -n 16 --integer --seed 1 -o p.json");
  for (const std::string how :
       {"", "--copies 2 ", "--copies 2 --moves chain ", "--copies 2 --device hls:16x2 "}) {
    INFO(how);
    const auto outcome = place.run("solve p.json --sweeps 20000 --json - " + how);
    REQUIRE(outcome.code == 0);
    const json found = json::parse(outcome.output);
    CHECK(found.at("stopped_by") == "known optimum");
    CHECK(found.at("verdict") == "optimum reached");
    const json full =
        json::parse(place.run("solve p.json --no-stop --sweeps 20000 --json - " + how).output);
    CHECK(full.at("stopped_by") == "sweeps");
    CHECK(full.at("updates") > found.at("updates"));
    CHECK(full.at("best_found_at_sweep") <= 20000);
  }
}

TEST_CASE("answers come in the problem's own values and can be checked") {
  const Workplace place;
  place.write("q.qubo", "p qubo 0 4 4 2\n0 0 -1\n1 1 -1\n2 2 1\n3 3 -2\n0 1 3\n1 2 1\n");
  const auto run =
      place.run("solve q.qubo --sweeps 200 --solutions 3 --solution s.txt --json r.json");
  REQUIRE(run.code == 0);
  CHECK_THAT(run.output, Catch::Contains("solution 2") && Catch::Contains("optimum not known"));
  const json result = json::parse(place.read("r.json"));
  CHECK(result.at("objective") == -3.0);
  CHECK(
      (result.at("solution") == json({1, 0, 0, 1}) || result.at("solution") == json({0, 1, 0, 1})));
  REQUIRE(result.at("solutions").size() == 3);
  CHECK(result.at("solutions")[0].at("solution") == result.at("solution"));
  CHECK(result.at("solutions")[1].at("objective") == -3.0);  // the other of the two
  CHECK(result.at("solutions")[2].at("objective") == -2.0);
  CHECK(result.at("colours").is_null());
  for (const char* file : {"s.txt", "r.json"}) {
    const auto check = place.run(std::string("check q.qubo ") + file);
    INFO(check.errors);
    CHECK(check.code == 0);
    CHECK_THAT(check.output, Catch::Contains("qubo        -3"));
  }
  // A state and its mirror image are two solutions, except for cuts, whose sides have no names.
  place.write("two.coo", "0 1 1\n");
  const auto two = place.run("solve two.coo --sweeps 200 --solutions 4 --json -");
  CHECK(json::parse(two.output).at("solutions").size() == 4);
  place.write("two.rudy", "2 1\n1 2 1\n");
  const json cuts =
      json::parse(place.run("solve two.rudy --solutions 4 --sweeps 200 --json -").output);
  CHECK(cuts.at("solutions").size() == 2);
  CHECK_THAT(cuts.at("model_notes").dump(), Catch::Contains("mirror image"));
  place.write("two.qubo", "p qubo 0 2 2 1\n0 0 -1\n1 1 -1\n0 1 2\n");
  const auto bits = place.run("solve two.qubo --sweeps 200 --solutions 2 --json -");
  for (const json& found : json::parse(bits.output).at("solutions"))
    CHECK(found.at("objective") == -1);
  // All lines of an adder's truth table are as good as each other.
  place.run("generate full-adder -o adder.json");
  const auto lines = place.run("solve adder.json --no-stop --sweeps 2000 --solutions 8 --json -");
  const json truth = json::parse(lines.output).at("solutions");
  CHECK(truth.size() == 8);
  for (const json& line : truth) CHECK(line.at("objective") == truth[0].at("objective"));
}

TEST_CASE("COO files as dimod writes them mean what dimod means") {
  const Workplace place;
  const auto solve = [&](const std::string& header) {
    place.write("d.coo", header + "0 0 1.000000\n0 1 -2.000000\n");
    return json::parse(place.run("solve d.coo --json -").output);
  };
  // E = S0 - 2 S0 S1, at its lowest for two spins down; as bits x0 - 2 x0 x1, for two ones.
  CHECK(solve("# vartype=SPIN\n").at("objective") == -3);
  CHECK(solve("# vartype=SPIN\n").at("solution") == json::parse("[-1, -1]"));
  CHECK(solve("# vartype=BINARY\n").at("objective") == -1);
  CHECK(!solve("# vartype=SPIN\n").contains("model_notes"));
  // Without a header: read as ours, with a note.
  CHECK(solve("").at("solution") == json::parse("[1, -1]"));
  CHECK_THAT(solve("").at("model_notes").dump(), Catch::Contains("E = -sum J S S - sum h S"));
  CHECK_THAT(place.run("solve d.coo").output, Catch::Contains("E = -sum J S S - sum h S"));
  CHECK_THAT(place.run("info d.coo").output, Catch::Contains("E = -sum J S S - sum h S"));
}

TEST_CASE("merge and schedules name the file and what is wrong in it") {
  const Workplace place;
  place.run("generate full-adder -o a.json");
  place.run("solve a.json --sweeps 50 --trials 1/2 --json 1.json");
  place.run("solve a.json --sweeps 50 --trials 2/2 --json 2.json");
  json second = json::parse(place.read("2.json"));
  const auto merged_with = [&](const std::string& name, const json& value) {
    json edited = second;
    edited[name] = value;
    place.write("edited.json", edited.dump());
    return place.run("merge 1.json edited.json");
  };
  REQUIRE(place.run("merge 1.json 2.json").code == 0);
  check_refused(merged_with("feasible", "yes"), 1, "edited.json: expected \"feasible\" to be true");
  check_refused(merged_with("energy", "low"), 1, "edited.json: expected \"energy\" to be a number");
  check_refused(merged_with("updates", -3), 1, "edited.json: expected \"updates\" to be a number");
  check_refused(merged_with("rejections", "x"), 1, "edited.json: expected \"rejections\" to be");
  check_refused(merged_with("rejections", json::parse("[1]")), 1, "edited.json: \"rejections\"");
  const auto scheduled = [&](const std::string& members) {
    place.write("s.json", "{\"format\": \"chainmail-schedule\", \"version\": 1,\n" + members + "}");
    return place.run("solve a.json --schedule s.json");
  };
  check_refused(scheduled("\"beta\": [1, \"x\"], \"penalty\": [0]"), 1,
                "s.json:2: beta[1]: expected a number");
  check_refused(scheduled("\"penalty\": [0]"), 1, "s.json:1: expected a member \"beta\"");
  check_refused(scheduled("\"beta\": [1}, \"penalty\": [0]"), 1, "s.json:2:");
}

TEST_CASE("merge takes the feasible one, then the one nearest to it, and no trial twice") {
  const Workplace place;
  place.run("generate full-adder -o a.json");
  place.run("solve a.json --sweeps 50 --trials 1/2 --json 1.json");
  place.run("solve a.json --sweeps 50 --trials 2/2 --json 2.json");
  const auto edited = [&](const std::string& name, bool feasible, double energy, double g) {
    json result = json::parse(place.read(name));
    result["feasible"] = feasible;
    result["energy"] = energy;
    result["g"] = g;
    place.write("e" + name, result.dump());
  };
  const auto best = [&] {
    return json::parse(place.run("merge e1.json e2.json").output).at("energy");
  };
  edited("1.json", false, -100, 1);
  edited("2.json", true, 5, 0);
  CHECK(best() == 5);
  edited("2.json", false, 5, 0.5);
  CHECK(best() == 5);
  edited("1.json", true, -100, 0);
  edited("2.json", true, 5, 0);
  CHECK(best() == -100);
  // Trials 1 and 2 in one file, 2 in the other.
  json both = json::parse(place.run("merge 1.json 2.json").output);
  CHECK(both.at("trials") == 2);
  place.write("both.json", both.dump());
  check_refused(place.run("merge both.json 2.json"), 1, "2.json: trial 2 is in both.json too");
}

TEST_CASE("numbers count as they are written, small differences too") {
  const Workplace place;
  const auto solved = [&](const std::string& lp, const std::string& more = "") {
    place.write("m.lp", lp);
    return json::parse(place.run("solve m.lp --quiet --json - " + more).output);
  };
  // A half is more than nothing.
  CHECK(solved("Minimize\n obj: x + y\nSubject To\n c: x + y >= 0.5\nBinary\n x y\nEnd\n")
            .at("objective") == 1);
  // Both at one would be two hundred-millionths too much.
  for (const char* close : {"1.00000002", "1.00000003", "1.000000001"}) {
    INFO(close);
    const json found = solved("Maximize\n obj: x + y\nSubject To\n c: " + std::string(close) +
                              " x - y <= 0\nBinary\n x y\nEnd\n");
    CHECK(found.at("objective") == 1);
    CHECK(found.at("variables").at("y") == 1);
  }
  // A target that is nearly reached is not.
  place.write("p.coo", "#: chainmail-coo 1\n0 1 1\n1 2 1\n0 2 -1\n2 3 1\n0 3 1\n1 3 -1\n");
  const auto stopped_by = [&](const std::string& target) {
    const auto run = place.run("solve p.coo --sweeps 300 --json - --target=" + target);
    return json::parse(run.output).at("stopped_by");
  };
  const json best = json::parse(place.run("solve p.coo --sweeps 300 --json -").output).at("energy");
  CHECK(stopped_by(std::to_string(best.get<double>())) == "target");
  CHECK(stopped_by(std::to_string(best.get<double>() - 0.0005)) != "target");
  const std::string knapsack =
      "Maximize\n p: 3 a + 2 b + 4 c\nSubject To\n w: 2 a + 3 b + 4 c <= 6\nBinary\n a b c\nEnd\n";
  CHECK(solved(knapsack, "--sweeps 300 --target 7").at("stopped_by") == "target");
  CHECK(solved(knapsack, "--sweeps 300 --target 7.0005").at("stopped_by") != "target");
}

TEST_CASE("small couplings count beside large ones on every path of the CPU") {
  const Workplace place;
  // The field of the first decides; the others follow it by couplings of a ten-thousandth.
  place.write("s.coo",
              "#: chainmail-coo 1\n0 0 1\n0 1 0.0001\n1 2 -0.0002\n0 3 0.0005\n2 3 0.00005\n");
  for (const char* precision : {"auto", "float"}) {
    for (const char* ladder : {"", " --betas 1,1e3,1e6"}) {
      const auto run = place.run(std::string("solve s.coo --sweeps 400 --json - --precision ") +
                                 precision + ladder);
      INFO(precision << ladder << run.errors);
      REQUIRE(run.code == 0);
      const json found = json::parse(run.output);
      CHECK(found.at("energy").get<double>() == Approx(-1.00075).epsilon(1e-12));
      CHECK(found.at("solution") == json::parse("[1, 1, -1, 1]"));
    }
  }
}

TEST_CASE("bad input is one line that names file and place, and exit code 1") {
  const Workplace place;
  place.run("generate full-adder -o a.json");
  place.write("broken.coo", "0 1 1.5\n1 2 banana\n");
  check_refused(place.run("solve broken.coo"), 1, "broken.coo:2:");
  check_refused(place.run("solve nowhere.json"), 1, "cannot read nowhere.json");
  check_refused(place.run("solve a.json --betas 2,1"), 1, "must ascend");
  check_refused(place.run("solve a.json --schedule a.json"), 1, "expected a schedule");
  place.write("initial.txt", "1 1 -1\n");
  check_refused(place.run("solve a.json --initial initial.txt"), 1, "initial.txt");
  const auto unwritable = place.run("solve a.json --sweeps 100 --json /nonexistent/r.json");
  CHECK(unwritable.code == 1);
  CHECK_THAT(unwritable.errors, Catch::Contains("/nonexistent/r.json"));
}

TEST_CASE("help teaches and succeeds") {
  const Workplace place;
  for (const std::string command :
       {"generate", "info", "tune", "solve", "sample", "topology", "devices", "bench"}) {
    const auto outcome = place.run(command + " --help");
    INFO(command);
    CHECK(outcome.code == 0);
    CHECK_THAT(outcome.output, Catch::StartsWith("usage: chainmail " + command));
    CHECK(outcome.errors.empty());
    CHECK(place.run("help " + command).output == outcome.output);
  }
  CHECK_THAT(place.run("--help").output, Catch::Contains("solve"));
  CHECK_THAT(place.run("--version").output, Catch::StartsWith("chainmail "));
}

TEST_CASE("two runs of one command write the same result but for timings") {
  const Workplace place;
  place.run("generate wishart -n 20 --seed 5 -o p.json");
  const std::string solve = "solve p.json --copies 3 --sweeps 500 --trials 3 ";
  place.run(solve + "--threads 1 --json r1");
  place.run(solve + "--threads 2 --json r2");
  json a = json::parse(place.read("r1")), b = json::parse(place.read("r2"));
  for (json* result : {&a, &b}) {
    for (const char* key :
         {"seconds", "tune_seconds", "updates_per_ns", "peak_memory_kib", "device"}) {
      result->erase(key);
    }
  }
  CHECK(a == b);
}

TEST_CASE("--literal is the paper's way, the defaults are ours") {
  const Workplace place;
  place.run("generate wishart -n 20 --seed 6 -o p.json");
  const auto solve = [&](const std::string& options) {
    const auto outcome = place.run("solve p.json --copies 3 --sweeps 1000 --json - " + options);
    REQUIRE(outcome.code == 0);
    return json::parse(outcome.output);
  };
  const json ours = solve(""), literal = solve("--literal"), chain = solve("--moves chain");
  CHECK(ours.at("sweeps_per_swap") == 5);
  CHECK(ours.at("swap_sets") == "columns");
  CHECK(ours.at("moves") == "single");
  CHECK(literal.at("sweeps_per_swap") == 50);
  CHECK(literal.at("swap_sets") == "toggle");
  // Our ladder covers only the useful part, and its pilot costs a fraction.
  CHECK(ours.at("penalty").front() > literal.at("penalty").front());
  CHECK(ours.at("beta").back() < literal.at("beta").back());
  CHECK(ours.at("pilot_sweeps").get<int>() * 5 < literal.at("pilot_sweeps").get<int>());
  CHECK(chain.at("moves") == "chain");
  CHECK(chain.at("residual_per_spin").get<double>() < 1e-9);
}

TEST_CASE("a ladder that is found fits a device with few replicas; one that is asked for must") {
  const Workplace place;
  place.run("generate full-adder -n 5 -o p.json");
  const std::string solve = "solve p.json --device hls:5x2-t9-b17-w2-r16 --sweeps 500 --json - ";
  const auto found = place.run(solve);
  REQUIRE(found.code == 0);
  const json result = json::parse(found.output);
  CHECK(result.at("rows").get<int>() * result.at("columns").get<int>() <= 16);
  CHECK(result.at("columns").get<int>() >= 5);
  CHECK(place.run(solve + "--columns 20").code == 1);
}

TEST_CASE("Ctrl-C ends a run cleanly with the best so far, and the checkpoint resumes it") {
  const Workplace place;
  place.run("generate sk -n 30 --seed 5 -o p.json");
  Program running(place, "solve p.json --sweeps 1e12 --json r.json --checkpoint c");
  // The ladder is saved when tuning ends; the run has then started.
  for (int wait = 0; wait < 600 && !place.has("c.schedule"); ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  running.signal(SIGINT);
  REQUIRE(running.code() == 6);
  const json result = json::parse(place.read("r.json"));
  CHECK(result.at("stopped_by") == "interrupt");
  CHECK(result.at("energy").get<double>() < 0.0);
  CHECK(place.has("c"));
  const auto resumed =
      place.run("solve p.json --sweeps 1e12 --json r2.json --checkpoint c --time-limit 0.001");
  INFO(resumed.errors);
  CHECK(resumed.code == 0);
  CHECK(json::parse(place.read("r2.json")).at("updates") > result.at("updates"));
}

TEST_CASE("a model is sampled and tuned as it is written") {
  const Workplace place;
  place.write(
      "m.lp",
      "Minimize\n cost: x + 2 y + 3 n\nSubject To\n c: x + y + n >= 2\n d: x = 1 -> n >= 1\n"
      " w: x + y <= 1\nSoft Constraints\n w 0.25\nBounds\n n <= 3\nGeneral\n n\n"
      "Binary\n x y\nEnd\n");
  const auto samples =
      place.run("sample m.lp --betas 0.5,1 --penalties 1,2 --samples 20 --all --quiet");
  CHECK(samples.code == 0);
  CHECK(std::count(samples.output.begin(), samples.output.end(), '\n') == 81);
  CHECK_THAT(samples.output, Catch::StartsWith("burst,beta,penalty,f,g,x,y,n\n1,0.5,1,"));
  CHECK(place.run("tune m.lp -o s.json --quiet").code == 0);
  CHECK(place.run("solve m.lp --schedule s.json --sweeps 200 --json r.json --quiet").code == 0);
  const json result = json::parse(place.read("r.json"));
  CHECK(result.at("moves") == "forms");
  CHECK(result.at("objective") == 4);  // x and n = 1
  CHECK(result.at("feasible") == true);
}

TEST_CASE("samples of a model have a column for each variable, whatever it runs on") {
  const Workplace place;
  place.write("free.lp",
              "Minimize\n obj: n - 2 x + [ 2 n * x ] / 2\nBounds\n n <= 5\nGeneral\n n\nBinary\n "
              "x\nEnd\n");
  for (const char* where : {"", " --copies 2", " --device hls:8x1"}) {
    const auto drawn = place.run(
        std::string("sample free.lp --betas 0.5 --penalties 1 --samples 9 --quiet") + where);
    INFO(drawn.errors);
    CHECK(drawn.code == 0);
    CHECK_THAT(drawn.output, Catch::StartsWith("burst,beta,penalty,f,g,n,x\n1,0.5,1,"));
    CHECK(std::count(drawn.output.begin(), drawn.output.end(), '\n') == 10);
    CHECK(std::count(drawn.output.begin(), drawn.output.end(), ',') == 60);
  }
  // Slack bits have no place among a user's variables.
  place.write("slack.lp",
              "Minimize\n obj: x\nSubject To\n c: x + y + z + 2 w <= 3\nBinary\n x y z w\nEnd\n");
  check_refused(place.run("sample slack.lp --copies 2 --betas 1 --penalties 1 --quiet"), 2,
                "constraint 'c' needs slack bits");
}

TEST_CASE("a name that a spreadsheet takes for a formula is quoted in CSV") {
  const Workplace place;
  place.write("m.mps",
              "NAME m\nROWS\n N obj\n L c\nCOLUMNS\n M1 'MARKER' 'INTORG'\n =1+1 obj 1 c 1\n"
              " M2 'MARKER' 'INTEND'\nRHS\n RHS c 1\nBOUNDS\n BV BND =1+1\nENDATA\n");
  const auto drawn = place.run("sample m.mps --betas 1 --penalties 1 --samples 2 --quiet");
  INFO(drawn.errors);
  CHECK(drawn.code == 0);
  CHECK_THAT(drawn.output, Catch::StartsWith("burst,beta,penalty,f,g,\"=1+1\"\n"));
}

TEST_CASE("a saved run of a model goes on with another time limit, or none") {
  const Workplace place;
  CHECK(place.run("generate qkp -n 60 --seed 3 -o k.lp").code == 0);
  const std::string solve = "solve k.lp --quiet --checkpoint c --json r.json ";
  CHECK(place.run(solve + "--time-limit 0.3").code == 0);
  CHECK(json::parse(place.read("r.json")).at("stopped_by") == "time limit");
  CHECK(place.run(solve + "--time-limit 0.5").code == 0);
  CHECK(place.run(solve + "--target 1").code == 0);
}

TEST_CASE("sample writes one line a sample") {
  const Workplace place;
  place.run("generate full-adder -o a.json");
  const auto outcome =
      place.run("sample a.json --copies 2 --betas 1 --penalties 2,4 --samples 20 --all");
  CHECK(outcome.code == 0);
  CHECK(std::count(outcome.output.begin(), outcome.output.end(), '\n') == 41);
  CHECK_THAT(outcome.output, Catch::StartsWith("burst,beta,penalty,f,g,spins\n1,1,2,"));
}
