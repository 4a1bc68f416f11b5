// NATS carries messages and nothing else: it keeps none, so a server that is killed and started again loses what was
// under way, which is said again. No other file names it.
#include <nats.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <condition_variable>
#include <cstring>
#include <deque>
#include <filesystem>
#include <map>
#include <mutex>

#include "base/random.h"
#include "dist/transport.h"

namespace heddle::dist {
namespace {

// A message of the server's has a megabyte at most, so that longer ones travel in pieces.
constexpr std::size_t kPiece = 512u << 10;
constexpr std::uint32_t kMostPieces = 1u << 12;
constexpr std::size_t kMostUnfinished = 64;

struct PieceHead {
  std::uint64_t message;
  std::uint32_t index, count;
};

class NatsTransport final : public Transport {
 public:
  NatsTransport() = default;
  ~NatsTransport() override {
    for (natsSubscription* subscription : subscriptions_) natsSubscription_Destroy(subscription);
    if (connection_ != nullptr) natsConnection_FlushTimeout(connection_, 1000);
    natsConnection_Destroy(connection_);
    natsOptions_Destroy(options_);
    if (event_ >= 0) close(event_);
  }

  std::optional<Error> open(const Credentials& access, const std::vector<std::string>& subjects) {
    event_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    natsOptions_Create(&options_);
    natsOptions_SetURL(options_, access.url.c_str());
    natsOptions_SetAllowReconnect(options_, true);
    natsOptions_SetMaxReconnect(options_, -1);
    natsOptions_SetReconnectWait(options_, 300);
    natsOptions_SetTimeout(options_, 3000);
    natsOptions_SetSendAsap(options_, true);
    // What goes wrong later (a server that went away, a subject that is not ours) shows by silence.
    natsOptions_SetErrorHandler(options_, [](natsConnection*, natsSubscription*, natsStatus, void*) {}, nullptr);
    if (!access.folder.empty())
      if (auto error = use_certificates(access)) return error;
    if (const natsStatus status = natsConnection_Connect(&connection_, options_); status != NATS_OK)
      return Error{"no nats-server answers at " + access.url + " (" + natsStatus_GetText(status) +
                   "); start one (docs/distribution.md), and check the address" +
                   (access.folder.empty() ? "" : " and the certificates in " + access.folder)};
    for (const std::string& subject : subjects) {
      natsSubscription* subscription = nullptr;
      if (natsConnection_Subscribe(&subscription, connection_, subject.c_str(), &NatsTransport::arrived, this) !=
          NATS_OK)
        return Error{"the nats-server at " + access.url + " does not let us listen to " + subject +
                     "; check the rights of the certificate"};
      natsSubscription_SetPendingLimits(subscription, -1, -1);
      subscriptions_.push_back(subscription);
    }
    natsConnection_FlushTimeout(connection_, 3000);
    return std::nullopt;
  }

  void publish(const std::string& subject, const Bytes& message) override {
    const std::size_t count = message.size() / kPiece + 1;
    PieceHead head{random_.next(), 0, static_cast<std::uint32_t>(count)};
    for (std::size_t i = 0; i < count; ++i) {
      head.index = static_cast<std::uint32_t>(i);
      const std::size_t begin = i * kPiece, end = std::min(message.size(), begin + kPiece);
      Bytes piece(sizeof head + end - begin);
      std::memcpy(piece.data(), &head, sizeof head);
      std::copy(message.begin() + static_cast<std::ptrdiff_t>(begin),
                message.begin() + static_cast<std::ptrdiff_t>(end), piece.begin() + sizeof head);
      natsConnection_Publish(connection_, subject.c_str(), piece.data(), static_cast<int>(piece.size()));
    }
  }

  std::optional<Bytes> next(std::chrono::milliseconds time) override {
    std::unique_lock lock(mutex_);
    arrived_.wait_for(lock, time, [&] { return !messages_.empty(); });
    if (messages_.empty()) return std::nullopt;
    Bytes message = std::move(messages_.front());
    messages_.pop_front();
    std::uint64_t any = 0;
    if (messages_.empty()) (void)!::read(event_, &any, sizeof any);
    return message;
  }

  int readable() const override { return event_; }

 private:
  std::optional<Error> use_certificates(const Credentials& access) {
    const std::string ca = access.folder + "/ca.pem", own = access.folder + "/" + access.role;
    for (const std::string& file : {ca, own + ".pem", own + "-key.pem"})
      if (!std::filesystem::exists(file))
        return Error{"there is no \"" + file + "\"; scripts/team-certificates makes the files"};
    natsOptions_SetSecure(options_, true);
    if (natsOptions_LoadCATrustedCertificates(options_, ca.c_str()) != NATS_OK ||
        natsOptions_LoadCertificatesChain(options_, (own + ".pem").c_str(), (own + "-key.pem").c_str()) != NATS_OK)
      return Error{"the certificates in \"" + access.folder +
                   "\" cannot be read; make them again with "
                   "scripts/team-certificates"};
    return std::nullopt;
  }

  // In a thread of the library's.
  static void arrived(natsConnection*, natsSubscription*, natsMsg* message, void* closure) {
    auto* self = static_cast<NatsTransport*>(closure);
    const auto data = reinterpret_cast<const std::uint8_t*>(natsMsg_GetData(message));
    self->take({data, static_cast<std::size_t>(natsMsg_GetDataLength(message))});
    natsMsg_Destroy(message);
  }

  void take(std::span<const std::uint8_t> bytes) {
    PieceHead head;
    if (bytes.size() < sizeof head) return;
    std::memcpy(&head, bytes.data(), sizeof head);
    if (head.count == 0 || head.count > kMostPieces || head.index >= head.count) return;
    const std::lock_guard lock(mutex_);
    auto& pieces = unfinished_[head.message];
    pieces[head.index].assign(bytes.begin() + sizeof head, bytes.end());
    if (pieces.size() < head.count) {
      if (unfinished_.size() > kMostUnfinished) unfinished_.erase(unfinished_.begin());
      return;
    }
    Bytes whole;
    for (const auto& [index, piece] : pieces) whole.insert(whole.end(), piece.begin(), piece.end());
    unfinished_.erase(head.message);
    messages_.push_back(std::move(whole));
    const std::uint64_t one = 1;
    (void)!write(event_, &one, sizeof one);
    arrived_.notify_one();
  }

  natsOptions* options_ = nullptr;
  natsConnection* connection_ = nullptr;
  std::vector<natsSubscription*> subscriptions_;
  int event_ = -1;
  Random random_{static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()) ^
                 (static_cast<std::uint64_t>(getpid()) << 40)};
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::map<std::uint64_t, std::map<std::uint32_t, Bytes>> unfinished_;
  std::deque<Bytes> messages_;
};

bool is_on_this_machine(const std::string& url) {
  std::string host = url.substr(std::min(url.size(), url.find("://") == url.npos ? 0 : url.find("://") + 3));
  if (host.starts_with("[::1]")) return true;
  host = host.substr(0, host.find_first_of(":/"));
  return host == "localhost" || host == "127.0.0.1";
}

}  // namespace

Result<std::unique_ptr<Transport>> connect(const Credentials& access, const std::vector<std::string>& subjects) {
  if (access.folder.empty() && !is_on_this_machine(access.url))
    return Error{"\"" + access.url +
                 "\" is another machine, and nobody is trusted there without a certificate; add --tls=FOLDER "
                 "(scripts/team-certificates makes one)"};
  auto transport = std::make_unique<NatsTransport>();
  if (auto error = transport->open(access, subjects)) return *error;
  return std::unique_ptr<Transport>(std::move(transport));
}

}  // namespace heddle::dist
