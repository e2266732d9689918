// A device made of devices: any number of members gives the same bits, and a member that fails, in
// any call, costs only time.
#include "device/group/group_device.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "script.hpp"
#include "support/error.hpp"

using namespace chainmail;
using namespace chainmail::test;

namespace {

// A real device that fails at its n-th call, one way or another.
enum class Fault { fails, not_a_number, too_few };
class Failing final : public Device {
 public:
  Failing(std::unique_ptr<Device> device, std::size_t fails_at, Fault fault)
      : device_(std::move(device)), left_(fails_at), fault_(fault) {}
  std::string describe() const override { return device_->describe(); }
  std::string sampler() const override { return device_->sampler(); }
  const Topology* topology() const override { return device_->topology(); }
  void load(const PhysicalModel& model, const LoadOptions& options) override {
    CHECK(options.one_driver);
    count();
    device_->load(model, options);
  }
  Parameters quantise(const Parameters& wanted) const override { return device_->quantise(wanted); }
  void write_spins(std::size_t grid, std::size_t replica, std::span<const Spin> spins) override {
    count();
    device_->write_spins(grid, replica, spins);
  }
  std::vector<Spin> read_spins(std::size_t grid, std::size_t replica, Which which) override {
    count();
    return device_->read_spins(grid, replica, which);
  }
  void descend_after(std::size_t grid, std::span<const std::size_t> replicas) override {
    device_->descend_after(grid, replicas);
  }
  void reweigh(std::size_t grid, std::span<const double> weights) override {
    count();
    device_->reweigh(grid, weights);
  }
  void submit(std::size_t grid, std::span<const Parameters> parameters, std::uint64_t sweeps,
              std::uint64_t number) override {
    count();
    device_->submit(grid, parameters, sweeps, number);
  }
  const BurstResult& wait(std::size_t grid) override {
    if (left_ == 0 || fault_ == Fault::fails) count();
    result_ = device_->wait(grid);
    if (fault_ != Fault::fails && --left_ == 0) {
      if (fault_ == Fault::not_a_number) result_.f[0] = std::nan("");
      if (fault_ == Fault::too_few) result_.f.pop_back();
    }
    return result_;
  }

 private:
  void count() {
    if (left_ == 0 || --left_ == 0) throw DeviceError("it fell silent");
  }
  std::unique_ptr<Device> device_;
  std::size_t left_;
  Fault fault_;
  BurstResult result_;
};

std::unique_ptr<Device> one(const std::string& name, const std::string& precision) {
  return make_device({name, 1, precision});
}

std::unique_ptr<Device> group_of(std::size_t members, std::size_t tiles, const Case& c) {
  std::vector<std::unique_ptr<Device>> all;
  for (std::size_t m = 0; m < members; ++m) all.push_back(one(c.device, c.precision));
  return make_group_device(std::move(all), {tiles});
}

}  // namespace

TEST_CASE("one tile is the device itself, whoever runs it", "[group]") {
  for (const Case& c : cases()) {
    INFO(c.device << " " << c.precision);
    const Story alone = tell(*one(c.device, c.precision), c);
    for (std::size_t members : {1, 2, 3}) {
      if (members <= c.most_members) CHECK(tell(*group_of(members, 1, c), c) == alone);
    }
  }
}

TEST_CASE("the number of members changes no bit", "[group]") {
  for (const Case& c : cases()) {
    for (std::size_t tiles : {2, 3, 4, 7, 50}) {
      INFO(c.device << " " << c.precision << ", " << tiles << " tiles");
      const Story alone = tell(*group_of(1, tiles, c), c);
      for (std::size_t members : {2, 4, 9}) {
        if (members <= c.most_members) CHECK(tell(*group_of(members, tiles, c), c) == alone);
      }
    }
  }
}

TEST_CASE("tiles have noise of their own", "[group]") {
  const Case c = cases().front();
  CHECK_FALSE(tell(*group_of(1, 2, c), c) == tell(*group_of(1, 3, c), c));
  const auto group = group_of(1, 2, c);
  Script script(*group, c);
  script.same_start();
  const BurstResult result = script.burst(0);
  CHECK(result.f[0] != result.f[1]);  // the same replica of either tile
}

TEST_CASE("a member that fails at any call changes no bit", "[group]") {
  // Spins, thousandths (sums that round), and several rows to weigh.
  const int kind = GENERATE(-1, 1, 2);
  const Case c = kind < 0 ? cases().front() : form_cases()[static_cast<std::size_t>(kind)];
  const Story whole = tell(*group_of(3, 4, c), c);
  std::size_t losses = 0;
  for (const Fault fault : {Fault::fails, Fault::not_a_number, Fault::too_few}) {
    for (std::size_t at = 1; at < 140; at += at < 40 ? 1 : 7) {
      for (std::size_t who : {0, 2}) {
        std::vector<std::unique_ptr<Device>> members;
        for (std::size_t m = 0; m < 3; ++m) {
          auto device = one(c.device, c.precision);
          if (m == who) device = std::make_unique<Failing>(std::move(device), at, fault);
          members.push_back(std::move(device));
        }
        const auto group = make_group_device(std::move(members), {4});
        INFO("member " << who << " at call " << at);
        CHECK(tell(*group, c) == whole);
        losses += group->members()[who].lost ? 1 : 0;
      }
    }
  }
  CHECK(losses > 100);
}

TEST_CASE("when the last member fails, so does the group", "[group]") {
  const Case c = cases().front();
  std::vector<std::unique_ptr<Device>> members;
  for (std::size_t at : {10, 30}) {
    members.push_back(std::make_unique<Failing>(one(c.device, c.precision), at, Fault::fails));
  }
  const auto group = make_group_device(std::move(members), {4});
  CHECK_THROWS_WITH(tell(*group, c),
                    Catch::Contains("no member is left") && Catch::Contains("fell silent"));
}

TEST_CASE("members that calculate differently are refused unless they may", "[group]") {
  const auto both = [] {
    std::vector<std::unique_ptr<Device>> members;
    members.push_back(one("cpu", "float"));
    members.push_back(one("hls:5x2", "auto"));
    return members;
  };
  CHECK_THROWS_WITH(make_group_device(both(), {}),
                    Catch::Contains("arithmetic differs") && Catch::Contains("--mixed"));
  CHECK_THROWS_WITH(make_device({"hls:5x2,hls:8x3", 1}), Catch::Contains("5x2 and 8x3"));
  const Case c = cases().back();
  REQUIRE(c.device == "hls:5x2");
  Story first;
  for (int time = 0; time < 2; ++time) {
    const auto group = make_group_device(both(), {2, true});
    REQUIRE(group->topology() != nullptr);
    const Story story = tell(*group, c);
    if (time == 0) first = story;
    CHECK(story == first);
    const std::vector<MemberUse> use = group->members();
    CHECK(use[0].bursts == 14);  // two tiles of the first grid
    CHECK(use[1].bursts == 12);  // of the second
  }
}

TEST_CASE("names of devices are taken apart at their commas", "[group]") {
  CHECK(make_device({"cpu,cpu", 1})->members().size() == 2);
  CHECK(make_device({"cpu", 1})->members().empty());
  CHECK_THROWS_WITH(make_device({"cpu,", 1}), Catch::Contains("expected cpu"));
}
