// The installed copy, used as others would: `make install` into an empty folder, the examples of
// docs/examples built against it with pkg-config and with CMake, and nothing left by `uninstall`.
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "../command.hpp"
#include "../temporary_folder.hpp"
#include "support/atomic_file.hpp"

using namespace chainmail;
using namespace chainmail::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

const std::string kFlavour = BUILD_FLAVOUR;
// What links an instrumented library is instrumented itself.
const std::string kInstrument = kFlavour == "asan"       ? " -fsanitize=address,undefined "
                                : kFlavour == "coverage" ? " --coverage "
                                                         : " ";

Outcome must(const std::string& command) {
  Outcome outcome = run(command);
  INFO(command << "\n" << outcome.text);
  REQUIRE(outcome.code == 0);
  return outcome;
}

struct Installed {
  TemporaryFolder folder;
  std::string options = "BUILD=" + kFlavour + " PREFIX=/opt/chain DESTDIR=" + folder.file("root");
  std::string prefix = folder.file("root/opt/chain");
  std::string told = must("make -s install " + options).text;
  std::string file(const std::string& name) const { return prefix + "/" + name; }
};

std::size_t files_below(const fs::path& folder) {
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) count += !entry.is_directory();
  return count;
}

}  // namespace

TEST_CASE("what is installed runs from where it is and goes without a trace", "[packaging]") {
  const Installed place;
  const Outcome version = must(place.file("bin/chainmail") + " --version");
  const std::string number = version.text.substr(version.text.find(' ') + 1);
  // It says what went where.
  for (const char* what :
       {"bin/chainmail", "share/man/man1/chainmail.1", "lib/libchainmail.so", "include/chainmail",
        "lib/chainmail", "share/minizinc/solvers/chainmail.msc"}) {
    CHECK_THAT(place.told, Contains(" " + place.file(what) + "\n"));
    CHECK(fs::exists(place.file(what)));
  }
  const std::string solvers = place.file("share/minizinc/solvers/");
  const auto solver = nlohmann::json::parse(read_file(solvers + "chainmail.msc"));
  CHECK_THAT(must(solvers + solver.at("executable").get<std::string>() +
                  " -p 1 tests/model/flatzinc/cover.fzn")
                 .text,
             Catch::EndsWith("----------\n==========\n"));
  CHECK(fs::exists(place.file("lib/libchainmail.so." + number.substr(0, number.find('\n')))));
  CHECK_THAT(must("readelf -d " + place.file("lib/libchainmail.so")).text,
             Contains("soname: [libchainmail.so."));
  // Emulated boards come along.
  const std::string problem = place.folder.file("p.json");
  must(place.file("bin/chainmail") + " generate wishart -n 5 --integer -o " + problem);
  CHECK_THAT(must(place.file("bin/chainmail") +
                  " solve -q --sweeps 500 --copies 2 --device sw_emu " + problem)
                 .text,
             Contains("optimum reached"));
  // If an XRT was set up, only that one is used.
  const std::string solve =
      place.file("bin/chainmail") + " solve -q --copies 2 --device sw_emu " + problem;
  const Outcome elsewhere = run("XILINX_XRT=/nowhere " + solve);
  CHECK(elsewhere.code == 3);
  CHECK_THAT(elsewhere.text,
             Contains("libxrt_hwemu.so.2 in /nowhere/lib, where XILINX_XRT points"));
  // Without them the message names what is missing and how to get it.
  fs::remove_all(place.file("lib/chainmail"));
  const Outcome told = run(solve);
  INFO(told.text);
  CHECK(told.code == 3);
  CHECK_THAT(told.text, Contains("not found in") && Contains("chainmail-xrt"));
  // What lies in the current folder is not taken for it.
  fs::create_directory(place.folder.file("emu"));
  const Outcome by_path = run("cd " + place.folder.path.string() + " && PATH=" + place.file("bin") +
                              ":$PATH chainmail solve -q --copies 2 --device sw_emu " + problem);
  CHECK(by_path.code == 3);
  CHECK_THAT(by_path.text, Contains("emu not found in"));
  must("make -s uninstall " + place.options);
  CHECK(files_below(place.folder.file("root")) == 0);
}

TEST_CASE("manual and completion know every command", "[packaging]") {
  const Installed place;
  const std::string manual = read_file(place.file("share/man/man1/chainmail.1"));
  const std::string complete =
      "bash -c 'PATH=" + place.file("bin") + ":$PATH; source " +
      place.file("share/bash-completion/completions/chainmail") +
      "; COMP_WORDS=(chainmail \"$@\"); COMP_CWORD=$#; _chainmail; echo \"${COMPREPLY[@]}\"' x ";
  const std::string offered = must(complete + "''").text;
  std::size_t commands = 0;
  std::istringstream usage(must(place.file("bin/chainmail") + " --help").text);
  for (std::string line; std::getline(usage, line);) {
    // Exit codes are listed there too.
    const bool command = line.starts_with("  ") && line.size() > 2 && std::isalpha(line[2]) != 0;
    if (!command || line.starts_with("  chainmail")) continue;
    const std::string name = line.substr(2, line.find(' ', 2) - 2);
    INFO(name);
    CHECK_THAT(manual, Contains("\n.B " + name + "\n"));
    CHECK_THAT(offered, Contains(name));
    ++commands;
  }
  CHECK(commands >= 10);
  CHECK_THAT(must(complete + "solve --rep").text, Contains("--report"));
  // Rare options too, in the manual and on the command line.
  CHECK_THAT(manual, Contains("\n  \\-\\-sweeps\\-per\\-swap N ") && !Contains("@OPTIONS@"));
  CHECK_THAT(must(complete + "solve --pilot-c").text, Contains("--pilot-chains"));
  CHECK_THAT(must(complete + "solve --device hls:16").text, Contains("hls:16x3"));
  CHECK_THAT(must(complete + "solve --format cs").text, Contains("csv"));
  CHECK_THAT(must(complete + "generate marke").text, Contains("market-split"));
}

namespace {

void check_example(const Outcome& ran) {
  INFO(ran.text);
  CHECK(ran.code == 0);
  CHECK_THAT(ran.text, Contains("best 10: a c\n") && Contains("all of them: capacity 6 <= 4\n") &&
                           Contains("sampled: mean objective "));
}

}  // namespace

TEST_CASE("a program of somebody else's links the library with pkg-config", "[packaging]") {
  const Installed place;
  const std::string pkg_config = "PKG_CONFIG_PATH=" + place.file("lib/pkgconfig") + " pkg-config ";
  const std::string compile = "g++ -std=c++20 -Wall -Wextra -Wconversion -Werror" + kInstrument +
                              "docs/examples/knapsack.cpp -o " + place.folder.file("knapsack");
  const std::string program = place.folder.file("knapsack");
  must(compile + " $(" + pkg_config + "--cflags --libs chainmail)");
  check_example(run("LD_LIBRARY_PATH=" + place.file("lib") + " " + program));
  // Without its folder the loader does not find the library: the program has no copy of it.
  CHECK(run(program).code == 127);
  fs::remove(place.file("lib/libchainmail.so"));  // leaves the static one
  must(compile + " $(" + pkg_config + "--static --cflags --libs chainmail)");
  check_example(run(program));
}

TEST_CASE("a program of somebody else's finds the library with CMake", "[packaging]") {
  const Installed place;
  const std::string build = place.folder.file("build");
  must("cmake -S docs/examples -B " + build + " -DCMAKE_PREFIX_PATH=" + place.prefix +
       " -DCMAKE_CXX_FLAGS='" + kInstrument + "'");
  must("cmake --build " + build);
  check_example(run(build + "/knapsack"));
  check_example(run(build + "/knapsack_static"));
}

TEST_CASE("a program of somebody else's has the sources below its own", "[packaging]") {
  const TemporaryFolder folder;
  write_file(folder.file("CMakeLists.txt"),
             "cmake_minimum_required(VERSION 3.18)\nproject(theirs LANGUAGES CXX)\n"
             "add_subdirectory(\"" +
                 fs::absolute("host").string() +
                 "\" chainmail)\n"
                 "add_executable(theirs \"" +
                 fs::absolute("docs/examples/knapsack.cpp").string() +
                 "\")\n"
                 "target_link_libraries(theirs PRIVATE chainmail::chainmail)\n");
  const std::string build = folder.file("build");
  must("cmake -S " + folder.path.string() + " -B " + build + " -DCHAINMAIL_BUILD=" + kFlavour +
       " -DCMAKE_CXX_FLAGS='" + kInstrument + "'");
  must("cmake --build " + build);
  check_example(run(build + "/theirs"));
}

TEST_CASE("what is installed is hardened as Debian's own packages are", "[packaging]") {
  if (kFlavour != "release") return;
  const Installed place;
  for (const char* name : {"bin/chainmail", "bin/chainmail-emu", "lib/libchainmail.so",
                           "lib/chainmail/chainmail-xrt", "lib/chainmail/libchainmail_emu.so"}) {
    INFO(name);
    const std::string parts = must("readelf -hlWd " + place.file(name)).text;
    CHECK_THAT(parts, Contains("GNU_RELRO") && Contains("BIND_NOW") && Contains("DYN ("));
    CHECK_THAT(parts, !Contains("RWE"));  // a stack or segment that is data and code
    CHECK_THAT(must("readelf -W --dyn-syms " + place.file(name)).text,
               Contains("__stack_chk_fail"));
  }
  CHECK_THAT(must("readelf -W --dyn-syms " + place.file("bin/chainmail")).text, Contains("_chk@"));
}

TEST_CASE("what is installed names its licence and what it is linked to", "[packaging]") {
  const Installed place;
  for (const auto& entry : fs::recursive_directory_iterator(place.prefix)) {
    const std::string name = entry.path().string();
    const bool text = name.ends_with(".hpp") || name.ends_with(".def") || name.ends_with(".pc") ||
                      name.ends_with(".cmake") || name.find("man1/") != std::string::npos ||
                      name.find("completions/") != std::string::npos;
    if (!entry.is_regular_file() || !text) continue;
    INFO(name);
    CHECK_THAT(read_file(name), Contains("SPDX-License-Identifier: Apache-2.0"));
  }
  const std::string program = place.file("bin/chainmail");
  const auto listed =
      nlohmann::json::parse(must("host/packaging/sbom chainmail 0.2.0 " + program).text);
  CHECK(listed.at("spdxVersion") == "SPDX-2.3");
  std::string files;
  for (const auto& part : listed.at("packages")) {
    files += " " + part.value("packageFileName", part.at("name").get<std::string>()) + " ";
    CHECK_FALSE(part.at("versionInfo").get<std::string>().empty());
  }
  // Every library the loader maps, by the name of its file.
  std::istringstream mapped(
      must("ldd " + program +
           " | awk '$3 ~ /^\\// {print $3}' | xargs realpath | xargs -n1 basename")
          .text);
  std::size_t libraries = 0;
  for (std::string name; std::getline(mapped, name); ++libraries) {
    INFO(name << " in" << files);
    CHECK_THAT(files, Contains(" " + name + " "));
  }
  CHECK(libraries > 5);
}
