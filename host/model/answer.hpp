// Answers in the user's terms: a model's variables by name, as files and from spins.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/constrained_model.hpp"

namespace chainmail {

// A state in the variables of a constrained model, judged on that model.
struct NamedAnswer {
  double objective = 0.0;
  std::optional<Decimal> exact;  // the same, all digits
  bool feasible = false;
  std::vector<std::pair<std::string, std::int64_t>> variables;
  std::vector<Violation> violations;  // the worst twenty
  std::size_t violated = 0;           // how many there are
};
NamedAnswer named_answer(const ConstrainedModel& model, std::span<const std::int64_t> values);

// One line "name value" for each variable; `miplib`: after a line "=obj= value", as MIPLIB has it.
std::string solution_to_text(const NamedAnswer& answer, bool miplib);

// Values by variable from such a text or from a result in JSON; what MIPLIB's leave out is 0.
// Throws InputError for a variable that is unknown, missing or given twice, and for values that are
// not whole. The objective they claim is not believed: it follows from the values.
std::vector<std::int64_t> read_model_solution(const std::string& path,
                                              const ConstrainedModel& model);

}  // namespace chainmail
