#include "device/group/form_members.hpp"

namespace chainmail {

FormMembers::FormMembers(unsigned threads, const std::vector<std::shared_ptr<Channel>>& others,
                         double timeout)
    : crew_(Crew::threads_for(threads)), timeout_(timeout), all_(1 + others.size()) {
  for (std::size_t k = 0; k < all_.size(); ++k) {
    all_[k].use.name = "cpu, forms, rank " + std::to_string(k);
    if (k > 0) all_[k].channel = others[k - 1];
  }
}

std::vector<FormMember*> FormMembers::alive() {
  std::vector<FormMember*> there;
  for (FormMember& member : all_) {
    if (!member.use.lost) there.push_back(&member);
  }
  return there;
}

void FormMembers::lose(FormMember& member, const std::string& why) {
  member.use.lost = true;
  losses_.push_back(member.use.name + " was lost: " + why);
}

std::vector<MemberUse> FormMembers::use() const {
  std::vector<MemberUse> all;
  for (const FormMember& member : all_) all.push_back(member.use);
  if (all.size() == 1) all.clear();
  return all;
}

}  // namespace chainmail
