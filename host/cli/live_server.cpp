#include "cli/live_server.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>

#include <utility>  // Boost 1.74 forgets it

#include <boost/asio.hpp>
#include <boost/beast.hpp>
#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <random>
#include <thread>

#include "support/error.hpp"

namespace chainmail {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

namespace {

constexpr auto kPatience = std::chrono::seconds(10);    // with a request that does not come
constexpr auto kFarewell = std::chrono::seconds(2);     // for the last page to leave
constexpr auto kRest = std::chrono::milliseconds(200);  // after a connection that failed
constexpr std::size_t kMostSessions = 32, kMostRequest = 8192;

std::string random_word() {
  std::random_device random;
  std::string word;
  for (int k = 0; k < 4; ++k) word += fmt::format("{:08x}", random());
  return word;
}

// As an event: every line of the text is a line of data.
std::string event_of(const std::string& text) {
  std::string event = "data: ";
  for (char c : text) {
    event += c;
    if (c == '\n') event += "data: ";
  }
  return event + "\n\n";
}

}  // namespace

struct LiveServer::State {
  struct Session;

  State(const LiveServerOptions& options, std::string page_head, std::function<void()> on_stop)
      : head(std::move(page_head)), stop(std::move(on_stop)), acceptor(context) {
    boost::system::error_code error;
    const auto address = asio::ip::make_address(options.address, error);
    if (error) throw UsageError("--live-address: '" + options.address + "' is not an IP address");
    const tcp::endpoint place(address, options.port);
    try {
      acceptor.open(place.protocol());
      acceptor.set_option(asio::socket_base::reuse_address(true));
      acceptor.bind(place);
      acceptor.listen();
    } catch (const boost::system::system_error& failure) {
      throw InputError(fmt::format("cannot listen on {} port {}: {}", options.address, options.port,
                                   failure.code().message()));
    }
    accept();
    thread = std::thread([this] { context.run(); });
  }
  ~State() {
    {
      std::unique_lock lock(mutex);
      left.wait_for(lock, kFarewell, [this] { return unsent == 0; });
    }
    context.stop();
    thread.join();
  }

  void accept();
  bool drop_oldest_silent();

  const std::string head, token = random_word(), nonce = random_word();
  const std::function<void()> stop;
  // Shared between threads. Members that a session needs when it ends come before the one that
  // holds sessions.
  std::mutex mutex;
  std::condition_variable left;
  std::string newest = "<main></main>";
  std::uint64_t number = 0;
  std::size_t unsent = 0;  // posts and streams that still have something to send
  std::size_t open_sessions = 0;

  asio::io_context context{1};
  tcp::acceptor acceptor;
  asio::steady_timer pause{context};
  std::thread thread;
  // Only in the context's thread.
  std::list<std::shared_ptr<Session>> streams;
  std::list<std::weak_ptr<Session>> silent;  // may have asked since
};

struct LiveServer::State::Session : std::enable_shared_from_this<Session> {
  Session(State& owner, tcp::socket socket) : state(owner), stream(std::move(socket)) {
    ++state.open_sessions;
  }
  ~Session() {
    --state.open_sessions;
    set_busy(false);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void start() {
    parser.body_limit(kMostRequest);
    parser.header_limit(kMostRequest);
    stream.expires_after(kPatience);
    http::async_read(stream, buffer, parser,
                     [self = shared_from_this()](beast::error_code error, std::size_t) {
                       if (error) return;
                       self->asked = true;
                       self->answer();
                     });
  }

  void answer() {
    const auto& request = parser.get();
    const std::string target(request.target());
    const bool post = request.method() == http::verb::post;
    if (target == "/" + state.token + "/stop" && post) {
      state.stop();
      return reply(http::status::ok, "");
    }
    if (request.method() != http::verb::get) return reply(http::status::method_not_allowed, "");
    if (target == "/" + state.token + "/") return reply(http::status::ok, page());
    if (target == "/" + state.token + "/events") return begin_stream();
    reply(http::status::not_found, "");
  }

  std::string page() {
    std::lock_guard lock(state.mutex);
    return state.head + "<body>" + state.newest +
           fmt::format(
               "<script nonce=\"{}\">const s = new EventSource('events');"
               "s.onmessage = e => {{ document.querySelector('main').outerHTML = e.data; }};"
               "s.onerror = () => s.close();"
               "document.onclick = e => {{ if (e.target.id !== 'stop') return;"
               "e.target.disabled = true; fetch('stop', {{method: 'POST'}}); }};"
               "</script></body>\n</html>\n",
               state.nonce);
  }

  void reply(http::status status, std::string body) {
    response = {status, parser.get().version()};
    response.set(http::field::content_type, "text/html; charset=utf-8");
    response.set(http::field::cache_control, "no-store");
    response.set("Referrer-Policy", "no-referrer");
    response.set("X-Content-Type-Options", "nosniff");
    response.set("Content-Security-Policy",
                 fmt::format("default-src 'none'; style-src 'unsafe-inline'; connect-src 'self'; "
                             "script-src 'nonce-{}'",
                             state.nonce));
    response.keep_alive(false);
    response.body() = std::move(body);
    response.prepare_payload();
    http::async_write(stream, response,
                      [self = shared_from_this()](beast::error_code, std::size_t) {
                        boost::system::error_code ignored;
                        self->stream.socket().shutdown(tcp::socket::shutdown_send, ignored);
                      });
  }

  void begin_stream() {
    stream.expires_never();
    streams = true;
    state.streams.push_back(shared_from_this());
    outgoing =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n"
        "Connection: close\r\n\r\n";
    send();
  }

  // Sends the newest page unless it was sent; one write at a time.
  void send_newest() {
    if (!streams || writing) return;
    {
      std::lock_guard lock(state.mutex);
      if (sent == state.number) return set_busy_locked(false);
      sent = state.number;
      outgoing = event_of(state.newest);
    }
    send();
  }

  void send() {
    writing = true;
    set_busy(true);
    stream.expires_after(kPatience);
    asio::async_write(stream, asio::buffer(outgoing),
                      [self = shared_from_this()](beast::error_code error, std::size_t) {
                        self->writing = false;
                        if (error) {
                          self->streams = false;
                          self->set_busy(false);
                          return;
                        }
                        self->stream.expires_never();
                        self->send_newest();
                      });
  }

  void set_busy(bool now) {
    std::lock_guard lock(state.mutex);
    set_busy_locked(now);
  }
  void set_busy_locked(bool now) {
    if (now == busy) return;
    busy = now;
    state.unsent += now ? 1 : -std::size_t{1};
    state.left.notify_all();
  }

  State& state;
  beast::tcp_stream stream;
  beast::flat_buffer buffer{kMostRequest};
  http::request_parser<http::empty_body> parser;
  http::response<http::string_body> response;
  std::string outgoing;
  std::uint64_t sent = 0;
  bool asked = false, streams = false, writing = false, busy = false;
};

void LiveServer::State::accept() {
  acceptor.async_accept([this](boost::system::error_code error, tcp::socket socket) {
    if (error) {
      // Most likely no descriptors are left: trying again at once would only burn a core.
      pause.expires_after(kRest);
      pause.async_wait([this](boost::system::error_code) { accept(); });
      return;
    }
    if (open_sessions < kMostSessions || drop_oldest_silent()) {
      const auto session = std::make_shared<Session>(*this, std::move(socket));
      silent.remove_if([](const auto& one) { return one.expired(); });
      silent.push_back(session);
      session->start();
    }
    accept();
  });
}

// The oldest connection without a request makes room for others.
bool LiveServer::State::drop_oldest_silent() {
  while (!silent.empty()) {
    const auto oldest = silent.front().lock();
    silent.pop_front();
    if (!oldest || oldest->asked) continue;
    oldest->stream.close();
    return true;
  }
  return false;
}

LiveServer::LiveServer(const LiveServerOptions& options, std::string head,
                       std::function<void()> stop)
    : state_(std::make_unique<State>(options, std::move(head), std::move(stop))) {}

LiveServer::~LiveServer() = default;

namespace {

// An address by which others reach this machine, or the loopback address if it has none.
std::string reachable_host(bool v6) {
  ifaddrs* all = nullptr;
  std::string found = v6 ? "::1" : "127.0.0.1";
  if (::getifaddrs(&all) != 0) return found;
  for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
    const bool up = (one->ifa_flags & IFF_UP) != 0 && (one->ifa_flags & IFF_LOOPBACK) == 0;
    if (!up || one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET) continue;
    char text[INET_ADDRSTRLEN] = {};
    const auto* address = reinterpret_cast<const sockaddr_in*>(one->ifa_addr);
    if (::inet_ntop(AF_INET, &address->sin_addr, text, sizeof text) != nullptr) found = text;
    break;
  }
  ::freeifaddrs(all);
  return found;
}

}  // namespace

std::string LiveServer::url() const {
  const tcp::endpoint place = state_->acceptor.local_endpoint();
  const bool any = place.address().is_unspecified();
  const std::string host =
      any ? reachable_host(place.address().is_v6()) : place.address().to_string();
  const bool brackets = host.find(':') != std::string::npos;
  return fmt::format("http://{}:{}/{}/", brackets ? "[" + host + "]" : host, place.port(),
                     state_->token);
}

bool LiveServer::visible_from_outside() const {
  return !state_->acceptor.local_endpoint().address().is_loopback();
}

void LiveServer::publish(std::string main_element) {
  State& state = *state_;
  {
    std::lock_guard lock(state.mutex);
    state.newest = std::move(main_element);
    ++state.number;
    ++state.unsent;  // until the context has seen it
  }
  asio::post(state.context, [&state] {
    state.streams.remove_if([](const auto& session) { return !session->streams; });
    for (const auto& session : state.streams) session->send_newest();
    std::lock_guard lock(state.mutex);
    --state.unsent;
    state.left.notify_all();
  });
}

}  // namespace chainmail
