// A dense matrix as a QUBO: minimise sum Q_ij x_i x_j over 0 and 1, both triangles counted. Either
// text, n rows of n numbers (numpy.savetxt, or a spreadsheet's CSV), or an array of numpy.save
// (.npy, little-endian).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <type_traits>

#include "problem/entries.hpp"
#include "problem/formats.hpp"
#include "problem/qubo_matrix.hpp"
#include "problem/text_lines.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

Problem qubo_of(std::size_t n, const std::vector<double>& q) {
  std::vector<Coupling> diagonal, couplers;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (q[i * n + i] != 0.0) diagonal.push_back({i, i, q[i * n + i]});
    for (std::uint32_t j = i + 1; j < n; ++j) {
      const double both = q[i * n + j] + q[j * n + i];
      if (both != 0.0) couplers.push_back({i, j, both});
    }
  }
  Problem problem;
  problem.objective = qubo_in_spins(n, diagonal, std::move(couplers));
  problem.user.name = UserObjective::kQubo;
  return problem;
}

constexpr std::size_t kMostRows = 32768;  // a gigabyte of numbers is read at most

template <class Value>
void take(std::string_view data, std::vector<double>& numbers) {
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    Value value;
    std::memcpy(&value, data.data() + k * sizeof value, sizeof value);
    numbers[k] = static_cast<double>(value);
    if constexpr (std::is_same_v<Value, std::int64_t>) {
      constexpr double kExact = 0x1.0p53;  // beyond it a double would silently round
      if (std::abs(numbers[k]) > kExact) numbers[k] = NAN;
    }
  }
}

// What follows 'key': in the header, which is a Python dictionary.
std::string_view member(std::string_view header, std::string_view key, const std::string& path) {
  const std::size_t at = header.find(key);
  if (at == std::string_view::npos) {
    throw InputError(path + ": expected " + std::string(key) + " in the header of the array");
  }
  std::string_view rest = header.substr(at + key.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(" :"), rest.size()));
  return rest;
}

}  // namespace

Problem read_matrix(std::string_view text, const std::string& path) {
  std::string blanks(text);
  std::replace_if(
      blanks.begin(), blanks.end(), [](char c) { return c == ',' || c == ';'; }, ' ');
  TextLines lines(blanks, path);
  std::vector<double> q;
  std::size_t n = 0, rows = 0;
  while (lines.next()) {
    if (lines.words()[0].starts_with('#')) continue;
    if (n == 0) n = lines.words().size();
    if (n > kMostRows) lines.fail("more than 32768 numbers in a row");
    if (rows == n) lines.fail_expected("the end of the file after " + std::to_string(n) + " rows");
    lines.expect_words(n, "a row of " + std::to_string(n) + " numbers");
    for (std::size_t k = 0; k < n; ++k) q.push_back(lines.real(k, "a number"));
    ++rows;
  }
  if (rows == 0 || rows != n) {
    lines.fail("expected as many rows as columns, " + std::to_string(n) + ", found " +
               std::to_string(rows));
  }
  return qubo_of(n, q);
}

Problem read_npy(std::string_view data, const std::string& path) {
  const auto fail = [&](const std::string& what) { throw InputError(path + ": " + what); };
  constexpr std::string_view kMagic = "\x93NUMPY";
  if (!data.starts_with(kMagic) || data.size() < 10) fail("expected an array of numpy.save");
  const auto byte = [&](std::size_t at) {
    return std::size_t{static_cast<unsigned char>(data[at])};
  };
  const bool first_version = byte(6) == 1;
  const std::size_t begin = first_version ? 10 : 12;
  if (data.size() < begin) fail("the array's header is cut off");
  std::size_t length = byte(8) | byte(9) << 8;
  if (!first_version) length |= byte(10) << 16 | byte(11) << 24;
  if (length > data.size() - begin) fail("the array's header is cut off");
  const std::string_view header = data.substr(begin, length);
  data.remove_prefix(begin + length);

  const std::string_view shape = member(header, "'shape'", path);
  std::size_t n = 0, columns = 0;
  char closing = 0;
  const std::string dimensions(shape.substr(0, 48));
  if (std::sscanf(dimensions.c_str(), "(%zu, %zu%c", &n, &columns, &closing) != 3 ||
      closing != ')' || n != columns || n == 0) {
    fail("expected a square matrix, found the shape " +
         in_quotes(shape.substr(0, shape.find(')') + 1)));
  }
  if (n > kMostRows) fail("more than 32768 rows");
  const std::string_view kind = member(header, "'descr'", path);
  std::vector<double> q(n * n);
  struct Kind {
    std::string_view name;
    std::size_t bytes;
    void (*take)(std::string_view, std::vector<double>&);
  };
  const Kind kinds[] = {{"'<f8'", 8, take<double>},       {"'<f4'", 4, take<float>},
                        {"'<i8'", 8, take<std::int64_t>}, {"'<i4'", 4, take<std::int32_t>},
                        {"'<i2'", 2, take<std::int16_t>}, {"'|i1'", 1, take<std::int8_t>},
                        {"'|u1'", 1, take<std::uint8_t>}, {"'|b1'", 1, take<std::uint8_t>}};
  for (const Kind& one : kinds) {
    if (!kind.starts_with(one.name)) continue;
    if (data.size() != n * n * one.bytes) {
      fail("expected " + std::to_string(n * n * one.bytes) + " bytes of numbers, found " +
           std::to_string(data.size()));
    }
    one.take(data, q);
    if (std::any_of(q.begin(), q.end(), [](double v) { return !std::isfinite(v); })) {
      fail("a number of the matrix is not finite, or a whole one beyond 2^53");
    }
    return qubo_of(n, q);
  }
  fail("numbers of kind " + in_quotes(kind.substr(0, kind.find_first_of(",}"))) +
       " are not read; f8, f4, i8, i4, i2, i1, u1 and b1 are, little-endian");
  return {};
}

}  // namespace chainmail
