// Makes `chainmail` a program on an F2 instance with two FPGAs (build/chainmail_f2): a ring in slot
// 0, a flip kernel in slot 1.
#include "bar/simulated_f2.hpp"

namespace {

const chainmail::sim::SimulatedF2 instance({"8x3-b17-r64", "16-flips"});

}  // namespace
