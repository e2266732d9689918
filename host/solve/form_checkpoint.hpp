// A run on a form model as a file: written whole or not at all, refused when it belongs to another.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solve/form_search.hpp"

namespace chainmail {

struct FormCheckpoint {
  std::vector<FormRecord> finished;
  std::optional<FormRecord> running;
  std::vector<FormSnapshot> replicas;  // of the running trial
  double seconds = 0.0;
};

// Tells runs apart: model and options.
std::uint64_t form_fingerprint(const FormModel& model, const FormSearchOptions& options,
                               std::uint64_t sweeps, std::size_t trials, std::size_t first_trial);

void write_form_checkpoint(const std::string& path, std::uint64_t fingerprint,
                           const FormCheckpoint& checkpoint);

// Nothing when the file does not exist; InputError when it is damaged or of another run.
std::optional<FormCheckpoint> read_form_checkpoint(const std::string& path,
                                                   std::uint64_t fingerprint,
                                                   const FormModel& model);

}  // namespace chainmail
