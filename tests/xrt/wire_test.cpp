// The message codec and the containers, without XRT.
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <limits>

#include "support.hpp"
#include "xrt/memory.hpp"
#include "xrt/wire.hpp"
#include "xrt/zip.hpp"

using namespace chainmail;

TEST_CASE("numbers and bytes survive the wire", "[xrt]") {
  for (const std::uint64_t value :
       {0ull, 1ull, 127ull, 128ull, 300ull, 0x4000000000ull, 0xffffffffffffffffull}) {
    emu::MessageWriter out;
    out.number(1, value);
    out.bytes(2, std::string("a\0b", 3));
    out.number(31, value / 2);
    const emu::MessageReader in(out.encoded());
    CHECK(in.number(1) == value);
    CHECK(in.bytes(2) == std::string("a\0b", 3));
    CHECK(in.number(31) == value / 2);
    CHECK(in.number_or(7, 42) == 42);
    CHECK_THROWS(in.number(7));
    CHECK_THROWS(in.number(2));
    CHECK_THROWS(in.bytes(1));
  }
}

TEST_CASE("the encoding is the one protocol buffers document", "[xrt]") {
  emu::MessageWriter out;
  out.number(1, 150);
  out.bytes(2, "testing");
  CHECK(out.encoded() == std::string("\x08\x96\x01\x12\x07testing"));
  const emu::MessageReader fixed(
      std::string_view("\x0d\x01\x00\x00\x00\x11\x02\0\0\0\0\0\0\0", 14));
  CHECK(fixed.number(1) == 1);
  CHECK(fixed.number(2) == 2);
}

TEST_CASE("malformed messages are refused", "[xrt]") {
  for (const std::string& bad : {std::string("\x08"), std::string("\x08\xff\xff"),
                                 std::string("\x12\x05"
                                             "ab"),
                                 std::string("\x0b"), std::string("\x0d\x01\x02"),
                                 std::string("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")})
    CHECK_THROWS(emu::MessageReader(bad));
}

TEST_CASE("the zip archive is one unzip accepts", "[xrt]") {
  const test::PrivateTmp tmp;
  const std::string path = tmp.file("a.zip");
  std::ofstream(path, std::ios::binary)
      << emu::make_zip({{"one/two.sh", "#!/bin/sh\necho hello\n", true},
                        {"three", std::string(100'000, 'x'), false},
                        {"empty", "", false}});
  REQUIRE(std::system(("unzip -tqq " + path).c_str()) == 0);
  REQUIRE(std::system(("unzip -qq " + path + " -d " + tmp.file("out")).c_str()) == 0);
  CHECK(std::system(("test \"$(" + tmp.file("out/one/two.sh") + ")\" = hello").c_str()) == 0);
  CHECK(std::system(("test ! -x " + tmp.file("out/three")).c_str()) == 0);
}

TEST_CASE("kernel accesses outside of allocated buffers are seen", "[xrt]") {
  emu::SharedDevice device(std::chrono::nanoseconds(0));
  emu::Memory memory(device);
  const std::uint64_t one = emu::platform::banks[0].base, two = emu::platform::banks[1].base;
  const std::uint64_t size = emu::platform::bank_size;
  memory.allocate(one + 0x1000, 64);
  memory.allocate(two, size);
  CHECK(memory.in_buffer(one + 0x1000, 64) != nullptr);
  CHECK(memory.in_buffer(one + 0x1020, 32) != nullptr);
  CHECK(memory.in_buffer(one + 0x1020, 33) == nullptr);
  CHECK(memory.in_buffer(one + 0xfff, 1) == nullptr);
  CHECK(memory.in_bank(one + 0xfff, 1) != nullptr);
  CHECK(memory.in_bank(one + size - 1, 2) == nullptr);
  CHECK(memory.in_bank(one - 1, 1) == nullptr);
  CHECK(memory.in_bank(0, 1) == nullptr);
  CHECK(memory.in_bank(one, std::numeric_limits<std::uint64_t>::max()) == nullptr);
  CHECK(memory.buffer_at(two + size - 1).base == two);
  CHECK(memory.buffer_at(two + size).size == 0);
  memory.free(one + 0x1000);
  CHECK(memory.in_buffer(one + 0x1000, 1) == nullptr);
}

TEST_CASE("the same input gives the same xclbin", "[xrt]") {
  const test::PrivateTmp tmp;
  const std::string path = test::adder_xclbin(tmp);
  const auto content = [&] {
    std::ifstream file(path, std::ios::binary);
    return std::string((std::istreambuf_iterator<char>(file)), {});
  };
  const std::string first = content();
  test::adder_xclbin(tmp);
  CHECK(content() == first);
  test::adder_xclbin(tmp, 2);
  CHECK(first.size() % 8 == 0);
}
