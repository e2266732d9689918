#include "check/spins.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "check/model.hpp"
#include "support/error.hpp"

namespace chainmail::checker {

namespace {

// A tree that keeps numbers as written in the file.
struct Node {
  std::string text;  // of a number or string
  std::map<std::string, Node> members;
  std::vector<Node> items;

  Rational number() const {
    std::size_t length = 0;
    return decimal(text, length);
  }
  const Node* find(const std::string& name) const {
    const auto found = members.find(name);
    return found == members.end() ? nullptr : &found->second;
  }
};

class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  Node root;

  bool null() override { return scalar("null"); }
  bool boolean(bool value) override { return scalar(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return scalar(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return scalar(std::to_string(value)); }
  bool number_float(number_float_t, const std::string& text) override { return scalar(text); }
  bool string(std::string& text) override { return scalar(text); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(); }
  bool start_array(std::size_t) override { return open(true); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& name) override {
    key_ = name;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    return false;
  }

 private:
  Node* place() {
    if (open_.empty()) return &root;
    if (open_.back().second) return &open_.back().first->items.emplace_back();
    return &open_.back().first->members[key_];
  }
  bool scalar(const std::string& text) {
    place()->text = text;
    return true;
  }
  bool open(bool list = false) {
    open_.emplace_back(place(), list);
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::vector<std::pair<Node*, bool>> open_;
  std::string key_;
};

Node tree_of(std::string_view text) {
  Builder builder;
  if (!nlohmann::json::sax_parse(text, &builder)) return {};
  return builder.root;
}

constexpr std::size_t kPlaces = 15;  // more digits than a double holds

// offset - sum J s s - sum h s, and whether a number of it fills a double.
Rational value_of(const Node& node, const std::vector<int>& spins, bool& full) {
  Rational sum = 0;
  const auto number = [&](const Node& n) {
    const std::size_t digits = static_cast<std::size_t>(
        std::count_if(n.text.begin(), n.text.end(), [](char c) { return c >= '0' && c <= '9'; }));
    full = full || (digits > kPlaces && n.text.find_first_of(".eE") != std::string::npos);
    return n.number();
  };
  if (const Node* offset = node.find("offset")) sum += number(*offset);
  if (const Node* fields = node.find("fields")) {
    for (std::size_t i = 0; i < fields->items.size(); ++i) {
      sum -= number(fields->items[i]) * spins.at(i);
    }
  }
  if (const Node* couplings = node.find("couplings")) {
    for (const Node& triple : couplings->items) {
      const std::size_t i = std::stoull(triple.items.at(0).text);
      const std::size_t j = std::stoull(triple.items.at(1).text);
      sum -= number(triple.items.at(2)) * (spins.at(i) * spins.at(j));
    }
  }
  return sum;
}

}  // namespace

bool is_problem(std::string_view text) {
  return text.substr(0, 4096).find("chainmail-problem") != std::string_view::npos;
}

SpinJudgement judge_spins(std::string_view text, const std::string& path,
                          const std::vector<int>& spins) {
  constexpr double kTolerance = 1e-6;
  const Node root = tree_of(text);
  if (root.members.empty()) throw InputError(path + ": checker: expected an object");
  SpinJudgement judged;
  bool full = false;
  const Rational energy = value_of(root, spins, full);
  judged.energy = energy.convert_to<double>();
  if (full) judged.tolerance = kTolerance;
  if (const Node* known = root.find("known_optimum")) {
    judged.gap = Rational(energy - known->number()).convert_to<double>();
  }
  if (const Node* constraint = root.find("constraint")) {
    bool real = false;
    const Rational g = value_of(*constraint, spins, real);
    judged.g = g.convert_to<double>();
    judged.feasible = real ? std::abs(judged.g) <= kTolerance : g == 0;
  }
  return judged;
}

}  // namespace chainmail::checker
