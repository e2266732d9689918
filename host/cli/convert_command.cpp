#include <fmt/format.h>

#include <filesystem>

#include "cli/commands.hpp"
#include "cli/outputs.hpp"
#include "cli/run_setup.hpp"
#include "model/model_files.hpp"
#include "problem/files.hpp"
#include "support/atomic_file.hpp"
#include "support/error.hpp"
#include "support/printable.hpp"

namespace chainmail {

int convert_command(const Arguments& arguments) {
  RunSetup setup;
  std::string output;
  bool qubo = false;
  std::optional<double> penalty;
  OptionTable table(
      "convert FILE OUTPUT [options]",
      "Writes a problem in another format, by the extension of OUTPUT: a model as .lp, or as .mps\n"
      "or .opb where they can hold it; a problem in spins as .json or .coo. These read back as "
      "the\n"
      "same. Either as a QUBO, .qubo (qbsolv) or .lp with --qubo: a model's constraints become\n"
      "squares with slack bits in .json, and in a QUBO P times these.",
      "  chainmail convert G1.rudy problem.json\n"
      "  chainmail convert model.mps.gz model.lp\n"
      "  chainmail convert model.lp penalties.qubo\n");
  setup.add_problem_options(table);
  table.argument("OUTPUT", output, true);
  table.group("QUBO")
      .flag("qubo", qubo, ".lp: the QUBO f + P g instead of the model")
      .optional_number("penalty", penalty, "P of a QUBO [enough for every state of a model]");
  if (!table.parse(arguments)) return 0;
  setup.settle();
  Outputs outputs({setup.file});
  outputs.add("OUTPUT", output);
  outputs.try_all();

  const Source source = setup.read();
  const auto print = [](const std::vector<std::string>& notes) {
    for (const std::string& note : notes) fmt::print("note       {}\n", printable(note));
  };
  print(source.notes);
  const auto format = model_format_of(output);
  const bool lp = format == ModelFormat::lp;
  const ModelWriter write = format ? writer_of(*format) : nullptr;
  if (format && (!write || (!lp && !source.model))) {
    throw UsageError(fmt::format("cannot write {} as {}, only as lp, {}json, coo or qubo", output,
                                 name_of(*format), source.model ? "mps, opb, " : ""));
  }
  const bool qbsolv = std::filesystem::path(output).extension() == ".qubo";
  if (write && source.model && !qubo && !penalty) {
    write_file(output, write(source.model->model));
    return 0;
  }
  const Problem& problem = source.problem();
  if (source.model) {  // what is said of a search in bits is not enough: this file has nothing but
                       // doubles
    print(source.model->squares().notes);
    const double rounding = source.model->squares().forms.objective.rounding;
    if (rounding > 0.0) print({fmt::format("{} has f rounded, by up to {:.3g}", output, rounding)});
  }
  if (!lp && !qbsolv) {
    if (qubo || penalty) throw UsageError("a QUBO is written as .qubo or .lp, not as " + output);
    write_problem(output, problem);
    return 0;
  }
  if (problem.constraint && !source.model && !penalty) {
    throw UsageError("a QUBO of a problem with g needs --penalty");
  }
  const ConstrainedModel bits = qubo_of(
      problem, penalty.value_or(source.model ? safe_penalty(source.model->squares()) : 0.0));
  write_file(output, lp ? to_lp(bits) : to_qbsolv(bits));
  return 0;
}

}  // namespace chainmail
