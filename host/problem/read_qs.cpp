// QOBLIB's .qs, also BiqMac's sparse files: `#` comments, of which `# ObjectiveOffset c` is read,
// then `n m` and m lines `i j Q` with i <= j, 1-based; minimise c + x'Qx over x in {0, 1}. Q is
// symmetric and the file has its upper triangle, so a pair i < j counts twice.
#include <algorithm>
#include <optional>
#include <string>

#include "problem/entries.hpp"
#include "problem/formats.hpp"
#include "problem/qubo_matrix.hpp"
#include "problem/text_lines.hpp"

namespace chainmail {

namespace {

class QsReader {
 public:
  QsReader(std::string_view text, const std::string& path)
      : lines_(text, path), most_(text.size() / 6 + 1) {}

  Problem read() {
    if (!next_line()) lines_.fail("expected `n m`, found the end of the file");
    lines_.expect_words(2, "`n m`, variables and entries");
    const std::uint64_t nodes = lines_.integer(0, 1, kMaxSpins, "a number of variables");
    const std::uint64_t count =
        lines_.integer(1, 0, nodes * (nodes + 1) / 2, "a number of entries");
    EntryList diagonal, couplers;
    // The promised size is trusted only as far as the file's length allows.
    couplers.reserve(std::min<std::uint64_t>(count, most_));
    for (std::uint64_t k = 0; next_line(); ++k) {
      lines_.expect_words(3, "`i j Q`");
      if (k == count) lines_.fail_expected("no more than " + std::to_string(count) + " entries");
      const std::uint64_t i = lines_.integer(0, 1, nodes, "a variable");
      const std::uint64_t j = lines_.integer(1, 1, nodes, "a variable");
      if (i > j) lines_.fail_expected("an entry `i j Q` with i <= j");
      (i == j ? diagonal : couplers)
          .add(static_cast<std::uint32_t>(i - 1), static_cast<std::uint32_t>(j - 1),
               lines_.real(2, "a coefficient") * (i == j ? 1.0 : 2.0), lines_.number_of_line());
    }
    const std::size_t found = diagonal.size() + couplers.size();
    if (found != count) {
      lines_.fail("expected " + std::to_string(count) +
                  " entries, found the end of the file after " + std::to_string(found));
    }
    return problem_of(nodes, std::move(diagonal), std::move(couplers));
  }

 private:
  // Goes over comments, but keeps the offset.
  bool next_line() {
    while (lines_.next()) {
      const auto& words = lines_.words();
      if (!words[0].starts_with('#')) return true;
      if (words[0] != "#" || words.size() < 2 || words[1] != "ObjectiveOffset") continue;
      lines_.expect_words(3, "`# ObjectiveOffset c`");
      if (offset_) lines_.fail_expected("one ObjectiveOffset");
      offset_ = lines_.real(2, "an offset");
    }
    return false;
  }

  Problem problem_of(std::uint64_t nodes, EntryList diagonal, EntryList couplers) const {
    const auto duplicate = [&](const Entry& second, const Entry& first) {
      lines_.fail_at(second.place, "the entry " + std::to_string(second.i + 1) + " " +
                                       std::to_string(second.j + 1) +
                                       " was given before, on line " + std::to_string(first.place));
    };
    Problem problem;
    problem.objective = qubo_in_spins(nodes, std::move(diagonal).couplings(duplicate),
                                      std::move(couplers).couplings(duplicate));
    problem.objective.offset += offset_.value_or(0.0);
    problem.user.name = UserObjective::kQubo;
    return problem;
  }

  TextLines lines_;
  std::size_t most_;
  std::optional<double> offset_;
};

}  // namespace

Problem read_qs(std::string_view text, const std::string& path) {
  return QsReader(text, path).read();
}

}  // namespace chainmail
