#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "cli/commands.hpp"
#include "cli/nearest.hpp"
#include "cli/options.hpp"
#include "generate/generate.hpp"
#include "generate/models.hpp"
#include "model/model_files.hpp"
#include "problem/files.hpp"
#include "support/atomic_file.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

std::string list_of_kinds() {
  std::string list =
      "Makes a problem from a seed and stores its optimum where it is known. Kinds:\n";
  for (const Kind& kind : generator_kinds())
    list += fmt::format("  {:<12} {}\n", kind.name, kind.help);
  list += "Constrained models, written as LP files:\n";
  for (const ModelKind& kind : model_kinds())
    list += fmt::format("  {:<12} {}\n", kind.name, kind.help);
  return list;
}

// Throws UsageError that names every kind, of problems and of models.
void check_kind(const std::string& typed) {
  std::vector<std::string> names, models;
  for (const Kind& kind : generator_kinds()) names.push_back(kind.name);
  if (std::find(names.begin(), names.end(), typed) != names.end()) return;
  for (const ModelKind& kind : model_kinds()) models.push_back(kind.name);
  std::vector<std::string> all = names;
  all.insert(all.end(), models.begin(), models.end());
  throw UsageError(fmt::format("unknown kind of problem '{}'{}; known: {}; constrained models: {}",
                               typed, did_you_mean(typed, all), fmt::join(names, ", "),
                               fmt::join(models, ", ")));
}

}  // namespace

int generate_command(const Arguments& arguments) {
  constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
  std::string kind, output = "-", format = "detect";
  GenerateOptions options;
  std::optional<std::uint64_t> n, degree, colors;
  std::string graph;
  std::optional<double> alpha, density, snr;
  OptionTable table("generate KIND [-n N] [options]", list_of_kinds(),
                    "  chainmail generate wishart -n 50 --alpha 0.75 --seed 7 -o wishart.json\n"
                    "  chainmail generate maxcut -n 100 --degree 3 -o cut.coo\n"
                    "  chainmail generate coloring --graph queens -n 8 -o queens.lp\n"
                    "  chainmail generate full-adder | chainmail solve -\n");
  table.argument("KIND", kind)
      .optional_count("size,n", n, 1, 100000000,
                      "how large: spins, vertices, items or cities; side of the lattice for ea3d")
      .count("seed,s", options.seed, 0, kNoLimit, "the same seed gives the same problem")
      .optional_number("alpha", alpha, "wishart: columns per spin [0.75]")
      .optional_count("degree", degree, 1, 100000000,
                      "maxcut: neighbours of every vertex (random regular)")
      .optional_number("density", density, "maxcut: probability of an edge (Erdos-Renyi)")
      .optional_number("snr", snr, "mimo: signal to noise ratio in dB")
      .text("graph", graph, "coloring: mycielski or queens")
      .optional_count("colors", colors, 1, 1000000, "coloring: how many [the chromatic number]")
      .flag("integer", options.integer, "wishart: whole couplings, exact in fixed point")
      .flag("gaussian", options.gaussian, "sk, ea3d: normal couplings instead of +1 and -1")
      .file("output,o", output, "file to write, - is standard output")
      .text("format", format, "format to write: detect (by extension), json, coo");
  if (!table.parse(arguments)) return 0;
  options.n = n;
  options.degree = degree;
  if (table.given("graph")) options.graph = graph;
  options.colors = colors;
  options.alpha = alpha;
  options.density = density;
  options.snr_db = snr;
  try_output(output);
  if (const ModelKind* model = find_model_kind(kind)) {
    const auto by_name = model_format_of(output);
    if (by_name && *by_name != ModelFormat::lp) throw UsageError("models are written as .lp");
    if (format != "detect" && format != "lp") throw UsageError("models are written as lp");
    write_file(output, to_lp(generate_model(*model, options)));
    return 0;
  }
  check_kind(kind);
  if (options.graph || options.colors) throw UsageError(kind + " takes no --graph or --colors");
  write_problem(output, generate(kind, options),
                format == "detect" ? Format::detect : format_from_name(format));
  return 0;
}

}  // namespace chainmail
