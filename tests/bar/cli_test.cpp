// The program on a simulated F2 instance with two FPGAs.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "../command.hpp"
#include "../temporary_folder.hpp"
#include "device/xrt/worker_process.hpp"
#include "run/selftest.hpp"
#include "support.hpp"

namespace chainmail::test {

using Catch::Contains;

TEST_CASE("An F2 instance reaches optima, on a ring and on a flip kernel", "[bar]") {
  const TemporaryFolder folder;
  const std::string f2 = find_companion("chainmail_f2");
  const auto solve = [&](const std::string& slot, const std::string& spins,
                         const std::string& more) {
    const std::string problem = folder.file("planted" + spins + ".json");
    REQUIRE(run(f2 + " generate wishart -n " + spins + " --integer --seed 1 -o " + problem).code ==
            0);
    return run(f2 + " solve " + problem + more + " --device-timeout 60 --device f2:" + slot);
  };
  const Outcome ring = solve("0", "8", " --copies 3");
  INFO(ring.text);
  CHECK(ring.code == 0);
  CHECK_THAT(ring.text, Contains("kernel 8x3-b17-r64 at 250 MHz") && Contains("optimum reached"));
  // A burst is as long as its reads.
  CHECK_THAT(ring.text, Contains("the device is idle"));
  const Outcome flips = solve("1", "16", "");
  INFO(flips.text);
  CHECK(flips.code == 0);
  CHECK_THAT(flips.text, Contains("kernel 16-flips at 250 MHz") && Contains("optimum reached"));
  CHECK(ring.text.find("simulated F2") == std::string::npos);
}

TEST_CASE("The self-test's bits are an F2 instance's", "[bar]") {
  const sim::SimulatedF2 f2({kRing});
  DeviceOptions options;
  options.name = "f2:0";
  options.timeout = 60;
  CHECK(selftest_digest(*make_device(options)) == known_answer(kRing));
}

TEST_CASE("Boards behind BARs are listed, and what is wrong is one line", "[bar]") {
  const TemporaryFolder folder;
  const std::string f2 = find_companion("chainmail_f2"), plain = find_companion("chainmail");
  CHECK_THAT(run(f2 + " devices").text, Contains("\nf2:SLOT: ") && Contains("slots here: 2"));
  const auto refused = [&](const std::string& program, const std::string& device) {
    Outcome outcome = run(program + " selftest --device " + device);
    INFO(outcome.text);
    CHECK(std::count(outcome.text.begin(), outcome.text.end(), '\n') == 1);
    return outcome;
  };
  CHECK(refused(f2, "f2:7").code == 3);
  CHECK(refused(f2, "f2:one").code == 2);
  CHECK(refused(plain, "bar:x").code == 2);
  const std::string secret = folder.file("resource0");
  REQUIRE(run("truncate -s 64M " + secret + " && chmod 000 " + secret).code == 0);
  std::filesystem::permissions(folder.path, std::filesystem::perms(0755));
  // As root the command runs as nobody, in a folder that nobody can read.
  const std::string drop =
      ::getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : "";
  const std::string copy = folder.file("chainmail");
  std::filesystem::copy_file(plain, copy);
  const Outcome outcome = refused(drop + copy, "bar:" + secret + "+" + secret);
  CHECK(outcome.code == 3);
  CHECK_THAT(outcome.text, Contains("resource0: no permission to open it: run as root"));
}

}  // namespace chainmail::test
