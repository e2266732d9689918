#include "exact/clp.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace chainmail {

namespace {

constexpr int kMostIterations = 5'000;
constexpr int kMostCostBits = 62;

// The functions of Clp_C_Interface.h that are called; a model is opaque.
struct Clp {
  void* (*create)();
  void (*destroy)(void*);
  void (*load)(void*, int, int, const int*, const int*, const double*, const double*, const double*,
               const double*, const double*, const double*);
  void (*set_log_level)(void*, int);
  void (*set_most_iterations)(void*, int);
  int (*solve)(void*);
  int (*status)(void*);
  double* (*row_duals)(void*);
};

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

// Loaded once and kept.
const Clp* clp() {
  static const std::unique_ptr<const Clp> found = []() -> std::unique_ptr<const Clp> {
    void* library = ::dlopen("libClp.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return nullptr;
    auto functions = std::make_unique<Clp>();
    const bool all = find(library, "Clp_newModel", functions->create) &&
                     find(library, "Clp_deleteModel", functions->destroy) &&
                     find(library, "Clp_loadProblem", functions->load) &&
                     find(library, "Clp_setLogLevel", functions->set_log_level) &&
                     find(library, "Clp_setMaximumIterations", functions->set_most_iterations) &&
                     find(library, "Clp_initialSolve", functions->solve) &&
                     find(library, "Clp_status", functions->status) &&
                     find(library, "Clp_dualRowSolution", functions->row_duals);
    if (!all) return nullptr;
    return functions;
  }();
  return found.get();
}

}  // namespace

std::optional<std::vector<double>> row_duals(const LinearProgram& program) {
  const Clp* library = clp();
  if (library == nullptr) return std::nullopt;
  const std::unique_ptr<void, void (*)(void*)> model(library->create(), library->destroy);
  library->set_log_level(model.get(), 0);
  // Clp ends the program at costs beyond 1e25.
  int exponent = 0;
  for (double cost : program.cost) exponent = std::max(exponent, std::ilogb(cost) - kMostCostBits);
  std::vector<double> costs = program.cost;
  for (double& cost : costs) cost = std::ldexp(cost, -exponent);
  library->load(model.get(), static_cast<int>(program.cost.size()),
                static_cast<int>(program.row_lower.size()), program.start.data(),
                program.row.data(), program.value.data(), program.lower.data(),
                program.upper.data(), costs.data(), program.row_lower.data(),
                program.row_upper.data());
  library->set_most_iterations(model.get(), kMostIterations);
  library->solve(model.get());
  if (library->status(model.get()) != 0) return std::nullopt;
  const double* duals = library->row_duals(model.get());
  std::vector<double> scaled(duals, duals + program.row_lower.size());
  for (double& y : scaled) y = std::ldexp(y, exponent);
  return scaled;
}

}  // namespace chainmail
