// Constrained models from and to files: one reader per format behind one function, plain or
// compressed (.gz, .xz). docs/models.md explains each format.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/constrained_model.hpp"

namespace chainmail {

enum class ModelFormat { lp, mps, qplib, col, qkp, opb, wbo, cnf, wcnf, tsp, fzn, terms };
std::string model_format_names();  // "lp, mps, ...", for help and messages
std::string name_of(ModelFormat format);
std::optional<ModelFormat> model_format_from_name(const std::string& name);
// By the extension, that of compression aside; nothing when it is not a model's.
std::optional<ModelFormat> model_format_of(const std::string& path);

struct ModelOptions {
  std::optional<std::size_t> colors;  // col: the number of colours, which the file does not have
};

// A whole, validated model, or InputError "file:line: what was expected, what was found".
ConstrainedModel read_model(const std::string& path, ModelFormat format,
                            const ModelOptions& options = {});
ConstrainedModel parse_model(std::string_view text, const std::string& path_for_messages,
                             ModelFormat format, const ModelOptions& options = {});

// CPLEX LP; reading it back gives an equal model, without outputs.
std::string to_lp(const ConstrainedModel& model);
// Linear models as MPS, and models of binaries and whole numbers as OPB, which has no names and
// only minimises. Both throw InputError naming what the format cannot hold.
std::string to_mps(const ConstrainedModel& model);
std::string to_opb(const ConstrainedModel& model);
// These by format; none where a format is only read.
using ModelWriter = std::string (*)(const ConstrainedModel&);
ModelWriter writer_of(ModelFormat format);
// The same model with names that every file can hold: x1, x2, ... and c1, c2, ...
ConstrainedModel with_plain_names(ConstrainedModel model);

}  // namespace chainmail
