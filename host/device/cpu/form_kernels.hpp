// The long loops of a replica of a form model, for any vector width; each number is computed by the
// same operations in the same order, so results are the same on all processors.
#pragma once

#include <cstddef>

namespace chainmail {

// to[k] += factor * row[k]
void add_row(double* to, const double* row, double factor, std::size_t count);

// Energies become exp(-beta (energy - least)), zero where that is below exp(-44).
void boltzmann_weights(double* energies, std::size_t count, double beta, double least);

// Numbers u in [0, 1) become -ln(1 - u); their count is a multiple of 8.
void minus_log(double* numbers, std::size_t count);

// The instruction set these loops use here.
const char* form_target();

}  // namespace chainmail
