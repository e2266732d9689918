// Requests to a remote device, and how models and options are sent.
#pragma once

#include <algorithm>

#include "device/device.hpp"
#include "device/group/message.hpp"
#include "support/error.hpp"

namespace chainmail {

enum class Call : std::uint8_t {
  goodbye,
  open,
  load,
  quantise,
  write,
  read,
  submit,
  reweigh,
};
// The first byte of every answer. A failure's text follows.
enum class Answer : std::uint8_t { done, device_error, input_error, usage_error };

template <class T>
void put(MessageWriter& to, const Lists<T>& lists) {
  to.list(std::span(lists.start)).list(std::span(lists.items));
}
template <class T>
void get(MessageReader& from, Lists<T>& lists) {
  lists.start = from.list<std::size_t>();
  lists.items = from.list<T>();
}
inline void put(MessageWriter& to, const FormModel& m) {
  to.value(m.bits).value(m.constant).list(std::span(m.linear)).list(std::span(m.limits));
  put(to, m.pairs);
  to.list(std::span(m.monomial_values));
  put(to, m.monomials);
  put(to, m.clashes);
  put(to, m.forms);
  put(to, m.groups);
}
// Whether lists and indices are those of so many bits; all memory is asked for by these.
inline bool holds_together(const FormModel& m) {
  const auto lists = [](const auto& all, std::size_t size) {
    return !all.start.empty() && all.start.size() == size + 1 && all.start.front() == 0 &&
           all.start.back() == all.items.size() &&
           std::is_sorted(all.start.begin(), all.start.end());
  };
  const auto below = [&](const auto& items, auto index) {
    return std::all_of(items.begin(), items.end(),
                       [&](const auto& item) { return index(item) < m.bits; });
  };
  const auto itself = [](std::uint32_t bit) { return bit; };
  return m.linear.size() == m.bits && lists(m.pairs, m.bits) && lists(m.clashes, m.bits) &&
         lists(m.monomials, m.monomial_values.size()) && below(m.monomials.items, itself) &&
         lists(m.forms, m.limits.size()) && lists(m.groups, m.groups.start.size() - 1) &&
         below(m.pairs.items, [](const Neighbour& n) { return n.spin; }) &&
         below(m.clashes.items, itself) && below(m.groups.items, itself) &&
         below(m.forms.items, [](const FormTerm& t) { return t.index; });
}
inline FormModel get_form_model(MessageReader& from) {
  FormModel m;
  m.bits = from.value<std::size_t>();
  m.constant = from.value<double>();
  m.linear = from.list<double>();
  m.limits = from.list<FormLimits>();
  get(from, m.pairs);
  m.monomial_values = from.list<MonomialValue>();
  get(from, m.monomials);
  get(from, m.clashes);
  get(from, m.forms);
  get(from, m.groups);
  if (!holds_together(m)) throw DeviceError("a message from another process holds no model");
  m.finish();
  return m;
}
inline void put(MessageWriter& to, const std::shared_ptr<const FormModel>& forms) {
  to.value(forms != nullptr);
  if (forms) put(to, *forms);
}
inline std::shared_ptr<const FormModel> get_forms(MessageReader& from) {
  if (!from.value<bool>()) return {};
  return std::make_shared<FormModel>(get_form_model(from));
}

inline void put(MessageWriter& to, const DeviceOptions& o) {
  to.text(o.name).value(o.threads).text(o.precision).text(o.moves).text(o.xclbin);
  to.value(o.timeout).text(o.latency).value(o.spins).value(o.copies);
  put(to, o.forms);
}
inline DeviceOptions get_device_options(MessageReader& from) {
  DeviceOptions o;
  o.name = from.text();
  o.threads = from.value<unsigned>();
  o.precision = from.text();
  o.moves = from.text();
  o.xclbin = from.text();
  o.timeout = from.value<double>();
  o.latency = from.text();
  o.spins = from.value<std::size_t>();
  o.copies = from.value<std::size_t>();
  o.forms = get_forms(from);
  return o;
}

inline void put(MessageWriter& to, const Quadratic& q) {
  to.list(std::span(q.fields)).list(std::span(q.couplings)).value(q.offset);
}
inline Quadratic get_quadratic(MessageReader& from) {
  Quadratic q;
  q.fields = from.list<double>();
  q.couplings = from.list<Coupling>();
  q.offset = from.value<double>();
  return q;
}

inline void put(MessageWriter& to, const PhysicalModel& m) {
  put(to, m.f);
  put(to, m.g);
  to.list(std::span(m.colour)).value(std::uint64_t{m.chains.size()});
  for (const auto& chain : m.chains) to.list(std::span(chain));
  put(to, m.forms);
}
inline PhysicalModel get_model(MessageReader& from) {
  PhysicalModel m;
  m.f = get_quadratic(from);
  m.g = get_quadratic(from);
  m.colour = from.list<std::uint32_t>();
  const auto chains = from.value<std::uint64_t>();
  for (std::uint64_t k = 0; k < chains; ++k) m.chains.push_back(from.list<std::uint32_t>());
  m.forms = get_forms(from);
  return m;
}

// Skips the call and the verdict of an answer; a failure over there is thrown here.
inline MessageReader opened(std::span<const std::byte> answer) {
  MessageReader reader(answer);
  reader.value<Call>();
  switch (reader.value<Answer>()) {
    case Answer::done:
      return reader;
    case Answer::input_error:
      throw InputError(reader.text());
    case Answer::usage_error:
      throw UsageError(reader.text());
    default:
      throw DeviceError(reader.text());
  }
}

}  // namespace chainmail
