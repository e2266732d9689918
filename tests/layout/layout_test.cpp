// The tree itself: includes point one way, documents have readable lines and links that lead
// somewhere.
#include <catch2/catch.hpp>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include "../command.hpp"
#include "../temporary_folder.hpp"
#include "support/atomic_file.hpp"

using namespace chainmail;
using namespace chainmail::test;
using Catch::Contains;
namespace fs = std::filesystem;

TEST_CASE("includes of host/ point one way", "[layout]") {
  const Outcome checked = run("tests/check_includes");
  INFO(checked.text);
  CHECK(checked.code == 0);
}

TEST_CASE("sources are formatted", "[layout]") {
  const Outcome checked = run("tests/check_format");
  INFO(checked.text);
  CHECK(checked.code == 0);
  if (checked.text.find("not checked") != std::string::npos) return;  // another clang-format
  const TemporaryFolder folder;
  write_file(folder.file("a.cpp"), "int  main( ) { }\n");
  CHECK(run("tests/check_format " + folder.file("a.cpp")).code != 0);
}

TEST_CASE("editors can ask how every source is compiled", "[layout]") {
  const TemporaryFolder folder;
  const Outcome made = run("make -s compile_commands.json TO=" + folder.file("c.json"));
  INFO(made.text);
  REQUIRE(made.code == 0);
  const std::string commands = read_file(folder.file("c.json"));
  std::istringstream sources(
      run("git ls-files 'host/*.cpp' 'hls/*.cpp' 'sim/*.cpp' 'tests/*.cpp'").text);
  std::size_t count = 0;
  for (std::string source; std::getline(sources, source); ++count) {
    INFO(source);
    CHECK(commands.find("\"file\": \"" + source + "\"") != std::string::npos);
  }
  CHECK(count > 300);
}

TEST_CASE("an include that points up or aside is found", "[layout]") {
  const TemporaryFolder folder;
  for (const char* name : {"support", "device", "device/cpu", "device/xrt", "device/uart",
                           "generate", "topology", "elsewhere"})
    fs::create_directory(folder.path / name);
  const std::string check = "tests/check_includes " + folder.path.string();
  write_file(folder.file("device/down.cpp"),
             "#include \"support/error.hpp\"\n#include \"near.hpp\"\n");
  write_file(folder.file("device/xrt/down.cpp"),
             "#include \"device/device.hpp\"\n#include \"device/kernel/kernel_port.hpp\"\n");
  CHECK(run(check).code == 0);
  write_file(folder.file("device/cpu/up.cpp"), "#include \"device/group/group_device.hpp\"\n");
  write_file(folder.file("device/uart/aside.cpp"), "#include \"device/xrt/packet.hpp\"\n");
  write_file(folder.file("support/up.hpp"), "// up\n#include \"device/device.hpp\"\n");
  write_file(folder.file("generate/aside.hpp"), "#include \"topology/topology.hpp\"\n");
  write_file(folder.file("elsewhere/new.cpp"), "#include \"support/error.hpp\"\n");
  const Outcome found = run(check);
  INFO(found.text);
  CHECK(found.code != 0);
  CHECK_THAT(found.text, Contains("host/support/up.hpp:2: support includes device/device.hpp"));
  CHECK_THAT(found.text, Contains("host/device/cpu/up.cpp:1: device/cpu includes device/group"));
  CHECK_THAT(found.text, Contains("host/device/uart/aside.cpp:1: device/uart includes device/xrt"));
  CHECK_THAT(found.text, Contains("host/generate/aside.hpp:1: generate includes topology"));
  CHECK_THAT(found.text, Contains("folder elsewhere has no place in tests/check_includes"));
  CHECK(found.text.find("down.cpp") == std::string::npos);
}

namespace {

// What the top level may contain; every further folder is one more for readers to learn.
const std::set<std::string> kTopLevel = {".ci",
                                         ".clang-format",
                                         ".clang-tidy",
                                         ".editorconfig",
                                         ".git",
                                         ".gitignore",
                                         "CHANGELOG.md",
                                         "CONTRIBUTING.md",
                                         "LICENSE",
                                         "Makefile",
                                         "README.md",
                                         "build",
                                         "compile_commands.json",
                                         "constraints",
                                         "docs",
                                         "hls",
                                         "host",
                                         "rtl",
                                         "sim",
                                         "tests"};

std::vector<std::string> strangers(const fs::path& top) {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(top)) {
    const std::string name = entry.path().filename().string();
    if (!kTopLevel.contains(name)) found.push_back(name);
  }
  return found;
}

}  // namespace

TEST_CASE("nothing strays to the top level", "[layout]") {
  CHECK(strangers(".").empty());
  const TemporaryFolder folder;
  fs::create_directory(folder.path / "host");
  CHECK(strangers(folder.path).empty());
  fs::create_directory(folder.path / "DataBytes=8");
  CHECK(strangers(folder.path) == std::vector<std::string>{"DataBytes=8"});
}

TEST_CASE("faults to be planted are about the code as it is", "[layout]") {
  const Outcome checked = run("tests/mutants/run --check tests/mutants/*.list");
  INFO(checked.text);
  CHECK(checked.code == 0);
}

TEST_CASE("make knows which boards it programs", "[layout]") {
  CHECK_THAT(run("make -n program BOARD=hx8k").text, Contains("iceprog"));
  CHECK_THAT(
      run("make -n program BOARD=ulx3s PART=45f").text,
      Contains("--45k") && Contains("openFPGALoader -b ulx3s -f build/bitstream/ulx3s-45f.bit"));
  CHECK_THAT(run("make -n program BOARD=colorlight_i9 SRAM=1").text,
             Contains("--45k") &&
                 Contains("openFPGALoader -b colorlight-i9  build/bitstream/colorlight_i9.bit"));
  const Outcome refused = run("make -s program BOARD=u55c");
  CHECK(refused.code == 2);
  CHECK_THAT(refused.text, Contains("program knows BOARD=colorlight_i5"));
}

TEST_CASE("a proof's folder is not a parameter", "[layout]") {
  const Outcome told = run("rtl/formal/prove cm_sync_fifo 12 Width=4 Depth=4");
  CHECK(told.code == 2);
  CHECK_THAT(told.text, Contains("OUTDIR 'Width=4' looks like a parameter"));
  CHECK(run("rtl/formal/prove cm_sync_fifo build/x Width=4").code == 2);
  CHECK(run("rtl/formal/prove cm_sync_fifo 12").code == 2);
  CHECK(run("rtl/formal/prove cm_sync_fifo 12 build/x Width").code == 2);
  CHECK_FALSE(fs::exists("Width=4"));
  CHECK_FALSE(fs::exists("build/x"));
}

namespace {

std::vector<fs::path> documents() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator("docs"))
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  for (const auto& entry : fs::directory_iterator("."))
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  return found;
}

// In characters, not in bytes.
std::size_t width(const std::string& line) {
  return static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

TEST_CASE("documents have lines of at most 120 characters", "[layout]") {
  CHECK(documents().size() > 10);
  for (const fs::path& document : documents()) {
    std::istringstream lines(read_file(document.string()));
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      if (width(line) > 120) FAIL_CHECK(document << ":" << number << ": " << width(line));
    }
  }
}

TEST_CASE("links between documents lead somewhere", "[layout]") {
  const std::regex link(R"(\]\(([^)#:]+)(#[^)]*)?\))");
  std::size_t links = 0;
  for (const fs::path& document : documents()) {
    const std::string text = read_file(document.string());
    for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it, ++links) {
      INFO(document << " links " << (*it)[1]);
      CHECK(fs::exists(document.parent_path() / (*it)[1].str()));
    }
  }
  CHECK(links > 20);
}
