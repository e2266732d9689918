// libchainmail_mpi.so: MPI-3 behind a handful of C functions. Only here is <mpi.h> seen.
#include <mpi.h>

#include <algorithm>
#include <cstddef>

#include "device/group/mpi_calls.hpp"

namespace {

// MPI-3 counts in int: what is longer goes in pieces, all but the last with the other tag.
constexpr std::size_t kPiece = std::size_t{1} << 30U;
constexpr int kLast = 1, kMore = 2;

int start(int* rank, int* size) {
  int provided = 0;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) return 1;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, size);
  return 0;
}

int send(int rank, const void* bytes, std::size_t count) {
  const auto* from = static_cast<const std::byte*>(bytes);
  const std::size_t size = count;
  // Its length first, where it does not fit one piece.
  if (count > kPiece && MPI_Send(&size, sizeof size, MPI_BYTE, rank, kMore, MPI_COMM_WORLD) != 0) {
    return 1;
  }
  do {
    const std::size_t now = std::min(count, kPiece);
    if (MPI_Send(from, static_cast<int>(now), MPI_BYTE, rank, kLast, MPI_COMM_WORLD) != 0) return 1;
    from += now;
    count -= now;
  } while (count > 0);
  return 0;
}

int waiting(int rank, std::size_t* count) {
  MPI_Status status;
  int there = 0;
  if (MPI_Iprobe(rank, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS) return -1;
  if (there == 0) return 0;
  if (status.MPI_TAG == kMore) {
    std::size_t size = 0;
    if (MPI_Recv(&size, sizeof size, MPI_BYTE, rank, kMore, MPI_COMM_WORLD, MPI_STATUS_IGNORE) != 0)
      return -1;
    *count = size;
    return 1;
  }
  int bytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  *count = static_cast<std::size_t>(bytes);
  return 1;
}

int receive(int rank, void* bytes, std::size_t count) {
  auto* to = static_cast<std::byte*>(bytes);
  do {
    const std::size_t now = std::min(count, kPiece);
    if (MPI_Recv(to, static_cast<int>(now), MPI_BYTE, rank, kLast, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE) != MPI_SUCCESS) {
      return 1;
    }
    to += now;
    count -= now;
  } while (count > 0);
  return 0;
}

void finish(int abort, int code) {
  if (abort != 0) MPI_Abort(MPI_COMM_WORLD, code);
  MPI_Finalize();
}

}  // namespace

extern "C" void chainmail_mpi_calls_1(chainmail::MpiCalls* calls) {
  *calls = {start, send, waiting, receive, finish};
}
