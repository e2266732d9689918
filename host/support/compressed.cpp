#include "support/compressed.hpp"

#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>

#include <string_view>

#include "support/atomic_file.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace io = boost::iostreams;

namespace {

template <class Filter>
std::string expanded(const std::string& path, const std::string& packed, const Filter& filter) {
  std::string text;
  try {
    io::filtering_streambuf<io::input> stream;
    stream.push(filter);
    stream.push(io::array_source(packed.data(), packed.size()));
    std::string block(1 << 16, '\0');
    for (std::streamsize got;
         (got = stream.sgetn(block.data(), static_cast<std::streamsize>(block.size()))) > 0;) {
      // A file of a few bytes can claim to hold terabytes.
      if (text.size() + static_cast<std::size_t>(got) > kMaxExpanded) {
        throw InputError(path + ": unpacks to more than 256 MiB; unpack it first");
      }
      text.append(block.data(), static_cast<std::size_t>(got));
    }
  } catch (const std::ios_base::failure& e) {
    throw InputError(path + ": damaged compressed file (" + e.what() + ")");
  }
  return text;
}

}  // namespace

std::string read_text(const std::string& path) {
  using namespace std::string_view_literals;
  std::string text = read_file(path);
  if (text.starts_with("\x1f\x8b"sv)) return expanded(path, text, io::gzip_decompressor());
  if (text.starts_with("\xfd"
                       "7zXZ\0"sv)) {
    return expanded(path, text, io::lzma_decompressor());
  }
  return text;
}

std::string without_compression(const std::string& path) {
  for (std::string_view extension : {".gz", ".xz"}) {
    if (path.ends_with(extension)) return path.substr(0, path.size() - extension.size());
  }
  return path;
}

}  // namespace chainmail
