// The models linked into a program, by name. Each registers itself when the program starts.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "support/error.hpp"

namespace chainmail::sim {

template <class Core>
class Models {
 public:
  using Factory = std::function<std::unique_ptr<Core>()>;

  static bool enter(const std::string& name, Factory factory) {
    return all().emplace(name, std::move(factory)).second;
  }
  static std::vector<std::string> names() {
    std::vector<std::string> names;
    for (const auto& [name, factory] : all()) names.push_back(name);
    return names;
  }
  // Throws UsageError that lists those there are.
  static std::unique_ptr<Core> make(const std::string& what, const std::string& name) {
    const auto found = all().find(name);
    if (found != all().end()) return found->second();
    std::string known;
    for (const std::string& other : names()) known += (known.empty() ? "" : ", ") + other;
    throw UsageError("no " + what + " '" + name + "' in this program; it has " + known);
  }

 private:
  // A function-local static, so that it exists before the first model registers itself.
  static std::map<std::string, Factory>& all() {
    static std::map<std::string, Factory> factories;
    return factories;
  }
};

}  // namespace chainmail::sim
