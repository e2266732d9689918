// The board files and what is linked from them: every pointer argument of every compute unit on
// exactly one bank, and only banks and SLRs the board has.
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <sstream>

#include "../command.hpp"
#include "support/atomic_file.hpp"
#include "support/error.hpp"
#include "topology/contract.hpp"
#include "topology/vitis_files.hpp"

using namespace chainmail;

namespace {

struct Config {
  std::map<std::string, std::map<std::string, std::vector<std::string>>> sections;
  const std::string& fact(const std::string& name) const {
    return sections.at("board").at(name).at(0);
  }
};

// Sections and name=value lines; anything else is a failure.
Config parse(const std::string& text) {
  Config config;
  std::string line, section;
  std::istringstream lines(text);
  while (std::getline(lines, line)) {
    if (line.empty() || line[0] == '#') continue;
    if (line.front() == '[' && line.back() == ']') {
      section = line.substr(1, line.size() - 2);
      continue;
    }
    const std::size_t equals = line.find('=');
    INFO(line);
    REQUIRE(equals != std::string::npos);
    REQUIRE(!section.empty());
    config.sections[section][line.substr(0, equals)].push_back(line.substr(equals + 1));
  }
  return config;
}

std::string board_file(const std::string& board) {
  return "constraints/" + board + ".cfg";
}

// The names of a board's banks: "HBM[0:31]" stands for 32, other names for themselves.
std::set<std::string> banks(const std::string& memory) {
  std::set<std::string> names;
  std::string word;
  std::istringstream words(memory);
  while (words >> word) {
    const std::size_t open = word.find('['), colon = word.find(':');
    if (open == std::string::npos) {
      names.insert(word);
      continue;
    }
    const std::string kind = word.substr(0, open);
    const int last = std::stoi(word.substr(colon + 1));
    for (int i = std::stoi(word.substr(open + 1)); i <= last; ++i) {
      names.insert(kind + "[" + std::to_string(i) + "]");
    }
  }
  return names;
}

std::size_t placed_units(const Config& config) {
  return config.sections.at("connectivity").at("sp").size();
}

void check_link(const Config& board, const Config& link, std::size_t units,
                const std::string& kernel) {
  const auto& connectivity = link.sections.at("connectivity");
  CHECK(connectivity.at("nk") == std::vector<std::string>{kernel + ":" + std::to_string(units)});
  const std::set<std::string> known = banks(board.fact("memory"));
  std::multiset<std::string> connected;
  for (const std::string& sp : connectivity.at("sp")) {
    const std::size_t colon = sp.find(':');
    connected.insert(sp.substr(0, colon));
    INFO(sp);
    CHECK(known.count(sp.substr(colon + 1)) == 1);
  }
  std::multiset<std::string> expected, unit_names;
  for (std::size_t u = 1; u <= units; ++u) {
    const std::string unit = kernel + "_" + std::to_string(u);
    unit_names.insert(unit);
    for (const contract::Argument& a : contract::kArguments) {
      if (a.pointer) expected.insert(unit + "." + a.name);
    }
  }
  CHECK(connected == expected);
  const int slrs = std::stoi(board.fact("slrs"));
  std::multiset<std::string> in_slr;
  if (slrs > 1) {
    for (const std::string& slr : connectivity.at("slr")) {
      const std::size_t colon = slr.find(":SLR");
      REQUIRE(colon != std::string::npos);
      in_slr.insert(slr.substr(0, colon));
      CHECK(std::stoi(slr.substr(colon + 4)) < slrs);
    }
    CHECK(in_slr == unit_names);
  } else {
    CHECK(connectivity.count("slr") == 0);
  }
}

}  // namespace

TEST_CASE("every pointer argument of every unit sits on one bank of the board", "[vitis]") {
  for (const std::string board : {"u55c", "u50", "u250", "u280", "kv260"}) {
    const std::string text = read_file(board_file(board));
    const Config facts = parse(text);
    for (std::size_t units = 1; units <= placed_units(facts); ++units) {
      for (const std::string kernel : {"pbit_burst", "pbit_rows"}) {
        INFO(board << ", " << units << " units of " << kernel);
        const Config link = parse(link_config(board_file(board), text, units, "card", kernel));
        CHECK(link.sections.count("board") == 0);
        check_link(facts, link, units, kernel);
      }
    }
  }
}

TEST_CASE("board files state what the recipes and the fit table read", "[vitis]") {
  for (const std::string board : {"u55c", "u50", "u250", "u280", "kv260"}) {
    const Config config = parse(read_file(board_file(board)));
    for (const char* name :
         {"name", "platform", "part", "frequency", "memory", "slrs", "lut", "ff", "dsp", "bram36",
          "device", "launch_us", "sync_us", "buffers", "topology", "rows"}) {
      INFO(board << " " << name);
      REQUIRE(config.sections.at("board").count(name) == 1);
      CHECK(!config.fact(name).empty());
    }
    // An UltraScale+ slice has two flip-flops for a LUT.
    CHECK(std::stol(config.fact("ff")) == 2 * std::stol(config.fact("lut")));
    CHECK(config.fact("part").find(board == "kv260" ? "xck26" : "xc" + board) == 0);
  }
}

TEST_CASE("an image that streams by stays with the card, on a channel of its unit's own",
          "[vitis]") {
  const std::string file = board_file("u55c"), text = read_file(file);
  CHECK_THAT(link_config(file, text, 6, "host", "pbit_rows"),
             Catch::Contains("sp=pbit_rows_6.tables:HBM[5]\n") &&
                 Catch::Contains("sp=pbit_rows_6.spins:HOST[0]\n"));
  CHECK_THAT(link_config(file, text, 1, "host"), Catch::Contains("sp=pbit_burst_1.tables:HOST[0]"));
  for (const std::string board : {"u55c", "u50", "u280", "kv260"}) {
    const Config facts = parse(read_file(board_file(board)));
    std::set<std::string> used;
    for (const std::string& sp : facts.sections.at("connectivity").at("sp")) {
      INFO(board << " " << sp);
      CHECK(used.insert(sp.substr(sp.find(':'))).second);
    }
  }
  CHECK_THROWS_WITH(link_config(file, text, 1, "card", "pbit_other"),
                    Catch::Contains("'pbit_other' is not a kernel"));
}

TEST_CASE("more units than a board file places are refused with numbers", "[vitis]") {
  const std::string file = board_file("u50"), text = read_file(file);
  CHECK_THROWS_WITH(link_config(file, text, 5), Catch::Contains("constraints/u50.cfg") &&
                                                    Catch::Contains("1 to 4") &&
                                                    Catch::Contains("5 were asked for"));
  CHECK_THROWS_AS(link_config(file, text, 0), InputError);
  CHECK(test::run("make -s fit-table").code == 0);
}

TEST_CASE("a board file without its facts is refused by file and key", "[vitis]") {
  const std::string good =
      "[board]\ndevice=xilinx_u50\nlaunch_us=60\nsync_us=25\nfrequency=300\n[connectivity]\n";
  CHECK_THAT(board_table({{"some/u50.cfg", good}}),
             Catch::Contains("{\"u50\", \"xilinx_u50\", {60, 25, 300, 1}}"));
  const auto refused = [&](const std::string& from, const std::string& to, const std::string& why) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    CHECK_THROWS_WITH(board_table({{"some/u50.cfg", text}}),
                      Catch::Contains("some/u50.cfg: " + why));
  };
  refused("launch_us=60\n", "", "no launch_us= in its [board] section");
  refused("sync_us=25", "sync_us=soon", "sync_us= is 'soon', expected a number");
  refused("device=xilinx_u50", "device=", "device= is '', expected a name");
}

TEST_CASE("the table of what fits is what the command prints", "[vitis]") {
  const test::Outcome table = test::run("make -s fit-table");
  CHECK(table.code == 0);
  CHECK_THAT(read_file("docs/bitstreams.md"), Catch::Contains(table.text));
}
