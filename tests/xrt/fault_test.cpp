// What can go wrong with a device, provoked on real processes: one clear line, in time, and nothing
// left behind.
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "device/xrt/emulation.hpp"
#include "support.hpp"

using namespace chainmail;
using Catch::Contains;
using test::AdderLane;
using test::device_error;
using Clock = std::chrono::steady_clock;

namespace {

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {(std::istreambuf_iterator<char>(file)), {}};
}

std::string open_error(const std::string& xclbin) {
  return device_error([&] { XrtSession session(test::adder_session(xclbin)); });
}

}  // namespace

TEST_CASE("a device killed in mid-burst", "[xrt][fault]") {
  const test::PrivateTmp tmp;
  XrtSession session(test::adder_session(test::adder_xclbin(tmp)));
  AdderLane lane(session, 0, 0, 100);
  const pid_t worker = session.worker_process();
  lane.start_endless();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  REQUIRE(kill(test::device_process(worker), SIGKILL) == 0);
  const auto start = Clock::now();
  const std::string message = device_error([&] { lane.wait(); });
  CHECK_THAT(message, Contains("hw_emu: the device process ended while waiting for a burst"));
  CHECK_THAT(message, Contains("signal 9"));
  CHECK(message.find('\n') == std::string::npos);
  CHECK(seconds_since(start) < 5);
  CHECK(test::group_is_gone(worker));
  CHECK(tmp.leftovers().empty());
  // The session is over and says so again.
  CHECK(device_error([&] { lane.start({1}); }) == message);
}

TEST_CASE("a device killed between bursts", "[xrt][fault]") {
  const test::PrivateTmp tmp;
  XrtSession session(test::adder_session(test::adder_xclbin(tmp)));
  AdderLane lane(session, 0, 0, 100);
  REQUIRE(kill(test::device_process(session.worker_process()), SIGKILL) == 0);
  const std::string message = device_error([&] {
    for (;;) {
      lane.start(std::vector<std::uint32_t>(100));
      lane.wait();
    }
  });
  CHECK_THAT(message, Contains("the device process ended"));
  CHECK(tmp.leftovers().empty());
}

TEST_CASE("a kernel that never finishes", "[xrt][fault]") {
  const test::PrivateTmp tmp;
  XrtSession session(test::adder_session(test::adder_xclbin(tmp), 2.0));
  AdderLane lane(session, 0, 0, 100);
  const pid_t worker = session.worker_process();
  lane.start_endless();
  const auto start = Clock::now();
  const std::string message = device_error([&] { lane.wait(); });
  CHECK_THAT(message, Contains("no answer within 2 s while waiting for a burst"));
  CHECK_THAT(message, Contains("--device-timeout"));
  CHECK(seconds_since(start) > 1.5);
  CHECK(seconds_since(start) < 5);
  CHECK(test::group_is_gone(worker));
  CHECK(tmp.leftovers().empty());
}

TEST_CASE("a device that stops answering", "[xrt][fault]") {
  const test::PrivateTmp tmp;
  XrtSession session(test::adder_session(test::adder_xclbin(tmp), 2.0));
  AdderLane lane(session, 0, 0, 100);
  const pid_t worker = session.worker_process();
  REQUIRE(kill(test::device_process(worker), SIGSTOP) == 0);
  SECTION("a call") {
    CHECK_THAT(device_error([&] { session.allocate(0, 0, 400); }),
               Contains("no answer within 2 s while allocating a buffer"));
  }
  SECTION("a burst") {
    lane.start(std::vector<std::uint32_t>(100));
    CHECK_THAT(device_error([&] { lane.wait(); }),
               Contains("no answer within 2 s while waiting for a burst"));
  }
  CHECK(test::group_is_gone(worker));
  CHECK(tmp.leftovers().empty());
}

TEST_CASE("a slow device within its time limit is waited for", "[xrt][fault]") {
  const test::PrivateTmp tmp;
  XrtSession session(test::adder_session(test::adder_xclbin(tmp), 10.0));
  AdderLane lane(session, 0, 0, 100);
  const pid_t device = test::device_process(session.worker_process());
  REQUIRE(kill(device, SIGSTOP) == 0);
  std::thread later([device] {
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    kill(device, SIGCONT);
  });
  lane.start(std::vector<std::uint32_t>(100, 4));
  CHECK(lane.wait() == std::vector<std::uint32_t>(100, 5));
  later.join();
}

TEST_CASE("the driver itself killed leaves no process and no folder", "[xrt][fault]") {
  const test::PrivateTmp tmp;
  const std::string xclbin = test::adder_xclbin(tmp);
  int ready[2];
  REQUIRE(pipe(ready) == 0);
  const pid_t driver = fork();
  if (driver == 0) {
    XrtSession session(test::adder_session(xclbin));
    const pid_t worker = session.worker_process();
    if (write(ready[1], &worker, sizeof worker) < 0) _exit(1);
    pause();
  }
  pid_t worker = 0;
  REQUIRE(read(ready[0], &worker, sizeof worker) == sizeof worker);
  CHECK(test::device_process(worker) > 0);
  REQUIRE(kill(driver, SIGKILL) == 0);
  const auto start = Clock::now();
  while (!(test::group_is_gone(worker) && tmp.leftovers().empty()) && seconds_since(start) < 10)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(test::group_is_gone(worker));
  CHECK(tmp.leftovers().empty());
  close(ready[0]);
  close(ready[1]);
}

TEST_CASE("xclbins that are none", "[xrt][fault]") {
  const test::PrivateTmp tmp;
  const std::string good = content_of(test::adder_xclbin(tmp));
  const std::string path = tmp.file("bad.xclbin");
  const auto error_for = [&](const std::string& content) {
    std::ofstream(path, std::ios::binary) << content;
    return open_error(path);
  };
  CHECK_THAT(error_for(good.substr(0, good.size() / 2)), Contains("damaged"));
  CHECK_THAT(error_for(good.substr(0, 100)), Contains("is not an xclbin"));
  CHECK_THAT(error_for(""), Contains("is not an xclbin"));
  CHECK_THAT(error_for("hello" + good.substr(5)), Contains("is not an xclbin"));
  for (const std::size_t at : {std::size_t{500}, good.size() / 2, good.size() - 1}) {
    std::string changed = good;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    CHECK_THAT(error_for(changed), Contains("damaged: its checksum does not match"));
  }
  CHECK_THAT(open_error(tmp.file("absent.xclbin")), Contains("cannot read xclbin"));
  SessionOptions other = test::adder_session(test::adder_xclbin(tmp));
  other.kernel = "pbit_burst";
  CHECK_THAT(device_error([&] { XrtSession session(other); }),
             Contains("has no kernel pbit_burst; it has adder"));
  CHECK(tmp.leftovers().empty());
}

TEST_CASE("a machine without the XRT library", "[xrt][fault]") {
  const test::PrivateTmp tmp;
  // The worker with the library's name replaced by another for the dynamic linker.
  std::string program = content_of(test::built("chainmail-xrt"));
  const std::string library = "libxrt_coreutil.so.2";
  const std::size_t at = program.find(library);
  REQUIRE(at != std::string::npos);
  program.replace(at, library.size(), "libxrt_nosuch00.so.2");
  const std::string path = tmp.file("worker");
  std::ofstream(path, std::ios::binary) << program;
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  SessionOptions options = test::adder_session(test::adder_xclbin(tmp));
  options.worker = path;
  const std::string message = device_error([&] { XrtSession session(options); });
  CHECK_THAT(message, Contains("libxrt_nosuch00.so.2: cannot open shared object file"));
  CHECK(message.find('\n') == std::string::npos);
  CHECK_THAT(device_error([&] { list_xrt_boards(path); }), Contains("libxrt_nosuch00.so.2"));
  CHECK(tmp.leftovers().empty());
}

TEST_CASE("no room for the run folder", "[xrt][fault]") {
  const test::PrivateTmp tmp;
  const std::string xclbin = test::adder_xclbin(tmp);
  SECTION("the disk is full") {
    // Files may not grow past a kilobyte: what a full disk does to the writer, for this process.
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit tiny{1024, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &tiny);
    const std::string message = open_error(xclbin);
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    CHECK_THAT(message, Contains("hw_emu: cannot write") && Contains("File too large"));
  }
  SECTION("the disk fills while XRT unpacks the device") {
    // A disk of its own, as small as it must be: only root may mount one.
    if (geteuid() != 0) return;
    const std::string disk = tmp.file("disk");
    std::filesystem::create_directory(disk);
    const auto program =
        static_cast<double>(std::filesystem::file_size(test::built("chainmail-xrt")) +
                            std::filesystem::file_size(test::built("libchainmail_emu.so")));
    const auto archive = static_cast<double>(std::filesystem::file_size(xclbin));
    // The program and XRT's settings fit, the archive or what is in it does not.
    for (const double part : {0.2, 0.6, 1.1, 1.4}) {
      const auto size = static_cast<std::uint64_t>(program + part * archive);
      const std::string options = "size=" + std::to_string(size + 100'000);
      if (mount("tmpfs", disk.c_str(), "tmpfs", 0, options.c_str()) != 0) return;
      setenv("TMPDIR", disk.c_str(), 1);
      const auto start = Clock::now();
      const std::string message = open_error(xclbin);
      setenv("TMPDIR", tmp.path().c_str(), 1);
      CHECK_THAT(message, Contains("no space left in the run folder to unpack the device program"));
      CHECK(message.find('\n') == std::string::npos);
      CHECK(seconds_since(start) < 5);
      CHECK(std::filesystem::is_empty(disk));
      CHECK(umount(disk.c_str()) == 0);  // fails while a process is left in it
    }
  }
  SECTION("there is no such folder") {
    setenv("TMPDIR", "/nonexistent/place", 1);
    CHECK_THAT(open_error(xclbin), Contains("cannot create a run folder in /nonexistent/place"));
    setenv("TMPDIR", tmp.path().c_str(), 1);
  }
  SECTION("its name is too long for a socket") {
    const std::string deep = tmp.file(std::string(80, 'd'));
    std::filesystem::create_directory(deep);
    setenv("TMPDIR", deep.c_str(), 1);
    CHECK_THAT(open_error(xclbin), Contains("too long for socket names; set TMPDIR"));
    setenv("TMPDIR", tmp.path().c_str(), 1);
  }
  CHECK(tmp.leftovers().empty());
}

TEST_CASE("memory the device does not have", "[xrt][fault]") {
  const test::PrivateTmp tmp;
  XrtSession session(test::adder_session(test::adder_xclbin(tmp)));
  const pid_t worker = session.worker_process();
  const std::string message = device_error([&] { session.allocate(0, 0, std::uint64_t{1} << 31); });
  CHECK_THAT(message, Contains("the device refuses a buffer of 2147483648 bytes for argument 0"));
  CHECK(test::group_is_gone(worker));
  CHECK(tmp.leftovers().empty());
}

TEST_CASE("a run folder whose name a shell would read as more than a name", "[xrt][fault]") {
  const test::PrivateTmp tmp;
  const std::string xclbin = test::adder_xclbin(tmp);
  const std::string trap = tmp.file("trap");
  for (const std::string odd :
       {"a b", "a:b", "a'b", "a\"b", "$(touch trap)", "a;b", "a`b", "a*b"}) {
    const std::string folder = tmp.file(odd);
    std::filesystem::create_directory(folder);
    const std::string before = std::filesystem::current_path();
    setenv("TMPDIR", folder.c_str(), 1);
    const std::string message = open_error(xclbin);
    setenv("TMPDIR", tmp.path().c_str(), 1);
    INFO(odd << ": " << message);
    CHECK_THAT(message, Contains("that XRT's shell would interpret; set TMPDIR"));
    CHECK(std::filesystem::is_empty(folder));
    CHECK_FALSE(std::filesystem::exists("trap"));
    CHECK_FALSE(std::filesystem::exists(trap));
  }
}

TEST_CASE("a run folder in which no program may run", "[xrt][fault]") {
  if (geteuid() != 0) return;
  const test::PrivateTmp tmp;
  const std::string xclbin = test::adder_xclbin(tmp);
  const std::string disk = tmp.file("noexec");
  std::filesystem::create_directory(disk);
  if (mount("tmpfs", disk.c_str(), "tmpfs", MS_NOEXEC, "size=300m") != 0) return;
  setenv("TMPDIR", disk.c_str(), 1);
  const std::string message = open_error(xclbin);
  setenv("TMPDIR", tmp.path().c_str(), 1);
  CHECK_THAT(message, Contains("Permission denied") && Contains("set TMPDIR to another folder"));
  CHECK(std::filesystem::is_empty(disk));
  CHECK(umount(disk.c_str()) == 0);
}

TEST_CASE("too few descriptors leave no run folder behind", "[xrt][fault]") {
  const test::PrivateTmp tmp;
  const std::string xclbin = test::adder_xclbin(tmp);
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const auto used =
      static_cast<rlim_t>(std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
  for (rlim_t room : {0, 1, 2, 4}) {
    const rlimit few{used + room, before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &few);
    const std::string message =
        device_error([&] { XrtSession session(test::adder_session(xclbin, 1.0)); });
    setrlimit(RLIMIT_NOFILE, &before);
    INFO(room << ": " << message);
    CHECK(tmp.leftovers().empty());
  }
}

TEST_CASE("a device that dies of its own fault leaves nothing behind", "[xrt][fault]") {
  const test::PrivateTmp tmp;
  for (int signal : {SIGSEGV, SIGXFSZ, SIGABRT}) {
    XrtSession session(test::adder_session(test::adder_xclbin(tmp)));
    AdderLane lane(session, 0, 0, 100);
    const pid_t worker = session.worker_process();
    lane.start_endless();
    REQUIRE(kill(test::device_process(worker), signal) == 0);
    CHECK_THAT(device_error([&] { lane.wait(); }), Contains("signal " + std::to_string(signal)));
    CHECK(test::group_is_gone(worker));
    CHECK(tmp.leftovers().empty());
  }
}

TEST_CASE("a program installed below a folder with a space and a colon", "[xrt][fault]") {
  const test::PrivateTmp tmp;
  const std::string xclbin = test::adder_xclbin(tmp);
  const std::string odd = tmp.file("with space:and colon");
  std::filesystem::create_directory(odd);
  std::filesystem::copy_file(xclbin, odd + "/adder.xclbin");
  std::filesystem::copy_file(test::built("chainmail-xrt"), odd + "/chainmail-xrt");
  std::filesystem::copy_file(test::built("libchainmail_emu.so"), odd + "/libchainmail_emu.so");
  const RunFolder folder;
  const auto environment = prepare_emulation(folder, odd + "/libchainmail_emu.so");
  CHECK(environment.at("LD_PRELOAD").find_first_of(" :") == std::string::npos);
  CHECK(std::filesystem::exists(environment.at("LD_PRELOAD")));
  SessionOptions options = test::adder_session(odd + "/adder.xclbin");
  options.worker = odd + "/chainmail-xrt";
  XrtSession session(options);
  AdderLane lane(session, 0, 0, 100);
  lane.start(std::vector<std::uint32_t>(100, 4));
  CHECK(lane.wait() == std::vector<std::uint32_t>(100, 5));
}
