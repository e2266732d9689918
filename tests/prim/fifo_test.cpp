// The FIFO against a queue of the standard library: random traffic, full, empty and cleared.
#include <Vfifo.h>

#include <catch2/catch.hpp>
#include <deque>

#include "bench.hpp"

namespace chainmail::test {

TEST_CASE("The FIFO gives back what it took, in its order", "[prim]") {
  Bench<Vfifo> fifo;
  fifo->clear_i = 0;
  fifo->in_valid_i = fifo->out_ready_i = 0;
  fifo.reset();
  std::deque<unsigned> model;
  Engine engine(1);
  std::size_t fullest = 0;
  for (int clock = 0; clock < 20000; ++clock) {
    // Phases that fill, drain and mix.
    const unsigned phase = clock / 50 % 3;
    fifo->in_valid_i = phase != 1 || engine() % 3 == 0;
    fifo->out_ready_i = phase != 0 || engine() % 3 == 0;
    fifo->in_data_i = static_cast<unsigned char>(engine());
    fifo->clear_i = engine() % 97 == 0;
    fifo.settle();
    REQUIRE(bool(fifo->in_ready_o) == (model.size() < 4));
    REQUIRE(bool(fifo->out_valid_o) == !model.empty());
    if (!model.empty()) REQUIRE(fifo->out_data_o == model.front());
    const bool push = fifo->in_valid_i && fifo->in_ready_o;
    const bool pop = fifo->out_ready_i && fifo->out_valid_o;
    const unsigned word = fifo->in_data_i;
    if (pop) model.pop_front();
    if (push) model.push_back(word);
    if (fifo->clear_i) model.clear();
    fullest = std::max(fullest, model.size());
    fifo.edge();
  }
  CHECK(fullest == 4);
}

}  // namespace chainmail::test
