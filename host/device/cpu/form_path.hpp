// Models with constraints as written, on the CPU: replicas one after another, each with the moves
// of device/cpu/form_replica.hpp. A replica's noise is its own, whichever device runs it.
#pragma once

#include <memory>

#include "device/cpu/path.hpp"

namespace chainmail {

std::unique_ptr<Path> make_form_path(std::shared_ptr<const FormModel> model,
                                     const LoadOptions& options);

}  // namespace chainmail
