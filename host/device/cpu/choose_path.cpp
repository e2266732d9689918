#include "device/cpu/choose_path.hpp"

#include <utility>

#include "device/cpu/bit_path.hpp"
#include "device/cpu/float_path.hpp"
#include "device/cpu/table_path.hpp"
#include "support/error.hpp"

namespace chainmail {

std::unique_ptr<Path> choose_path(const PhysicalModel& model, const LoadOptions& options,
                                  const std::string& precision, const std::string& moves) {
  if (moves == "chain") {
    if (precision == "int8") throw InputError("--moves chain has no int8 arithmetic");
    return make_chain_path(model, options);
  }
  if (precision == "float") return make_float_path(model, options, "as asked");
  if (precision == "auto") {
    if (auto bits = make_bit_path(model)) return bits;
  }
  TableFit fit = fit_tables(model, options);
  if (precision == "int8") {
    if (!fit.model) throw InputError("--precision int8 cannot hold this model: " + fit.reason);
    return make_table_path(*std::move(fit.model), options.beta_max);
  }
  const std::string harm = fit.model ? rounding_harm(*fit.model, options) : fit.reason;
  if (harm.empty()) return make_table_path(*std::move(fit.model), options.beta_max);
  return make_float_path(model, options, harm);
}

}  // namespace chainmail
