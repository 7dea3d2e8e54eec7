// Transfers by libcurl's multi interface. The address is judged where the socket is opened, after the name was resolved: what a
// name leads to a second time doesn't matter.
#include "server/webhooks/notify.hpp"

#include <algorithm>
#include <array>
#include <list>
#include <span>
#include <stdexcept>

#include <arpa/inet.h>
#include <curl/curl.h>
#include <fmt/format.h>
#include <netinet/in.h>

#include "server/documents/public_address.hpp"
#include "server/documents/webhook_url.hpp"
#include "server/webhooks/sign.hpp"

namespace costcurve::webhooks {

namespace {

constexpr long kConnectMs = 5000;
constexpr long kTotalMs = 10000;
constexpr std::size_t kMaxAnswer = 1U << 20U; // bytes; nothing of them is read

struct FreeEasy {
    void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct FreeMulti {
    void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};
struct FreeList {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

struct Transfer {
    std::int64_t row = 0;
    bool allow_private = false;
    std::string refused; // why an address was not called; "" where none was refused
    std::size_t answered = 0;
    std::string url;
    std::string body;
    std::array<char, CURL_ERROR_SIZE> error{};
    std::unique_ptr<curl_slist, FreeList> headers;
    std::unique_ptr<CURL, FreeEasy> easy; // goes first: it refers to the others
};

std::span<const unsigned char> bytes_of(const sockaddr& address) {
    if (address.sa_family == AF_INET) {
        const auto& in = reinterpret_cast<const sockaddr_in&>(address).sin_addr;
        return {reinterpret_cast<const unsigned char*>(&in), sizeof in};
    }
    if (address.sa_family == AF_INET6) {
        const auto& in = reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
        return {reinterpret_cast<const unsigned char*>(&in), sizeof in};
    }
    return {};
}

std::string refusal_of_address(std::string_view what) {
    return fmt::format("it leads to {} address, which is not called; --allow-private-webhooks allows it", what);
}

curl_socket_t open_socket(void* client, curlsocktype /*purpose*/, curl_sockaddr* address) {
    auto& transfer = *static_cast<Transfer*>(client);
    try { // nothing may be thrown through libcurl
        if (!transfer.allow_private) {
            if (const std::string_view what = documents::not_public(bytes_of(address->addr)); !what.empty()) {
                transfer.refused = refusal_of_address(what);
                return CURL_SOCKET_BAD;
            }
        }
    } catch (...) { return CURL_SOCKET_BAD; }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

std::size_t pass_over(char* /*data*/, std::size_t size, std::size_t count, void* client) {
    auto& transfer = *static_cast<Transfer*>(client);
    transfer.answered += size * count;
    return transfer.answered <= kMaxAnswer ? size * count : 0;
}

template <class Value> void set(CURL* easy, CURLoption option, Value value) {
    if (const CURLcode code = curl_easy_setopt(easy, option, value); code != CURLE_OK) {
        throw std::runtime_error(fmt::format("libcurl takes no option {}: {}", static_cast<int>(option), curl_easy_strerror(code)));
    }
}

void add_header(Transfer& transfer, const std::string& line) {
    curl_slist* const list = curl_slist_append(transfer.headers.get(), line.c_str());
    if (list == nullptr) {
        throw std::bad_alloc();
    }
    static_cast<void>(transfer.headers.release());
    transfer.headers.reset(list);
}

void prepare(Transfer& transfer, const Message& message) {
    CURL* const easy = transfer.easy.get();
    add_header(transfer, "Content-Type: application/json");
    add_header(transfer, "Expect:"); // no waiting for a 100
    add_header(transfer, "X-Costcurve-Event: " + message.kind);
    add_header(transfer, "X-Costcurve-Delivery: " + message.id);
    add_header(transfer, fmt::format("X-Costcurve-Timestamp: {}", message.timestamp));
    add_header(transfer, "X-Costcurve-Signature: " + signature_of(message.secret, message.timestamp, message.body));
    set(easy, CURLOPT_ERRORBUFFER, transfer.error.data());
    set(easy, CURLOPT_PRIVATE, &transfer);
    set(easy, CURLOPT_URL, message.url.c_str());
    set(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    set(easy, CURLOPT_PROXY, ""); // a proxy of the environment would call what we must not
    set(easy, CURLOPT_FOLLOWLOCATION, 0L);
    set(easy, CURLOPT_NOSIGNAL, 1L);
    set(easy, CURLOPT_FORBID_REUSE, 1L);
    set(easy, CURLOPT_CONNECTTIMEOUT_MS, kConnectMs);
    set(easy, CURLOPT_TIMEOUT_MS, kTotalMs);
    set(easy, CURLOPT_OPENSOCKETFUNCTION, &open_socket);
    set(easy, CURLOPT_OPENSOCKETDATA, &transfer);
    set(easy, CURLOPT_WRITEFUNCTION, &pass_over);
    set(easy, CURLOPT_WRITEDATA, &transfer);
    set(easy, CURLOPT_USERAGENT, "costcurve");
    set(easy, CURLOPT_HTTPHEADER, transfer.headers.get());
    set(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(transfer.body.size()));
    set(easy, CURLOPT_POSTFIELDS, transfer.body.c_str());
}

Sent ending_of(const Transfer& transfer, CURLcode code) {
    long status = 0;
    curl_easy_getinfo(transfer.easy.get(), CURLINFO_RESPONSE_CODE, &status);
    Sent sent{transfer.row, code == CURLE_OK && status >= 200 && status < 300, false, std::nullopt, ""};
    if (status != 0) {
        sent.status = static_cast<int>(status);
    }
    if (sent.delivered) {
        return sent;
    }
    if (code == CURLE_WRITE_ERROR) {
        sent.error = fmt::format("the answer is larger than {} bytes", kMaxAnswer);
    } else if (code == CURLE_OK) {
        const bool moved = status >= 300 && status < 400;
        sent.error = fmt::format("it answered {}{}", status, moved ? "; redirects are not followed: give the URL it leads to" : "");
    } else if (!transfer.refused.empty() && code == CURLE_COULDNT_CONNECT) {
        sent.refused = true;
        sent.error = transfer.refused;
    } else if (const std::string_view what = transfer.allow_private ? "" : documents::private_host(transfer.url); !what.empty()) {
        sent.refused = true; // whether or not its name could be looked up
        sent.error = refusal_of_address(what);
    } else if (code == CURLE_URL_MALFORMAT || code == CURLE_UNSUPPORTED_PROTOCOL) { // of an older version's store; so for ever
        sent.refused = true;
        sent.error = "its URL can't be called: " + documents::wrong_with_url(transfer.url);
    } else {
        sent.error = transfer.error.front() != '\0' ? transfer.error.data() : curl_easy_strerror(code);
    }
    return sent;
}

} // namespace

struct Courier::Impl {
    bool allow_private;
    std::unique_ptr<CURLM, FreeMulti> multi;
    std::list<Transfer> transfers;
};

Courier::Courier(bool allow_private) {
    static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
    impl_ = std::make_unique<Impl>(Impl{allow_private, std::unique_ptr<CURLM, FreeMulti>(curl_multi_init()), {}});
    if (ready != CURLE_OK || impl_->multi == nullptr) {
        throw std::runtime_error("libcurl can't be used");
    }
}

Courier::~Courier() {
    for (const Transfer& transfer : impl_->transfers) {
        curl_multi_remove_handle(impl_->multi.get(), transfer.easy.get());
    }
}

void Courier::start(const Message& message) {
    std::list<Transfer> started; // a list of its own until nothing can fail any more
    Transfer& transfer = started.emplace_back();
    transfer.row = message.row;
    transfer.allow_private = impl_->allow_private;
    transfer.url = message.url;
    transfer.body = message.body;
    transfer.easy.reset(curl_easy_init());
    if (transfer.easy == nullptr) {
        throw std::bad_alloc();
    }
    prepare(transfer, message);
    if (const CURLMcode code = curl_multi_add_handle(impl_->multi.get(), transfer.easy.get()); code != CURLM_OK) {
        throw std::runtime_error(fmt::format("libcurl takes no transfer: {}", curl_multi_strerror(code)));
    }
    impl_->transfers.splice(impl_->transfers.end(), started);
}

std::vector<Sent> Courier::wait(std::chrono::milliseconds most) {
    CURLM* const multi = impl_->multi.get();
    std::vector<Sent> all;
    all.reserve(impl_->transfers.size()); // before any has ended: none is lost
    const auto collect = [&] {
        int running = 0;
        curl_multi_perform(multi, &running);
        int left = 0;
        while (const CURLMsg* const done = curl_multi_info_read(multi, &left)) {
            const CURLcode code = done->data.result;
            CURL* const easy = done->easy_handle;
            curl_multi_remove_handle(multi, easy);
            const auto found = std::find_if(impl_->transfers.begin(), impl_->transfers.end(),
                                            [&](const Transfer& transfer) { return transfer.easy.get() == easy; });
            Sent sent{found->row, false, false, std::nullopt, "out of memory"};
            try {
                sent = ending_of(*found, code);
            } catch (...) { // NOLINT(bugprone-empty-catch): it failed, and is said to have failed
            }
            impl_->transfers.erase(found);
            all.push_back(std::move(sent));
        }
    };
    collect();
    if (all.empty()) {
        curl_multi_poll(multi, nullptr, 0, static_cast<int>(most.count()), nullptr);
        collect();
    }
    return all;
}

void Courier::wake() { curl_multi_wakeup(impl_->multi.get()); }

} // namespace costcurve::webhooks
