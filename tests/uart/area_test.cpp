// What Yosys makes of the ULX3S: every cell is one that nextpnr knows, and the array fits the small
// part with room for the router.
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace chainmail::test {

TEST_CASE("An 8x3 ring behind the link is mapped to half of an ECP5-25", "[uart]") {
  const auto netlist = nlohmann::json::parse(std::ifstream("build/bitstream/ulx3s-25f.json"));
  const nlohmann::json& modules = netlist.at("modules");
  std::map<std::string, int> cells;
  const auto count = [&](const auto& self, const std::string& module) -> void {
    for (const auto& [name, cell] : modules.at(module).at("cells").items()) {
      const std::string type = cell.at("type");
      const bool ours =
          modules.contains(type) && !modules.at(type).at("attributes").contains("blackbox");
      if (ours) {
        self(self, type);
      } else {
        ++cells[type];
      }
    }
  };
  count(count, "cm_ulx3s_board");
  for (const auto& [type, number] : cells) {
    INFO(type << " " << number);
    CHECK(type.front() != '$');
  }
  CHECK(cells["MULT18X18D"] == 24);  // one a p-bit
  CHECK(cells["DP16KD"] == 6);
  CHECK(cells["EHXPLLL"] == 1);
  CHECK(cells["LUT4"] > 4000);
  CHECK(cells["LUT4"] + 2 * cells["CCU2C"] < 12'144);  // half of 24,288
  CHECK(cells["TRELLIS_FF"] < 12'144);
}

}  // namespace chainmail::test
