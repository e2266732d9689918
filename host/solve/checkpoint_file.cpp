#include "solve/checkpoint_file.hpp"

#include <fmt/format.h>

#include <boost/crc.hpp>
#include <filesystem>
#include <stdexcept>

#include "support/atomic_file.hpp"
#include "support/error.hpp"

namespace chainmail {

using nlohmann::json;

namespace {

std::string checksum_of(std::string_view text) {
  boost::crc_optimal<64, 0x42f0e1eba9ea3693ULL, ~0ULL, ~0ULL, true, true> crc;
  crc.process_bytes(text.data(), text.size());
  return fmt::format("{:016x}", crc.checksum());
}

}  // namespace

void write_checkpoint_file(const std::string& path, const CheckpointKind& kind,
                           std::uint64_t fingerprint, json content) {
  content["format"] = kind.format;
  content["version"] = kind.version;
  content["fingerprint"] = fingerprint;
  const std::string text = content.dump();
  write_file(path, text + "\n" + checksum_of(text) + "\n");
}

json read_checkpoint_file(const std::string& path, const CheckpointKind& kind,
                          std::uint64_t fingerprint) {
  if (!std::filesystem::is_regular_file(path)) {
    throw InputError(path + ": not a checkpoint: not a regular file");
  }
  const std::string text = read_file(path);
  const std::size_t end = text.find('\n');
  if (end == std::string::npos || text.substr(end + 1) != checksum_of(text.substr(0, end)) + "\n") {
    throw InputError(path +
                     ": damaged checkpoint, or none of this program's version: its checksum " +
                     "is wrong; remove it to start over");
  }
  json content = json::parse(text.substr(0, end));
  const std::string format = content.is_object() ? content.value("format", "") : "";
  // Until version 3 models with constraints had a format of their own.
  if (format == "chainmail-form-checkpoint" ||
      (format == kind.format && content.at("version") != kind.version)) {
    throw InputError(fmt::format(
        "{}: the checkpoint is of version {}, this program's are of version {}: resume it "
        "with the program that wrote it, or remove it to start over",
        path, content.at("version").get<int>(), kind.version));
  }
  if (format != kind.format) throw InputError(path + ": not a checkpoint");
  if (content.at("fingerprint") != fingerprint) {
    throw InputError(path + ": the checkpoint belongs to another run (other problem, ladder, " +
                     "seed, sweeps, arithmetic or options); remove it to start over");
  }
  return content;
}

void reading_checkpoint(const std::string& path, const std::function<void()>& read) {
  try {
    read();
  } catch (const json::exception& e) {
    throw InputError(path + ": damaged checkpoint: " + e.what());
  } catch (const std::invalid_argument& e) {
    throw InputError(path + ": damaged checkpoint: " + e.what());
  }
}

}  // namespace chainmail
