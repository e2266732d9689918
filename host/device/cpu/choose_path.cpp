#include "device/cpu/choose_path.hpp"

#include "device/cpu/float_path.hpp"

namespace chainmail {

std::unique_ptr<Path> choose_path(const Model& model, const LoadOptions& options,
                                  const std::string& /*precision*/) {
  return make_float_path(model, options);
}

}  // namespace chainmail
