// The few calls of MPI that a run needs, as the library that is loaded for them offers them.
#pragma once

#include <cstddef>

namespace chainmail {

// Each returns 0 when all went well, unless it says otherwise.
struct MpiCalls {
  int (*start)(int* rank, int* size);
  int (*send)(int rank, const void* bytes, std::size_t count);
  int (*waiting)(int rank, std::size_t* count);  // 1 and the size when a message is there
  int (*receive)(int rank, void* bytes, std::size_t count);
  void (*finish)(int abort, int code);
};

inline constexpr const char* kMpiEntry = "chainmail_mpi_calls_1";
using MpiEntry = void (*)(MpiCalls*);

}  // namespace chainmail
