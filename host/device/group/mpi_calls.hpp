// The few calls of MPI that a run needs, as the library that is loaded for them offers them.
#pragma once

#include <cstddef>

namespace chainmail {

// Each returns 0 on success, unless noted.
struct MpiCalls {
  int (*start)(int* rank, int* size);
  // Begins to send; the bytes must stay valid until sent() returns 1 (then the handle is gone) or
  // for ever. Null, and -1 from sent(), when it failed.
  void* (*send)(int rank, const void* bytes, std::size_t count);
  int (*sent)(void* handle);
  int (*waiting)(int rank, std::size_t* count);  // 1 and the size when a message is there
  int (*receive)(int rank, void* bytes, std::size_t count);
  void (*finish)(int abort, int code);
};

inline constexpr const char* kMpiEntry = "chainmail_mpi_calls_2";
using MpiEntry = void (*)(MpiCalls*);

}  // namespace chainmail
