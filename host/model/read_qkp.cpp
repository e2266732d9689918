// Quadratic knapsacks as Billionnet and Soutif published them: a name, n, n profits, the upper
// triangle of pair profits row by row, a 0 (the constraint is <=), the capacity, n weights. What
// follows is comment.
#include <fmt/format.h>

#include "model/model_formats.hpp"
#include "problem/text_lines.hpp"
#include "problem/validate.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

constexpr std::uint64_t kMaxItems = 8192;
constexpr std::uint64_t kMaxValue = 1000000000;

class QkpReader {
 public:
  QkpReader(std::string_view text, const std::string& path) : lines_(text, path), path_(path) {}

  ConstrainedModel read() {
    if (!lines_.next()) throw InputError(path_, 1, "expected a name, found an empty file");
    const std::string name(lines_.rest(0));
    if (is_label(name)) model_.name = name;
    word_ = lines_.words().size();
    const auto n = static_cast<std::uint32_t>(number(1, kMaxItems, "the number of items"));
    model_.sense = Sense::maximise;
    model_.objective_name = "profit";
    for (std::uint32_t i = 0; i < n; ++i) {
      model_.variables.push_back({fmt::format("x{}", i + 1), 0.0, 1.0});
    }
    for (std::uint32_t i = 0; i < n; ++i) {
      model_.objective.linear.push_back({i, whole("a profit")});
    }
    for (std::uint32_t i = 0; i < n; ++i) {
      for (std::uint32_t j = i + 1; j < n; ++j) {
        model_.objective.products.push_back({i, j, whole("a pair's profit")});
      }
    }
    model_.objective.normalise();
    number(0, 0, "the kind of constraint");
    ModelConstraint capacity{"capacity", {}, -kUnbounded, whole("the capacity")};
    for (std::uint32_t i = 0; i < n; ++i) capacity.left.linear.push_back({i, whole("a weight")});
    capacity.left.normalise();
    model_.constraints.push_back(std::move(capacity));
    return std::move(model_);
  }

 private:
  std::uint64_t number(std::uint64_t first, std::uint64_t last, const std::string& what) {
    while (word_ >= lines_.words().size()) {
      if (!lines_.next()) lines_.fail("expected " + what + ", found the end of the file");
      word_ = 0;
    }
    return lines_.integer(word_++, first, last, what);
  }
  Decimal whole(const std::string& what) { return number(0, kMaxValue, what); }

  TextLines lines_;
  const std::string& path_;
  std::size_t word_ = 0;
  ConstrainedModel model_;
};

}  // namespace

ConstrainedModel read_qkp(std::string_view text, const std::string& path, const ModelOptions&) {
  return QkpReader(text, path).read();
}

}  // namespace chainmail
