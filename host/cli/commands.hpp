// The commands of the program, one file each. A command gets its own arguments and returns the
// exit code; errors leave as exceptions.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace chainmail {

using Arguments = std::vector<std::string>;

struct Command {
  const char* name;
  const char* about;
  int (*run)(const Arguments& arguments);
};

int generate_command(const Arguments& arguments);
int info_command(const Arguments& arguments);
int convert_command(const Arguments& arguments);
int tune_command(const Arguments& arguments);
int solve_command(const Arguments& arguments);
int compare_command(const Arguments& arguments);
int check_command(const Arguments& arguments);
int merge_command(const Arguments& arguments);
int sample_command(const Arguments& arguments);
int topology_command(const Arguments& arguments);
int devices_command(const Arguments& arguments);
int selftest_command(const Arguments& arguments);
int bench_command(const Arguments& arguments);
int reproduce_command(const Arguments& arguments);

}  // namespace chainmail
