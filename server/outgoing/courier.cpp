// Sends webhooks with libcurl's multi interface.
#include "server/outgoing/courier.hpp"

#include <algorithm>
#include <array>
#include <list>
#include <stdexcept>

#include <curl/curl.h>
#include <fmt/format.h>

#include "server/outgoing/sign.hpp"
#include "server/outgoing/transfer.hpp"

namespace costcurve::outgoing {

namespace {

constexpr long kConnectMs = 5000;
constexpr long kTotalMs = 10000;
constexpr std::size_t kMaxAnswer = 1U << 20U; // bytes; nothing of them is read

struct FreeMulti {
    void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};
struct Transfer {
    std::int64_t row = 0;
    outgoing::AddressJudge judge;
    std::size_t answered = 0;
    std::string url;
    std::string body;
    std::array<char, CURL_ERROR_SIZE> error{};
    outgoing::Headers headers;
    outgoing::Easy easy; // goes first: it refers to the others
};

std::size_t pass_over(char* /*data*/, std::size_t size, std::size_t count, void* client) {
    auto& transfer = *static_cast<Transfer*>(client);
    transfer.answered += size * count;
    return transfer.answered <= kMaxAnswer ? size * count : 0;
}

void prepare(Transfer& transfer, const Message& message) {
    using outgoing::set;
    CURL* const easy = transfer.easy.get();
    outgoing::set_common(easy, transfer.judge);
    outgoing::add_header(transfer.headers, "Content-Type: application/json");
    outgoing::add_header(transfer.headers, "Expect:"); // no waiting for a 100
    outgoing::add_header(transfer.headers, "X-Costcurve-Event: " + message.kind);
    outgoing::add_header(transfer.headers, "X-Costcurve-Delivery: " + message.id);
    outgoing::add_header(transfer.headers, fmt::format("X-Costcurve-Timestamp: {}", message.timestamp));
    outgoing::add_header(transfer.headers,
                         "X-Costcurve-Signature: " + signature_of(message.secret, message.timestamp, message.body));
    set(easy, CURLOPT_ERRORBUFFER, transfer.error.data());
    set(easy, CURLOPT_PRIVATE, &transfer);
    set(easy, CURLOPT_URL, message.url.c_str());
    set(easy, CURLOPT_FOLLOWLOCATION, 0L);
    set(easy, CURLOPT_CONNECTTIMEOUT_MS, kConnectMs);
    set(easy, CURLOPT_TIMEOUT_MS, kTotalMs);
    set(easy, CURLOPT_WRITEFUNCTION, &pass_over);
    set(easy, CURLOPT_WRITEDATA, &transfer);
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
    } else {
        outgoing::TransferFailure failure = outgoing::failure_of(code, transfer.judge, transfer.url, transfer.error.data());
        sent.refused = failure.is_refused;
        sent.error = std::move(failure.problem);
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
    outgoing::prepare_curl();
    impl_ = std::make_unique<Impl>(Impl{allow_private, std::unique_ptr<CURLM, FreeMulti>(curl_multi_init()), {}});
    if (impl_->multi == nullptr) {
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
    transfer.judge = {impl_->allow_private, "--allow-private-webhooks", ""};
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

} // namespace costcurve::outgoing
