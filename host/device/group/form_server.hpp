// The other side of device/group/form_group.hpp: a share of a form model's replicas, run for
// another process.
#pragma once

#include <exception>
#include <memory>
#include <optional>

#include "device/cpu/form_engine.hpp"
#include "device/group/wire_calls.hpp"

namespace chainmail {

class FormServer {
 public:
  // Calls that nobody waits for; what goes wrong in them is thrown by the next answer().
  static bool is_told(Call kind) {
    return kind == Call::form_set || kind == Call::form_restore || kind == Call::form_weights;
  }
  void tell(Call kind, MessageReader& call);

  static bool is_asked(Call kind) { return kind >= Call::form_load && !is_told(kind); }
  void answer(Call kind, MessageReader& call, MessageWriter& out);

 private:
  // What refers to each other stays together.
  struct Share {
    FormModel model;
    FormPlan plan;
    FormEngine engine;
    Share(FormModel m, std::size_t replicas, std::uint64_t seed, Crew& crew, FormShare share)
        : model(std::move(m)), plan(model), engine(plan, replicas, seed, crew, share) {}
  };
  void load(MessageReader& call);
  void burst(MessageReader& call, MessageWriter& out);
  void set_weights(const std::vector<double>& weights);
  std::size_t replica(MessageReader& call);
  Share& share();

  std::unique_ptr<Crew> crew_;
  unsigned threads_ = 0;
  std::unique_ptr<Share> share_;
  std::exception_ptr fault_;
};

}  // namespace chainmail
