// Who runs the replicas of form models: the threads of this process, and processes that were
// started with it. What is lost of them stays lost for the run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/cpu/crew.hpp"
#include "device/device.hpp"
#include "device/group/channel.hpp"

namespace chainmail {

struct FormMember {
  std::shared_ptr<Channel> channel;  // none: this process
  MemberUse use;
};

class FormMembers {
 public:
  // A process that answers later than `timeout` (and than its share can take) is lost.
  explicit FormMembers(unsigned threads, const std::vector<std::shared_ptr<Channel>>& others = {},
                       double timeout = 10.0);

  Crew& crew() { return crew_; }
  unsigned threads() const { return crew_.threads(); }
  double timeout() const { return timeout_; }
  std::vector<FormMember*> alive();
  void lose(FormMember& member, const std::string& why);

  std::vector<MemberUse> use() const;  // empty where this process is alone
  const std::vector<std::string>& losses() const { return losses_; }

 private:
  Crew crew_;
  double timeout_;
  std::vector<FormMember> all_;  // this process first
  std::vector<std::string> losses_;
};

}  // namespace chainmail
