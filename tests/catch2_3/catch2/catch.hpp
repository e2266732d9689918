// Replaces the single header of Catch2 2 if Catch2 3 is installed, which has none: it is searched
// after the system's (-idirafter). The names are those our tests use.
#pragma once

#include <catch2/catch_all.hpp>

#include <string>

namespace Catch {

using Matchers::EndsWith;
using Matchers::Equals;
using Matchers::StartsWith;

inline Matchers::StringContainsMatcher Contains(const std::string& text) {
  return Matchers::ContainsSubstring(text);
}

}  // namespace Catch

using Catch::Approx;
