#include "check/spins.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "check/readers.hpp"
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

// A term of any degree.
void add(Model& model, std::vector<std::size_t> spins, const Rational& value) {
  std::sort(spins.begin(), spins.end());
  if (spins.empty()) {
    model.constant += value;
  } else if (spins.size() == 1) {
    model.objective[spins[0]] += value;
  } else {
    model.products[spins] += value;
  }
}

// Items are spins but for the last `more`.
std::vector<std::size_t> spins_of(const std::vector<Node>& items, std::size_t more) {
  std::vector<std::size_t> spins;
  for (std::size_t k = 0; k + more < items.size(); ++k) {
    spins.push_back(std::stoull(items[k].text));
  }
  return spins;
}

// Chook's: + sum w S S ...
void read_chook(std::string_view text, Model& model) {
  if (const Node root = tree_of(text); root.find("problem") != nullptr) {
    for (const Node& term : root.find("problem")->members.at("terms").items) {
      add(model, spins_of(term.members.at("ids").items, 0), term.members.at("w").number());
    }
    return;
  }
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::istringstream line(std::string(text.substr(0, end)));
    text.remove_prefix(std::min(text.size(), end + 1));
    std::vector<Node> words;
    for (std::string word; line >> word;) words.emplace_back().text = word;
    if (!words.empty()) add(model, spins_of(words, 1), words.back().number());
  }
}

}  // namespace

Model read_terms(std::string_view text, const std::string&) {
  Model model;
  model.objective_name = "energy";
  std::size_t count = 0;
  const Node root = is_problem(text) ? tree_of(text) : Node{};
  if (is_problem(text)) {
    count = std::stoull(root.members.at("spins").text);
    for (const char* name : {"couplings", "terms"}) {
      const Node* list = root.find(name);
      for (std::size_t k = 0; list != nullptr && k < list->items.size(); ++k) {
        const std::vector<Node>& items = list->items[k].items;
        add(model, spins_of(items, 1), -items.back().number());
      }
    }
    const Node* fields = root.find("fields");
    for (std::size_t i = 0; fields != nullptr && i < fields->items.size(); ++i) {
      add(model, {i}, -fields->items[i].number());
    }
    if (const Node* offset = root.find("offset")) add(model, {}, offset->number());
  } else {
    read_chook(text, model);
    for (const auto& [i, value] : model.objective) count = std::max(count, i + 1);
    for (const auto& [spins, value] : model.products) count = std::max(count, spins.back() + 1);
  }
  const Node* names = root.find("names");
  for (std::size_t i = 0; i < count; ++i) {
    model.variables.push_back({names != nullptr ? names->items.at(i).text : "s" + std::to_string(i),
                               Rational(-1), Rational(1), true});
  }
  return model;
}

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
