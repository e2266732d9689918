// The makers behind generate.hpp and what they share: checks of options, and draws.
#pragma once

#include <string>
#include <vector>

#include "generate/generate.hpp"
#include "support/random.hpp"

namespace chainmail {

Problem make_wishart(const GenerateOptions& options);
Problem make_sk(const GenerateOptions& options);
Problem make_ea3d(const GenerateOptions& options);
Problem make_maxcut(const GenerateOptions& options);
Problem make_full_adder(const GenerateOptions& options);
Problem make_mimo(const GenerateOptions& options);

// Throws UsageError for an option that is given but not among those a kind uses.
void check_uses(const std::string& kind, const std::vector<std::string>& uses,
                const GenerateOptions& options);

// n, which `kind` needs, within [least, most]; UsageError with both numbers otherwise.
std::size_t required_n(const GenerateOptions& options, const std::string& kind, std::size_t least,
                       std::size_t most);
// Complete graphs stop here (33 million couplings).
inline constexpr std::size_t kMaxDense = 8192;

Engine engine_for(const GenerateOptions& options);
Spin random_sign(Engine& engine);
std::size_t random_below(Engine& engine, std::size_t limit);
// +1 or -1, or normal with unit variance.
double random_coupling(Engine& engine, bool gaussian);
std::vector<double> random_normals(Engine& engine, std::size_t count);
std::vector<Spin> random_state(Engine& engine, std::size_t spins);

}  // namespace chainmail
