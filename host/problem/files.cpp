#include "problem/files.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstring>
#include <filesystem>

#include "problem/formats.hpp"
#include "problem/text_lines.hpp"
#include "problem/validate.hpp"
#include "support/atomic_file.hpp"
#include "support/compressed.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

struct FormatRow {
  Format format;
  const char* name;
  Problem (*read)(std::string_view text, const std::string& path);
  std::string (*write)(const Problem& problem);  // or none
};

constexpr std::array<FormatRow, 9> kFormats = {{
    {Format::json, "json", read_json, to_json},
    {Format::coo, "coo", read_coo, to_coo},
    {Format::chook, "chook", read_chook, nullptr},
    {Format::rudy, "rudy", read_rudy, nullptr},
    {Format::qubo, "qubo", read_qubo, nullptr},
    {Format::qs, "qs", read_qs, nullptr},
    {Format::csv, "csv", read_csv, nullptr},
    {Format::matrix, "matrix", read_matrix, nullptr},
    {Format::npy, "npy", read_npy, nullptr},
}};

const FormatRow& row_of(Format format) {
  for (const FormatRow& row : kFormats) {
    if (row.format == format) return row;
  }
  throw UsageError("no format was given; known formats: " + format_names());
}

std::string extension_of(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

Format by_extension(const std::string& path) {
  const std::filesystem::path file(without_compression(path));
  const std::string extension = extension_of(file);
  if (extension == ".coo") return Format::coo;
  if (extension == ".qubo") return Format::qubo;
  if (extension == ".qs") return Format::qs;
  if (extension == ".npy") return Format::npy;
  if (extension == ".rudy" || extension == ".mc" || extension == ".mac" || extension == ".gset") {
    return Format::rudy;
  }
  // Chook names its files <family>_inst_<number>.txt; without this `i j J` could be COO.
  if (extension == ".txt" && file.stem().string().find("_inst_") != std::string::npos) {
    return Format::chook;
  }
  return Format::detect;
}

bool is_count(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Rows of as many numbers as there are rows. Up to three columns could be a list of edges or of
// triples, so these are left to whoever names the format.
bool is_matrix(std::string_view text) {
  constexpr std::size_t kFewest = 4;
  std::size_t columns = 0, rows = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    at += line.size() + 1;
    std::size_t numbers = 0;
    for (std::size_t k = 0; (k = line.find_first_not_of(" \t,;\r", k)) != line.npos;) {
      if (std::string_view("+-.0123456789").find(line[k]) == std::string_view::npos) return false;
      k = std::min(line.find_first_of(" \t,;\r", k), line.size());
      ++numbers;
    }
    if (numbers == 0) continue;
    if (columns != 0 && numbers != columns) return false;
    columns = numbers;
    if (columns < kFewest) return false;
    ++rows;
  }
  return rows > 0 && rows == columns;
}

Format by_content(std::string_view text, const std::string& path) {
  if (text.starts_with("DIMOD")) return Format::detect;  // binary, and none of ours
  if (text.starts_with("\x93NUMPY")) return Format::npy;
  if (is_matrix(text)) return Format::matrix;
  const std::string extension = extension_of(without_compression(path));
  if (extension == ".csv" || extension == ".tsv") return Format::csv;
  TextLines lines(text, path);
  bool counts_only = false;  // a line `n m` came first: rudy, if triples follow
  while (lines.next()) {
    const auto& words = lines.words();
    if (!counts_only && words[0].starts_with('{')) {
      // Ours says what it is; Chook's has one member, "problem".
      return text.find("\"chainmail-problem\"") == std::string_view::npos &&
                     text.find("\"problem\"") != std::string_view::npos
                 ? Format::chook
                 : Format::json;
    }
    if (words[0] == "#:") return Format::coo;
    if (words[0].starts_with('#') && coo_names_convention(lines.line())) return Format::coo;
    if (words.size() > 1 && words[0] == "#" && words[1] == "ObjectiveOffset") return Format::qs;
    if (words.size() > 1 && words[0] == "p" && words[1] == "qubo") return Format::qubo;
    if (words[0].starts_with('#') || words[0].starts_with('c')) continue;
    if (counts_only) return words.size() == 3 ? Format::rudy : Format::detect;
    counts_only = words.size() == 2 && is_count(words[0]) && is_count(words[1]);
    if (!counts_only) return Format::detect;
  }
  return Format::detect;
}

std::string_view without_byte_order_mark(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return text;
}

// Whether a number without exponent is written as its double would be: the common case, and far
// quicker to see than its decimal is to build.
bool is_shortest(std::string_view number) {
  double value = 0.0;
  const char* end = number.data() + number.size();
  if (std::from_chars(number.data(), end, value).ptr != end) return false;
  std::array<char, 40> shortest;
  const auto [last, error] =
      std::to_chars(shortest.begin(), shortest.end(), value, std::chars_format::fixed);
  return error == std::errc() && number == std::string_view(shortest.begin(), last);
}

// Whether eight bytes are part of a number other than a whole one of few digits. Some that are not
// are taken for it, too.
bool may_be_long(const char* bytes) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  const auto has = [](std::uint64_t in, char byte) {
    const std::uint64_t zero = in ^ (kOnes * static_cast<unsigned char>(byte));
    return ((zero - kOnes) & ~zero & (0x80 * kOnes)) != 0;
  };
  return has(word, '.') || has(word | 0x20 * kOnes, 'e') || (word & 0xf0 * kOnes) == '0' * kOnes;
}

// The last place of all numbers, and whether one has more digits than its double.
Written written_in(std::string_view text) {
  Written found;
  constexpr std::size_t kSurely = 15;  // digits that any double holds; sixteen fill a block
  constexpr std::size_t kBlock = 8;
  const auto is_digit = [&](std::size_t at) {
    return at < text.size() && text[at] >= '0' && text[at] <= '9';
  };
  std::size_t seen = 0;  // no number ends before that was not looked at
  for (std::size_t block = 0; block < text.size(); block += kBlock) {
    if (block + kBlock <= text.size() && !may_be_long(text.data() + block)) continue;
    std::size_t at = block;
    while (at > seen && is_digit(at - 1)) --at;
    for (at = std::max(at, seen); at < std::min(block + kBlock, text.size()); ++at) {
      if (!is_digit(at) && !(text[at] == '.' && is_digit(at + 1))) continue;
      const std::size_t from = at;
      std::size_t digits = 0;
      int behind = 0;
      for (; is_digit(at); ++at) ++digits;
      if (at < text.size() && text[at] == '.') {
        for (++at; is_digit(at); ++at, --behind) ++digits;
      }
      if (digits > kSurely && is_shortest(text.substr(from, at - from))) digits = 0;
      const bool power = at < text.size() && (text[at] == 'e' || text[at] == 'E');
      if (power || digits > kSurely) {
        std::size_t length = 0;
        Decimal::Fault fault = Decimal::Fault::none;
        const std::optional<Decimal> number = Decimal::parse(text.substr(from), length, fault);
        if (!number || *number != Decimal(static_cast<double>(*number))) found.rounded = true;
        if (number && !number->zero()) behind = number->exponent();
        at = std::max(at, from + length);
      }
      found.place = std::min(found.place, behind);
    }
    seen = at;
  }
  return found;
}

}  // namespace

Format format_from_name(const std::string& name) {
  for (const FormatRow& row : kFormats) {
    if (name == row.name) return row.format;
  }
  throw UsageError("unknown format '" + name + "'; known formats: " + format_names());
}

std::string name_of(Format format) {
  return format == Format::detect ? "detect" : row_of(format).name;
}

std::string format_names() {
  std::string names;
  for (const FormatRow& row : kFormats)
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  return names;
}

Format detect_format(std::string_view text, const std::string& path) {
  Format format = by_extension(path);
  if (format == Format::detect) format = by_content(without_byte_order_mark(text), path);
  if (format == Format::detect) {
    throw UnknownFormat(
        path + ": cannot tell which format this is; name it with --format: " + format_names() +
        " (lines `i j J` are coo when E = -sum J S S, chook when E = +sum J S S)");
  }
  return format;
}

Problem parse_problem(std::string_view text, const std::string& path, Format format,
                      std::vector<std::string>* notes) {
  text = without_byte_order_mark(text);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    throw InputError(path, 1, "expected a problem, found an empty file");
  }
  if (format == Format::detect) format = detect_format(text, path);
  Problem problem = row_of(format).read(text, path);
  validate(problem, path);
  if (notes != nullptr && format == Format::coo && !coo_names_convention(text)) {
    notes->push_back(
        "the file does not say what its numbers mean: taken as E = -sum J S S - sum h S of spins; "
        "`# vartype=SPIN` or `# vartype=BINARY` in it would mean dimod's sums, with a plus");
  }
  return problem;
}

Problem read_problem(const std::string& path, Format format, std::vector<std::string>* notes,
                     Written* written) {
  const std::string text = read_text(path);
  Problem problem = parse_problem(text, path == "-" ? "standard input" : path, format, notes);
  if (written != nullptr && !text.starts_with("\x93NUMPY")) *written = written_in(text);
  const std::string stem = std::filesystem::path(without_compression(path)).stem().string();
  if (problem.name.empty() && path != "-" && is_label(stem)) problem.name = stem;
  return problem;
}

void write_problem(const std::string& path, const Problem& problem, Format format) {
  if (format == Format::detect) format = by_extension(path);
  if (format == Format::detect) format = Format::json;
  const FormatRow& row = row_of(format);
  if (!row.write) {
    throw UsageError("cannot write " + path + " as " + row.name + ", only as json or coo");
  }
  write_file(path, row.write(problem));
}

}  // namespace chainmail
