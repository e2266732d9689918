#include <fmt/format.h>

#include <limits>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "generate/generate.hpp"
#include "problem/files.hpp"

namespace chainmail {

namespace {

std::string list_of_kinds() {
  std::string list =
      "Makes a problem from a seed and stores its optimum where it is known. Kinds:\n";
  for (const Kind& kind : generator_kinds())
    list += fmt::format("  {:<12} {}\n", kind.name, kind.help);
  return list;
}

}  // namespace

int generate_command(const Arguments& arguments) {
  constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
  std::string kind, output = "-", format = "detect";
  GenerateOptions options;
  std::uint64_t n = 0, degree = 0;
  std::optional<double> alpha, density, snr;
  OptionTable table("generate KIND [-n N] [options]", list_of_kinds(),
                    "  chainmail generate wishart -n 50 --alpha 0.75 --seed 7 -o wishart.json\n"
                    "  chainmail generate maxcut -n 100 --degree 3 -o cut.coo\n"
                    "  chainmail generate full-adder | chainmail solve -\n");
  table.argument("KIND", kind)
      .count("size,n", n, 1, 100000000, "spins; side of the lattice for ea3d")
      .count("seed,s", options.seed, 0, kNoLimit, "the same seed gives the same problem")
      .optional_number("alpha", alpha, "wishart: columns per spin [0.75]")
      .count("degree", degree, 1, 100000000, "maxcut: neighbours of every vertex (random regular)")
      .optional_number("density", density, "maxcut: probability of an edge (Erdos-Renyi)")
      .optional_number("snr", snr, "mimo: signal to noise ratio in dB")
      .flag("integer", options.integer, "wishart: whole couplings, exact in fixed point")
      .flag("gaussian", options.gaussian, "sk, ea3d: normal couplings instead of +1 and -1")
      .text("output,o", output, "file to write, - is standard output")
      .text("format", format, "format to write: detect (by extension), json, coo");
  if (!table.parse(arguments)) return 0;
  if (table.given("size")) options.n = n;
  if (table.given("degree")) options.degree = degree;
  options.alpha = alpha;
  options.density = density;
  options.snr_db = snr;
  write_problem(output, generate(kind, options),
                format == "detect" ? Format::detect : format_from_name(format));
  return 0;
}

}  // namespace chainmail
