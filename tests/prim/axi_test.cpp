// The AXI masters on a bench of their own: what the memory model behind a whole kernel cannot see.
#include <Vaddresses.h>
#include <Vloader.h>
#include <Vreader.h>
#include <Vwriter.h>

#include <catch2/catch.hpp>
#include <vector>

#include "bench.hpp"

namespace chainmail::test {

TEST_CASE("The first error of a transfer is the one that stays", "[prim]") {
  for (unsigned first : {2U, 3U}) {
    Bench<Vaddresses> channel;
    channel->cmd_valid_i = channel->hold_i = channel->response_i = channel->last_i = 0;
    channel->resp_i = 0;
    channel->axready_i = 1;
    channel.reset();
    channel->cmd_valid_i = 1;
    channel->cmd_addr_i = 0;
    channel->cmd_beats_i = 32;
    channel.edge();
    channel->cmd_valid_i = 0;
    for (int i = 0; i < 6; ++i) channel.edge();  // three bursts are out
    CHECK(channel->error_o == 0);
    const auto respond = [&](unsigned response) {
      channel->response_i = channel->last_i = 1;
      channel->resp_i = static_cast<unsigned char>(response);
      channel.edge();
      channel->response_i = 0;
      channel.edge();  // a response passes a register first
    };
    respond(0);
    CHECK(channel->error_o == 0);
    respond(first);
    CHECK(channel->error_o == first);
    respond(5 - first);
    CHECK(channel->error_o == first);
    while (!channel->cmd_ready_o) {  // what was requested before the error still has to end
      REQUIRE(channel->open_o);
      respond(0);
    }
    CHECK(channel->error_o == first);
    channel->cmd_valid_i = 1;
    channel->cmd_beats_i = 1;
    channel.edge();
    CHECK(channel->error_o == 0);
  }
}

TEST_CASE("A burst is offered before the memory is ready for it", "[prim]") {
  Bench<Vaddresses> channel;
  channel->cmd_valid_i = channel->hold_i = channel->response_i = channel->axready_i = 0;
  channel.reset();
  CHECK(!channel->axvalid_o);
  channel->cmd_valid_i = 1;
  channel->cmd_addr_i = 0x1000;
  channel->cmd_beats_i = 3;
  channel.edge();
  channel->cmd_valid_i = 0;
  for (int i = 0; i < 3; ++i) channel.edge();  // two to work it out, one to the register
  CHECK(channel->axvalid_o);
  for (int i = 0; i < 20; ++i) channel.edge();
  CHECK(channel->axvalid_o);
  CHECK(channel->axaddr_o == 0x1000);
  CHECK(channel->axlen_o == 2);
}

TEST_CASE("After an error a write completes its bursts and writes nothing more", "[prim]") {
  // Errors at every place of a transfer of 40 beats in bursts of 8, data channel ready or not.
  for (unsigned slow : {0U, 1U}) {
    for (unsigned failing = 0; failing < 5; ++failing) {
      Bench<Vwriter> writer;
      writer->cmd_valid_i = writer->data_valid_i = writer->bvalid_i = 0;
      writer->awready_i = 1;
      writer.reset();
      writer->cmd_valid_i = 1;
      writer->cmd_addr_i = 0x2000;
      writer->cmd_beats_i = 40;
      writer.edge();
      writer->cmd_valid_i = 0;
      unsigned answered = 0, owed = 0, beats = 0, in_burst = 0, strobed_after = 0, words = 0;
      bool failed = false;
      for (int clock = 0; clock < 600 && !(clock > 2 && writer->cmd_ready_o); ++clock) {
        writer->data_valid_i = 1;
        writer->data_i = 0x1000 + words;
        writer->wready_i = slow == 0 || clock % 3 == 0;
        writer->bvalid_i = owed > 0;
        writer->bresp_i = answered == failing ? 2 : 0;
        writer.settle();
        const bool beat = writer->wvalid_o && writer->wready_i;
        const bool answer = writer->bvalid_i && writer->bready_o;
        if (beat) {
          REQUIRE(bool(writer->wlast_o) == (in_burst == 7));
          if (!failed) REQUIRE(writer->wstrb_o == 0xff);
          if (!failed) REQUIRE(writer->wdata_o == 0x1000 + beats);
          if (failed && writer->wstrb_o != 0) ++strobed_after;
          in_burst = writer->wlast_o ? 0 : in_burst + 1;
          ++beats;
          if (writer->wlast_o) ++owed;
        }
        words += writer->data_valid_i && writer->data_ready_o;
        if (answer) {
          failed |= answered == failing;
          ++answered;
          --owed;
        }
        writer.edge();
      }
      INFO("answer " << failing << (slow != 0 ? ", slow" : ""));
      REQUIRE(writer->cmd_ready_o);
      CHECK(writer->error_o == 2);
      CHECK(beats % 8 == 0);
      CHECK(beats == 8 * answered);
      // The beat that stood on the channel may not change; one more while the response is in its
      // register.
      CHECK(strobed_after <= 2);
      if (failing == 0) CHECK(words < 40);
    }
  }
}

TEST_CASE("After an error a read takes what is still on its way, wanted or not", "[prim]") {
  for (unsigned failing = 0; failing < 24; ++failing) {
    Bench<Vreader> reader;
    reader->cmd_valid_i = reader->rvalid_i = reader->rresp_i = reader->rlast_i = 0;
    reader->arready_i = 1;
    reader.reset();
    reader->cmd_valid_i = 1;
    reader->cmd_addr_i = 0x4000;
    reader->cmd_beats_i = 24;  // three bursts of eight
    reader.edge();
    reader->cmd_valid_i = 0;
    unsigned asked = 0, given = 0, taken = 0;
    for (int clock = 0; clock < 200 && !(clock > 2 && reader->cmd_ready_o); ++clock) {
      reader->data_ready_i = given < failing;  // after a lost word no more are accepted
      reader->rvalid_i = given < asked;
      reader->rdata_i = 0x7000 + given;
      reader->rresp_i = given == failing ? 2 : 0;
      reader->rlast_i = given % 8 == 7;
      reader.settle();
      if (reader->data_valid_o && reader->data_ready_i) {
        REQUIRE(reader->data_o == 0x7000 + taken);
        ++taken;
      }
      const bool beat = reader->rvalid_i && reader->rready_o;
      if (reader->arvalid_o) asked += reader->arlen_o + 1U;
      reader.edge();
      given += beat;
    }
    INFO("beat " << failing);
    CHECK(reader->cmd_ready_o);
    CHECK(given == asked);
    CHECK(taken == failing);
    CHECK(reader->error_o == 2);
  }
}

TEST_CASE("A load is over when its last word is taken, however slow the tables are", "[prim]") {
  for (unsigned patience : {1U, 4U, 9U}) {
    Bench<Vloader> loader;
    loader->start_i = loader->rvalid_i = loader->rresp_i = loader->table_ready_i = 0;
    loader->arready_i = 1;
    loader.reset();
    CHECK(!loader->busy_o);
    loader->start_i = 1;
    loader->kind_i = 0;  // tables
    loader->address_i = 0x1000;
    loader->beats_i = 5;
    loader.edge();
    loader->start_i = 0;
    std::vector<std::uint64_t> taken;
    bool open = false;
    unsigned given = 0;
    for (unsigned clock = 0; loader->busy_o; ++clock) {
      REQUIRE(clock < 100);
      loader->rvalid_i = open && given < 5;
      loader->rdata_i = 0x5000 + given;
      loader->rlast_i = given == 4;
      loader->table_ready_i = clock % patience == 0;
      loader.settle();
      open |= loader->arvalid_o;
      given += loader->rvalid_i && loader->rready_o;
      if (loader->table_valid_o && loader->table_ready_i) taken.push_back(loader->word_o);
      loader.edge();
    }
    CHECK(taken == std::vector<std::uint64_t>{0x5000, 0x5001, 0x5002, 0x5003, 0x5004});
    CHECK(!loader->error_o);
  }
}

TEST_CASE("Write data is offered before the memory is ready for it", "[prim]") {
  Bench<Vwriter> writer;
  writer->cmd_valid_i = writer->bvalid_i = writer->wready_i = writer->awready_i = 0;
  writer->data_valid_i = 1;
  writer.reset();
  CHECK(!writer->wvalid_o);
  CHECK(!writer->awvalid_o);
  writer->cmd_valid_i = 1;
  writer->cmd_addr_i = 0x2000;
  writer->cmd_beats_i = 2;
  writer.edge();
  writer->cmd_valid_i = 0;
  for (int i = 0; i < 4; ++i) writer.edge();
  CHECK(writer->awvalid_o);
  CHECK(writer->wvalid_o);
}

}  // namespace chainmail::test
