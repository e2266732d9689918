// What other people's compilers and headers will see: the kernel as C++14, using only what UG1399
// documents of <ap_int.h>, and the XRT worker with the interface of XRT 2026.1 (stand-ins for its
// headers are in tests/vitis/xrt_2026; Debian's XRT 2.13 is what `make` builds against).
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "../command.hpp"
#include "../temporary_folder.hpp"
#include "support/atomic_file.hpp"
#include "topology/contract.hpp"
#include "topology/hls_header.hpp"

using namespace chainmail;
using Catch::Contains;

namespace {

namespace fs = std::filesystem;

constexpr const char* kWarnings =
    " -Wall -Wextra -Werror -Wno-unknown-pragmas -Wno-unused-label -Wno-unused-function ";

// Folders with the constants of a topology, and with an <ap_int.h> that converts to built-in
// integers only explicitly, in the place where Vitis has its own.
struct Headers {
  Headers() {
    for (const std::string name : {"16x3", "16x1", "5x2-t9-b17-w2-r16", "40-rows-l2",
                                   "16-rows-l4-b17-w2-r24-f4-m4-p-g", "64-flips"}) {
      fs::create_directory(folder.file(name));
      write_file(folder.file(name + "/topology_constants.hpp"),
                 hls_header(topology_from_name(name)));
    }
    fs::create_directories(folder.file("vitis/include"));
    write_file(folder.file("vitis/include/ap_int.h"), "#define CHAINMAIL_AP_STRICT\n#include \"" +
                                                          fs::absolute("hls/ap/ap_int.h").string() +
                                                          "\"\n#undef CHAINMAIL_AP_INT\n");
  }
  TemporaryFolder folder;
};

}  // namespace

TEST_CASE("the kernel is C++14 for g++ and clang", "[vitis]") {
  const Headers headers;
  for (const std::string compiler : {"g++", "clang++"}) {
    for (const std::string topology : {"16x3", "16x1", "5x2-t9-b17-w2-r16", "40-rows-l2",
                                       "16-rows-l4-b17-w2-r24-f4-m4-p-g", "64-flips"}) {
      const std::string source =
          "hls/" + kernel_function(topology_from_name(topology).options) + ".cpp";
      const std::string common = compiler + " -std=c++14 -fsyntax-only" + kWarnings + "-I" +
                                 headers.folder.file(topology) + " -idirafter hls/ap ";
      const std::string vitis =
          "-DUSE_AMD_AP_INT -isystem " + headers.folder.file("vitis/include") + " ";
      for (const std::string& more : {std::string(), vitis, std::string("-DHLS_DEPTH=300 ")}) {
        const test::Outcome compiled = test::run(fmt::format("{}{}{}", common, more, source));
        INFO(compiler << " " << topology << " " << more << "\n" << compiled.text);
        CHECK(compiled.code == 0);
      }
      // Requesting AMD's headers without a path to them is refused.
      CHECK_THAT(test::run(fmt::format("{}-DUSE_AMD_AP_INT {}", common, source)).text,
                 Contains("AP_INT names a folder without ap_int.h"));
    }
  }
}

TEST_CASE("every port of an HLS kernel has its pragma, on a bus of 64 bits but for an image's own",
          "[vitis]") {
  const Headers headers;
  for (const std::string topology : {"16x3", "40-rows-l2", "64-flips"}) {
    const std::string kernel = kernel_function(topology_from_name(topology).options);
    const std::string text =
        test::run(fmt::format("g++ -std=c++14 -E -P -I{} -idirafter hls/ap hls/{}.cpp",
                              headers.folder.file(topology), kernel))
            .text;
    INFO(kernel);
    std::size_t last = 0;
    for (const contract::Argument& argument : contract::kArguments) {
      INFO(argument.name);
      const auto pragma = [&](const std::string& mode) {
        const std::size_t at = text.find(
            fmt::format("#pragma HLS INTERFACE mode = {} port = {} ", mode, argument.name));
        REQUIRE(at != std::string::npos);
        return at;
      };
      const std::size_t control = pragma("s_axilite");
      CHECK(control > last);  // the order of the register map
      last = control;
      if (!argument.pointer) continue;
      const std::size_t at = pragma("m_axi");
      const std::string line = text.substr(at, text.find('\n', at) - at);
      const bool own = line.find("bundle = rows") != std::string::npos;
      CHECK_THAT(line + ' ',
                 Contains(own ? "max_widen_bitwidth = 256 " : "max_widen_bitwidth = 64 "));
    }
  }
  // HLS may read only half of a line that clang-format has broken.
  CHECK(test::run("grep -n '#pragma.*\\\\$' hls/*.hpp hls/*.cpp").text.empty());
}

TEST_CASE("AP_INT=dir reaches kernels and their tests", "[vitis]") {
  const std::string shown =
      test::run(
          "make -B -n BUILD=debug AP_INT=/opt/hls/include build/debug/ap_int/obj/kernel/16x3.o "
          "build/debug/ap_int/obj/tests/hls/pbit_test.o")
          .text;
  const std::string flags = "-DUSE_AMD_AP_INT -isystem /opt/hls/include";
  INFO(shown);
  CHECK(shown.find(flags) != shown.rfind(flags));
}

TEST_CASE("the worker compiles against XRT 2026.1 without what it deprecates", "[vitis]") {
  for (const std::string source : {"board", "kernels", "main", "guardian"}) {
    const test::Outcome compiled = test::run(
        "g++ -std=c++20 -fsyntax-only -Wall -Wextra -Werror -Ihost -Itests/vitis/xrt_2026 "
        "host/device/xrt/worker/" +
        source + ".cpp");
    INFO(compiled.text);
    CHECK(compiled.code == 0);
  }
  // Deprecated calls are errors there, so this shows that the version test chose the new ones.
  const TemporaryFolder folder;
  write_file(
      folder.file("old.cpp"),
      "#include <xrt/xrt_device.h>\nvoid f(xrt::device d) { d.load_xclbin(std::string()); }\n");
  CHECK_THAT(test::run("g++ -std=c++20 -fsyntax-only -Werror -Itests/vitis/xrt_2026 " +
                       folder.file("old.cpp"))
                 .text,
             Contains("is deprecated"));
}

// 100x3 had 21,200 instructions in one function before its p-bits came in groups.
TEST_CASE("no function of the kernel grows beyond what HLS schedules", "[vitis]") {
  const TemporaryFolder folder;
  write_file(folder.file("topology_constants.hpp"), hls_header(topology_from_name("100x3")));
  const test::Outcome counted = test::run("tests/vitis/ir_size " + folder.file(""));
  INFO(counted.text);
  REQUIRE(counted.code == 0);
  const std::string mark = " instructions, ";
  const std::size_t at = counted.text.find(mark);
  REQUIRE(at != std::string::npos);
  WARN("100x3: " << counted.text);
  CHECK(std::stoul(counted.text.substr(at + mark.size())) < 6000);
  CHECK(std::stoul(counted.text) < 25000);
}
