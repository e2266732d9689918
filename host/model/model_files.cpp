#include "model/model_files.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "model/model_formats.hpp"
#include "problem/validate.hpp"
#include "support/compressed.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

struct FormatRow {
  ModelFormat format;
  const char*
      name;  // also the extension, but for qkp and terms, whose files have none of their own
  ConstrainedModel (*read)(std::string_view text, const std::string& path, const ModelOptions&);
  ModelWriter write = nullptr;
};

constexpr std::array<FormatRow, 12> kFormats = {{
    {ModelFormat::lp, "lp", read_lp, to_lp},
    {ModelFormat::mps, "mps", read_mps, to_mps},
    {ModelFormat::qplib, "qplib", read_qplib},
    {ModelFormat::col, "col", read_col},
    {ModelFormat::qkp, "qkp", read_qkp},
    {ModelFormat::opb, "opb", read_opb, to_opb},
    {ModelFormat::wbo, "wbo", read_opb},
    {ModelFormat::cnf, "cnf", read_cnf},
    {ModelFormat::wcnf, "wcnf", read_wcnf},
    {ModelFormat::tsp, "tsp", read_tsp},
    {ModelFormat::fzn, "fzn", read_fzn},
    {ModelFormat::terms, "terms", read_terms},
}};

const FormatRow& row_of(ModelFormat format) {
  return *std::find_if(kFormats.begin(), kFormats.end(),
                       [&](const FormatRow& row) { return row.format == format; });
}

}  // namespace

std::string model_format_names() {
  std::string names;
  for (const FormatRow& row : kFormats) {
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  return names;
}

std::string name_of(ModelFormat format) {
  return row_of(format).name;
}

ModelWriter writer_of(ModelFormat format) {
  return row_of(format).write;
}

std::optional<ModelFormat> model_format_from_name(const std::string& name) {
  for (const FormatRow& row : kFormats) {
    if (name == row.name) return row.format;
  }
  return std::nullopt;
}

std::optional<ModelFormat> model_format_of(const std::string& path) {
  std::string extension = std::filesystem::path(without_compression(path)).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (extension.empty()) return std::nullopt;
  return model_format_from_name(extension.substr(1));
}

ConstrainedModel parse_model(std::string_view text, const std::string& path, ModelFormat format,
                             const ModelOptions& options) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (options.colors && format != ModelFormat::col) {
    throw UsageError("--colors belongs to graphs in DIMACS format (.col)");
  }
  ConstrainedModel model = row_of(format).read(text, path, options);
  validate(model, path);
  return model;
}

ConstrainedModel read_model(const std::string& path, ModelFormat format,
                            const ModelOptions& options) {
  ConstrainedModel model =
      parse_model(read_text(path), path == "-" ? "standard input" : path, format, options);
  const std::string stem = std::filesystem::path(without_compression(path)).stem().string();
  if (model.name.empty() && path != "-" && is_label(stem)) model.name = stem;
  return model;
}

}  // namespace chainmail
