// The second reader of each format.
#include <stdexcept>

#include "check/readers.hpp"
#include "support/error.hpp"

namespace chainmail::checker {

namespace {

using Reader = Model (*)(std::string_view text, const std::string& path);

Reader reader_of(const std::string& format) {
  if (format == "lp") return read_lp;
  if (format == "mps") return read_mps;
  if (format == "qplib") return read_qplib;
  if (format == "qkp") return read_qkp;
  if (format == "cnf") return read_cnf;
  if (format == "wcnf") return read_wcnf;
  if (format == "terms") return read_terms;
  if (format == "opb" || format == "wbo") return read_pseudo_boolean;
  if (format == "fzn") return read_flatzinc;
  if (format == "tsp") return read_tour;
  throw InputError("checker: no format '" + format + "'");
}

}  // namespace

Model read(const std::string& format, std::string_view text, const std::string& path,
           std::size_t colors) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  try {
    return format == "col" ? read_coloring(text, path, colors) : reader_of(format)(text, path);
  } catch (const std::logic_error& fault) {  // an unknown name or index
    throw InputError(path + ": checker: cannot parse it: " + fault.what());
  }
}

}  // namespace chainmail::checker
