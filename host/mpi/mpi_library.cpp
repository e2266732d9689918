// libchainmail_mpi.so: MPI-3 behind a handful of C functions. The only file that includes <mpi.h>.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "device/group/mpi_calls.hpp"

namespace {

// MPI-3 counts in int: long messages go in pieces, their length first with the other tag. Pieces
// are small, so that tests send long messages too.
constexpr std::size_t kPiece = std::size_t{1} << 20U;
constexpr int kLast = 1, kMore = 2;

int start(int* rank, int* size) {
  int provided = 0;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) return 1;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, size);
  return 0;
}

struct Sending {
  std::size_t size = 0;
  std::vector<MPI_Request> requests;
};

// Its length first, where it does not fit one piece.
void* send(int rank, const void* bytes, std::size_t count) {
  auto sending = std::make_unique<Sending>();
  sending->size = count;
  const auto begin = [&](const void* from, std::size_t size, int tag) {
    MPI_Request& request = sending->requests.emplace_back();
    return MPI_Isend(from, static_cast<int>(size), MPI_BYTE, rank, tag, MPI_COMM_WORLD, &request) ==
           MPI_SUCCESS;
  };
  const auto* from = static_cast<const std::byte*>(bytes);
  if (count > kPiece && !begin(&sending->size, sizeof sending->size, kMore)) return nullptr;
  do {
    const std::size_t now = std::min(count, kPiece);
    if (!begin(from, now, kLast)) return nullptr;
    from += now;
    count -= now;
  } while (count > 0);
  return sending.release();
}

int sent(void* handle) {
  auto* sending = static_cast<Sending*>(handle);
  int all = 0;
  if (MPI_Testall(static_cast<int>(sending->requests.size()), sending->requests.data(), &all,
                  MPI_STATUSES_IGNORE) != MPI_SUCCESS) {
    return -1;
  }
  if (all != 0) delete sending;
  return all;
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

extern "C" void chainmail_mpi_calls_2(chainmail::MpiCalls* calls) {
  *calls = {start, send, sent, waiting, receive, finish};
}
