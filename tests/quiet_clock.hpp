// Time in which no process of the machine had to wait for a core or a disk. A limit on it also
// works on a busy machine, and on a quiet one equals a limit on plain time.
#pragma once

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>

namespace chainmail::test {

class QuietClock {
 public:
  double seconds() const {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    return std::max(0.0, passed.count() - (stalled() - stalled_));
  }

 private:
  // Since the machine started; 0 if its kernel does not report it.
  static double stalled() {
    double sum = 0.0;
    for (const char* name : {"/proc/pressure/cpu", "/proc/pressure/io"}) {
      std::ifstream file(name);
      std::string word;
      while (file >> word && !word.starts_with("total=")) {
      }
      if (word.starts_with("total=")) sum += std::stod(word.substr(6)) * 1e-6;
    }
    return sum;
  }
  double stalled_ = stalled();
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace chainmail::test
