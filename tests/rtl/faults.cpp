// What must not fail silently: bad arguments, errors on the bus, reset at a bad moment, and the
// handshake and interrupt registers a driver relies on.
#include <algorithm>
#include <catch2/catch.hpp>

#include "kernel_pair.hpp"
#include "support/error.hpp"

namespace chainmail::test {
namespace {

using namespace contract;
using sim::Response;
using sim::RtlPort;

std::uint32_t mirror(RtlPort& port, std::uint32_t word) {
  return port.kernel().read_register(kStatusMirror + 4 * word);
}

std::uint64_t bytes_written(RtlPort& port) {
  return port.kernel().memory().statistics().bytes_written;
}

}  // namespace

TEST_CASE("Bad arguments are refused with a code and only the status block is written", "[5x2]") {
  KernelPair pair("5x2");
  const auto most = static_cast<std::uint32_t>(pair.topology().options.max_replicas);
  struct Case {
    std::uint32_t first, replicas, flags, code;
  };
  for (const Case& c :
       {Case{0, 0, 0, kBadReplicas}, Case{0, most + 1, 0, kBadReplicas},
        Case{1, most, 0, kBadReplicas}, Case{most, 1, 0, kBadReplicas},
        Case{0xffff'ffff, 1, 0, kBadReplicas}, Case{0, 0xffff'ffff, 0, kBadReplicas},
        Case{0, 4, 0x40, kBadFlags}, Case{0, 4, 0x8000'0000 | kDescribe, kBadFlags},
        Case{0, 0, kDescribe, kOk}}) {
    Buffers b = random_buffers(pair.topology(), 4, 2, c.flags, 1);
    b.first = c.first;
    b.replicas = c.replicas;
    b.flags |= (c.flags & ~kAllFlags) == 0 && c.code != kOk ? kEverything : 0;
    INFO("first " << c.first << ", replicas " << c.replicas << ", flags " << b.flags);
    const std::uint64_t before = bytes_written(pair.rtl());
    CHECK_THAT(pair.compare(b),
               Catch::Equals(""));  // the HLS kernel leaves everything else as it was
    CHECK(bytes_written(pair.rtl()) - before == 64);
    CHECK(mirror(pair.rtl(), kWordCode) == c.code);
    CHECK(pair.rtl().sweep_clocks() == 0);  // none, whatever the previous call took
    Buffers good = random_buffers(pair.topology(), 4, 2, kEverything, 1);
    run(pair.rtl(), good);
    CHECK(pair.rtl().sweep_clocks() > 8);
  }
}

TEST_CASE("Where written buffers overlap the later write stays", "[5x2]") {
  RtlPort port("5x2");
  Buffers b = random_buffers(port.topology(), 4, 2, kEverything, 1);
  port.prepare(b.call());
  port.kernel().write_pointer(offset_of("results"), port.base(RtlPort::status));
  port.kernel().write_pointer(offset_of("best"), port.base(RtlPort::spins));
  port.start_prepared();
  port.kernel().run_until_done();
  port.collect(b.call());
  Buffers apart = random_buffers(port.topology(), 4, 2, kEverything, 1);
  run(port, apart);
  CHECK(b.status == apart.status);
  CHECK(b.spins == apart.best);
}

TEST_CASE("An error answer on the bus ends the call with its code, and the next call works",
          "[8x3]") {
  KernelPair pair("8x3");
  const double stall = GENERATE(0.0, 0.3);
  if (stall > 0) pair.kernel().memory().behave(sim::AxiBehaviour::stalling(stall, 3));
  struct Case {
    RtlPort::Buffer buffer;
    bool read;
    std::size_t offset;
    std::uint32_t code;
  };
  const auto& t = pair.topology();
  for (const Case& c :
       {Case{RtlPort::tables, true, 0, kReadError},
        Case{RtlPort::tables, true, t.image_words() * 8 - 8, kReadError},
        Case{RtlPort::spins, true, 400, kReadError},
        Case{RtlPort::parameters, true, 0x18, kReadError},
        Case{RtlPort::results, false, 0x18, kWriteError},
        Case{RtlPort::spins, false, 800, kWriteError}, Case{RtlPort::best, false, 0, kWriteError},
        Case{RtlPort::status, false, 0, kWriteError}}) {
    for (Response response : {Response::slave_error, Response::decode_error}) {
      sim::AxiMemory& memory = pair.kernel().memory();
      const std::uint64_t address = pair.rtl().base(c.buffer) + c.offset;
      c.read ? memory.fail_reads(address, 8, response) : memory.fail_writes(address, 8, response);
      Buffers b = random_buffers(t, 200, 2, kEverything, 2);
      run(pair.rtl(), b);
      INFO("buffer " << c.buffer << ", offset " << c.offset);
      CHECK(mirror(pair.rtl(), kWordCode) == c.code);
      CHECK(memory.idle());
      memory.heal();
      CHECK_THAT(pair.compare(random_buffers(t, 3, 2, kEverything, 4)), Catch::Equals(""));
      CHECK(mirror(pair.rtl(), kWordCode) == kOk);
    }
  }
}

TEST_CASE("After tables that could not be read states are loaded, tables or not", "[5x2]") {
  KernelPair pair("5x2");
  pair.kernel().memory().fail_reads(pair.rtl().base(RtlPort::tables) + 8, 8, Response::slave_error);
  Buffers b = random_buffers(pair.topology(), 8, 1, kLoadTables | kNoBurst, 5);
  run(pair.rtl(), b);
  CHECK(mirror(pair.rtl(), kWordCode) == kReadError);
  pair.kernel().memory().heal();
  CHECK_THAT(
      pair.compare(random_buffers(pair.topology(), 8, 1, kLoadSpins | kStoreSpins | kNoBurst, 6)),
      Catch::Equals(""));
  CHECK_THAT(pair.compare(random_buffers(pair.topology(), 8, 1, kLoadTables, 7)),
             Catch::Equals(""));
}

TEST_CASE("An address nobody answers for is a read error, not a hang", "[5x2]") {
  RtlPort port("5x2");
  Buffers b = random_buffers(port.topology(), 4, 2, kEverything, 1);
  b.parameters.clear();  // no such region in the simulated memory
  run(port, b);
  CHECK(mirror(port, kWordCode) == kReadError);
}

TEST_CASE("A reset at any clock leaves the kernel ready and the next call exact", "[5x2]") {
  KernelPair pair("5x2");
  pair.kernel().memory().behave(sim::AxiBehaviour::stalling(0.2, 9));
  const Buffers b = random_buffers(pair.topology(), 30, 4, kEverything, 6);
  Buffers whole = b;
  run(pair.rtl(), whole);
  const std::uint64_t length = pair.rtl().call_clocks();
  // Every clock of the call has its turn over the phases of a prime stride.
  for (std::uint64_t at = 1; at < length; at += 13) {
    Buffers broken = b;
    pair.rtl().interrupt_call(broken.call(), at);
    CHECK((pair.kernel().read_register(kControl) & 0xf) == 4);  // idle, nothing else
    CHECK_THAT(pair.compare(b), Catch::Equals(""));
  }
}

TEST_CASE("Done, ready, idle and the interrupt behave as a Vitis driver expects", "[5x2]") {
  RtlPort port("5x2");
  sim::RtlKernel& kernel = port.kernel();
  Buffers b = random_buffers(port.topology(), 1, 0, kDescribe, 1);
  CHECK(kernel.read_register(kControl) == 4);
  CHECK(!kernel.interrupt());

  kernel.write_register(kInterruptEnable, 1);
  kernel.write_register(kGlobalInterrupt, 1);
  CHECK(kernel.read_register(kInterruptEnable) == 1);
  CHECK(kernel.read_register(kGlobalInterrupt) == 1);
  run(port, b);  // reads control until done, which clears done and ready
  CHECK(kernel.interrupt());
  CHECK(kernel.read_register(kControl) == 4);
  CHECK(kernel.read_register(kInterruptStatus) == 1);
  kernel.write_register(kInterruptStatus, 1);  // toggles
  CHECK(kernel.read_register(kInterruptStatus) == 0);
  kernel.clock();
  CHECK(!kernel.interrupt());

  // A write without the byte that holds the bit starts nothing.
  kernel.write_register(kControl, 1, 0xe);
  kernel.clock(10);
  CHECK(kernel.read_register(kControl) == 4);

  // As in ap_ctrl_chain: continue clears done.
  kernel.memory().allocate(port.base(RtlPort::status), 64);
  kernel.write_register(kControl, 1);
  CHECK((kernel.read_register(kControl) & 5) == 1);  // running, not idle
  kernel.write_register(kControl, 1);                // a second start changes nothing
  kernel.clock(200);
  kernel.write_register(kControl, 0x10);
  CHECK((kernel.read_register(kControl) & 2) == 0);
  CHECK(kernel.read_register(kControl) == 4);
}

TEST_CASE("Argument registers hold what was written, byte by byte, and nothing else exists",
          "[5x2]") {
  RtlPort port("5x2");
  sim::RtlKernel& kernel = port.kernel();
  kernel.hesitate(0.4, 2);
  for (std::uint32_t offset = 0x10; offset < 0x90; offset += 4) {
    const bool exists = std::any_of(kArguments.begin(), kArguments.end(), [&](const Argument& a) {
      return offset >= a.offset && offset < a.offset + a.bits / 8;
    });
    for (std::uint32_t value : {0xffff'ffffU, 0U, 0x1234'5678U}) {
      kernel.write_register(offset, value);
      CHECK(kernel.read_register(offset) == (exists ? value : 0));
    }
    kernel.write_register(offset, 0xaabb'ccdd, 0x5);
    CHECK(kernel.read_register(offset) == (exists ? 0x12bb'56ddU : 0));
  }
  kernel.write_register(kStatusMirror, 0);
  CHECK(kernel.read_register(kStatusMirror) == kMagic);
  CHECK(kernel.read_register(kStatusMirror + 4 * kWordVersion) == kVersion);
  CHECK(kernel.read_register(0xffc) == 0);
}

TEST_CASE("A start right after another call finds streams seeded from its own seed", "[5x2]") {
  // Whatever ended before, the seeder of the call before must not run into the next one's.
  for (const std::string before : {"describe", "unknown flag", "no burst", "read error"}) {
    KernelPair pair("5x2");
    RtlPort& port = pair.rtl();
    Buffers b = random_buffers(pair.topology(), 12, 3, kEverything, 31), expected = b;
    run(pair.golden(), expected);
    port.prepare(b.call());
    if (before == "read error") {
      port.kernel().memory().fail_reads(port.base(RtlPort::tables), 8, Response::slave_error);
    }
    const std::uint32_t flags = before == "describe"       ? kDescribe
                                : before == "unknown flag" ? 0x80
                                : before == "no burst"     ? kNoBurst
                                                           : kEverything;
    port.kernel().write_register(offset_of("seed"), 1);
    port.kernel().write_register(offset_of("flags"), flags);
    port.start_prepared();
    // Arguments are the call's from its start on, so the next call's can be written now.
    port.kernel().write_register(offset_of("seed"), static_cast<std::uint32_t>(b.seed));
    port.kernel().write_register(offset_of("flags"), b.flags);
    port.kernel().run_until_done();
    port.kernel().memory().heal();
    port.start_prepared();
    port.kernel().run_until_done();
    port.collect(b.call());
    INFO("after " << before);
    CHECK_THAT(difference(expected, b), Catch::Equals(""));
  }
}

TEST_CASE("Arguments written while a call runs are the next call's", "[5x2]") {
  KernelPair pair("5x2");
  RtlPort& port = pair.rtl();
  port.kernel().memory().behave(sim::AxiBehaviour::stalling(0.2, 8));
  for (const Argument& argument : kArguments) {
    Buffers b = random_buffers(pair.topology(), 30, 20, kEverything, 17), expected = b;
    run(pair.golden(), expected);
    port.prepare(b.call());
    port.start_prepared();
    port.kernel().write_register(argument.offset, 0x25);
    if (argument.bits == 64) port.kernel().write_register(argument.offset + 4, 0x99);
    CHECK(port.kernel().read_register(argument.offset) == 0x25);
    port.kernel().run_until_done();
    port.collect(b.call());
    INFO("argument " << argument.name);
    CHECK_THAT(difference(expected, b), Catch::Equals(""));
  }
}

TEST_CASE("A buffer the call uses must begin at a whole word", "[5x2]") {
  KernelPair pair("5x2");
  RtlPort& port = pair.rtl();
  struct Case {
    RtlPort::Buffer buffer;
    std::uint32_t flags, code;
  };
  for (const Case& c :
       {Case{RtlPort::tables, kLoadTables, kBadPointer}, Case{RtlPort::tables, kLoadSpins, kOk},
        Case{RtlPort::parameters, 0, kBadPointer}, Case{RtlPort::parameters, kNoBurst, kOk},
        Case{RtlPort::spins, kLoadSpins, kBadPointer},
        Case{RtlPort::spins, kStoreSpins | kNoBurst, kBadPointer},
        Case{RtlPort::spins, kStoreBest, kOk}, Case{RtlPort::best, kStoreBest, kBadPointer},
        Case{RtlPort::best, kStoreSpins, kOk}, Case{RtlPort::results, 0, kBadPointer},
        Case{RtlPort::results, kNoBurst, kOk}, Case{RtlPort::results, kDescribe, kOk},
        Case{RtlPort::status, kEverything, kBadPointer},
        Case{RtlPort::status, kDescribe, kBadPointer}}) {
    for (std::uint32_t skew : {1U, 2U, 4U}) {
      INFO("buffer " << c.buffer << ", flags " << c.flags << ", " << skew << " bytes off");
      Buffers b = random_buffers(pair.topology(), 3, 2, c.flags, 1), before = b;
      port.prepare(b.call());
      const std::uint64_t written = bytes_written(port);
      port.kernel().write_register(kArguments[c.buffer].offset,
                                   static_cast<std::uint32_t>(port.base(c.buffer)) + skew);
      port.start_prepared();
      port.kernel().run_until_done(100'000);
      CHECK(mirror(port, kWordCode) == c.code);
      port.collect(b.call());
      const bool silent = c.buffer == RtlPort::status;
      if (c.code != kOk) CHECK(bytes_written(port) - written == (silent ? 0 : 64));
      if (silent) CHECK(b.status == before.status);
      if (!silent) CHECK(static_cast<std::uint32_t>(b.status[kWordCode / 2]) == c.code);
    }
  }
}

TEST_CASE("The memory model itself notices a master that breaks AXI's rules", "[5x2]") {
  sim::AxiMemory memory(8);
  sim::AxiRequest request;
  request.read = {true, 0xff8, 0, 1, 3, 1};
  CHECK_THROWS_AS(memory.clock(request), DeviceError);  // crosses 4 KiB
  memory.reset();
  request.read.length = 0;
  memory.clock(request);
  request.read.address = 0xff0;
  memory.reset();
  memory.clock(request);
  request.read.valid = false;
  CHECK_THROWS_AS(memory.clock(request), DeviceError);  // withdrawn before it was taken
}

}  // namespace chainmail::test
