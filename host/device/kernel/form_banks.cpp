// Forms are dealt one by one, always the one with the fewest banks left to it (the one with most
// neighbours among those), to the emptiest bank; if none is left the last deals are undone. A bit
// is in four forms at most, so most models need little backtracking.
#include "device/kernel/form_banks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "support/error.hpp"

namespace chainmail {

namespace {

constexpr std::size_t kTries = 200'000;

class Deal {
 public:
  Deal(const std::vector<std::vector<std::uint32_t>>& neighbours, std::size_t banks,
       std::size_t residuals)
      : neighbours_(neighbours), residuals_(residuals), taken_(neighbours.size()), load_(banks, 0) {
    dealt_.bank.assign(neighbours.size(), kNone);
    for (auto& counts : taken_) counts.assign(banks, 0);
  }

  bool found() { return deal(0); }

  FormBanks result() const {
    FormBanks dealt = dealt_;
    std::vector<std::uint32_t> next(load_.size(), 0);
    for (std::uint32_t bank : dealt.bank) dealt.number.push_back(next[bank]++);
    return dealt;
  }

 private:
  auto urgency(std::size_t form) const {
    const auto closed =
        std::count_if(taken_[form].begin(), taken_[form].end(), [](auto n) { return n > 0; });
    return std::pair(closed, neighbours_[form].size());
  }

  bool deal(std::size_t done) {
    const std::size_t forms = neighbours_.size();
    if (done == forms) return true;
    std::size_t next = forms;
    for (std::size_t form = 0; form < forms; ++form) {
      if (dealt_.bank[form] != kNone) continue;
      if (next == forms || urgency(form) > urgency(next)) next = form;
    }
    std::vector<std::uint32_t> order(load_.size());
    for (std::uint32_t bank = 0; bank < order.size(); ++bank) order[bank] = bank;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return load_[a] < load_[b]; });
    bool tried_empty = false;
    for (std::uint32_t bank : order) {
      if (taken_[next][bank] > 0 || load_[bank] == residuals_) continue;
      if (++tries_ > kTries) return false;
      if (load_[bank] == 0 && std::exchange(tried_empty, true)) continue;  // empty ones are alike
      put(next, bank, 1);
      if (deal(done + 1)) return true;
      put(next, bank, -1);
    }
    return false;
  }

  void put(std::size_t form, std::uint32_t bank, int by) {
    dealt_.bank[form] = by > 0 ? bank : kNone;
    load_[bank] = by > 0 ? load_[bank] + 1 : load_[bank] - 1;
    for (std::uint32_t other : neighbours_[form]) taken_[other][bank] += by;
  }

  const std::vector<std::vector<std::uint32_t>>& neighbours_;
  std::size_t residuals_, tries_ = 0;
  FormBanks dealt_;
  std::vector<std::vector<int>> taken_;  // neighbours in each bank
  std::vector<std::size_t> load_;
};

}  // namespace

FormBanks colour_forms(const Lists<FormTerm>& forms, std::size_t bits, std::size_t banks,
                       std::size_t residuals, const std::string& topology) {
  std::vector<std::vector<std::uint32_t>> at(bits), neighbours(forms.size());
  for (std::uint32_t form = 0; form < forms.size(); ++form) {
    for (const FormTerm& term : forms[form]) at[term.index].push_back(form);
  }
  for (std::size_t bit = 0; bit < bits; ++bit) {
    if (at[bit].size() > banks) {
      throw InputError(
          fmt::format("a bit is in {} linear forms (a range counts twice); topology "
                      "{} takes {}",
                      at[bit].size(), topology, banks));
    }
    for (std::uint32_t a : at[bit]) {
      for (std::uint32_t b : at[bit]) {
        if (a != b) neighbours[a].push_back(b);
      }
    }
  }
  if (forms.size() > banks * residuals) {
    throw InputError(
        fmt::format("{} linear forms (a range counts twice); topology {} holds {} "
                    "banks of {}",
                    forms.size(), topology, banks, residuals));
  }
  for (auto& list : neighbours) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  Deal deal(neighbours, banks, residuals);
  if (deal.found()) return deal.result();
  throw InputError(fmt::format(
      "found no way to put {} linear forms into {} banks of {} so that those of a bit are "
      "in different banks, as topology {} needs",
      forms.size(), banks, residuals, topology));
}

}  // namespace chainmail
