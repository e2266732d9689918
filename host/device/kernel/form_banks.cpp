// Forms are dealt one by one, always the one with the fewest banks left to it (the one with most
// neighbours among those), to the emptiest bank. A deal that gets stuck is begun again with the
// stuck form in front: few rounds find what there is, since a bit is in four forms at most.
#include "device/kernel/form_banks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <tuple>

#include "support/error.hpp"

namespace chainmail {

namespace {

constexpr std::size_t kRounds = 64;

struct Deal {
  const std::vector<std::vector<std::uint32_t>>& neighbours;
  std::size_t banks, residuals;
  std::vector<std::size_t> rank;  // of forms that got stuck before; larger first

  // The form that no bank is left for, or nothing when all are dealt.
  std::optional<std::size_t> run(FormBanks& dealt) {
    const std::size_t forms = neighbours.size();
    dealt.bank.assign(forms, kNone);
    dealt.number.assign(forms, 0);
    std::vector<unsigned> taken(forms, 0);  // banks of neighbours
    std::vector<std::size_t> load(banks, 0);
    for (std::size_t step = 0; step < forms; ++step) {
      std::size_t next = forms;
      const auto urgency = [&](std::size_t form) {
        return std::tuple(rank[form], std::popcount(taken[form]), neighbours[form].size());
      };
      for (std::size_t form = 0; form < forms; ++form) {
        if (dealt.bank[form] != kNone) continue;
        if (next == forms || urgency(form) > urgency(next)) next = form;
      }
      std::size_t best = banks;
      for (std::size_t bank = 0; bank < banks; ++bank) {
        if ((taken[next] >> bank & 1U) != 0 || load[bank] == residuals) continue;
        if (best == banks || load[bank] < load[best]) best = bank;
      }
      if (best == banks) return next;
      dealt.bank[next] = static_cast<std::uint32_t>(best);
      dealt.number[next] = static_cast<std::uint32_t>(load[best]++);
      for (std::uint32_t other : neighbours[next]) taken[other] |= 1U << best;
    }
    return std::nullopt;
  }
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
  Deal deal{neighbours, banks, residuals, std::vector<std::size_t>(forms.size(), 0)};
  FormBanks dealt;
  std::optional<std::size_t> stuck;
  for (std::size_t round = 1; round <= kRounds; ++round) {
    stuck = deal.run(dealt);
    if (!stuck) return dealt;
    deal.rank[*stuck] = round;
  }
  throw InputError(
      fmt::format("no way was found to put {} linear forms into {} banks of {} so "
                  "that those of a bit lie in different ones, as topology {} needs",
                  forms.size(), banks, residuals, topology));
}

}  // namespace chainmail
