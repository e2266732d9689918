// Which formats have a second reader.
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
  if (format == "opb" || format == "wbo") return read_pseudo_boolean;
  return nullptr;
}

}  // namespace

bool reads(const std::string& format) {
  return reader_of(format) != nullptr;
}

Model read(const std::string& format, std::string_view text, const std::string& path) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  try {
    return reader_of(format)(text, path);
  } catch (const std::logic_error& fault) {  // an unknown name or index
    throw InputError(path + ": checker: cannot parse it: " + fault.what());
  }
}

}  // namespace chainmail::checker
