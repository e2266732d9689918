// What all checkpoints have in common: one line of JSON with its format, version and the
// fingerprint of its run, and in the next line the checksum of every byte before it, so that every
// edit is noticed.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace chainmail {

struct CheckpointKind {
  const char* format;
  int version;
};

void write_checkpoint_file(const std::string& path, const CheckpointKind& kind,
                           std::uint64_t fingerprint, nlohmann::json content);

// Throws InputError for a file that is damaged, of another kind or of another run.
nlohmann::json read_checkpoint_file(const std::string& path, const CheckpointKind& kind,
                                    std::uint64_t fingerprint);

// Calls `read`; what it finds wrong with the content is reported as damage to the file.
void reading_checkpoint(const std::string& path, const std::function<void()>& read);

}  // namespace chainmail
