// Shared parts of outgoing requests: libcurl handles, options, and the ban on addresses that aren't public. Addresses are checked
// when the socket is opened, after name resolution, so a second resolution can't evade the check.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include <curl/curl.h>
#include <fmt/format.h>

namespace costcurve::outgoing {

struct FreeEasy {
    void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
using Easy = std::unique_ptr<CURL, FreeEasy>;
struct FreeList {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using Headers = std::unique_ptr<curl_slist, FreeList>;

/// Initializes libcurl; call once per process before any other call. Throws if libcurl can't be used.
void prepare_curl();

/// Throws where libcurl doesn't know the option.
template <class Value> void set(CURL* easy, CURLoption option, Value value) {
    if (const CURLcode code = curl_easy_setopt(easy, option, value); code != CURLE_OK) {
        throw std::runtime_error(fmt::format("libcurl takes no option {}: {}", static_cast<int>(option), curl_easy_strerror(code)));
    }
}

void add_header(Headers& headers, const std::string& line);

/// Decides which addresses may be called, and keeps the last refusal. Must outlive the transfer.
struct AddressJudge {
    bool allow_private = false;
    std::string_view allowed_by; ///< the switch of `serve` that allows the others, for messages
    std::string refused;         ///< a sentence; "" where none was
};

/// The sentence for an address that is not called; `what` is it ("a loopback", "a private").
[[nodiscard]] std::string refusal_of_address(std::string_view what, std::string_view allowed_by);

/// Sets the options of every request: http and https, no proxy, no signals, our user agent, and the address check.
void set_common(CURL* easy, AddressJudge& judge);

/// Description of a failed transfer, and whether a retry can succeed.
struct TransferFailure {
    std::string problem;
    bool is_refused = false; ///< the address or the URL: trying again doesn't help
};
/// The failure that a code other than CURLE_OK stands for. `detail` is what libcurl wrote into its error buffer, may be "".
[[nodiscard]] TransferFailure failure_of(CURLcode code, const AddressJudge& judge, const std::string& url, std::string_view detail);

} // namespace costcurve::outgoing
