// A checkpoint with one thing changed and its checksum made right again.
#pragma once

#include <fmt/format.h>

#include <boost/crc.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace chainmail::test {

inline std::string forged(const std::string& saved,
                          const std::function<void(nlohmann::json&)>& change) {
  nlohmann::json document = nlohmann::json::parse(saved.substr(0, saved.find('\n')));
  change(document);
  const std::string text = document.dump();
  boost::crc_optimal<64, 0x42f0e1eba9ea3693ULL, ~0ULL, ~0ULL, true, true> crc;
  crc.process_bytes(text.data(), text.size());
  return text + "\n" + fmt::format("{:016x}", crc.checksum()) + "\n";
}

}  // namespace chainmail::test
