// Serves the page of a run to a browser while it runs: one page, one stream of events, which
// replace its <main>, and a POST that stops the run. It reads no files and answers no request
// without the token in its address.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace chainmail {

struct LiveServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  // 0: a free one
};

class LiveServer {
 public:
  // `head` is a page up to its <body>. Throws InputError where the address cannot be listened on.
  // `stop` is called from the server's thread, as often as the button is pressed.
  LiveServer(const LiveServerOptions& options, std::string head, std::function<void()> stop);
  ~LiveServer();  // gives viewers a moment to get the last page

  // One that works: where any address is listened on, this machine's own in the network.
  std::string url() const;
  bool visible_from_outside() const;
  // From any thread; slow viewers get only the newest.
  void publish(std::string main_element);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace chainmail
