// What requests of ours to others have in common: libcurl's handles, its options, and no addresses that are not public. The address
// is judged where the socket is opened, after the name was resolved: what a name leads to a second time doesn't matter.
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

/// Once a process, before any other call. Throws where libcurl can't be used.
void prepare_curl();

/// Throws where libcurl doesn't know the option.
template <class Value> void set(CURL* easy, CURLoption option, Value value) {
    if (const CURLcode code = curl_easy_setopt(easy, option, value); code != CURLE_OK) {
        throw std::runtime_error(fmt::format("libcurl takes no option {}: {}", static_cast<int>(option), curl_easy_strerror(code)));
    }
}

void add_header(Headers& headers, const std::string& line);

/// Which addresses may be called, and the last that was refused. Must outlive the transfer.
struct AddressJudge {
    bool allow_private = false;
    std::string_view allowed_by; ///< the switch of `serve` that allows the others, for messages
    std::string refused;         ///< a sentence; "" where none was
};

/// The sentence for an address that is not called; `what` is it ("a loopback", "a private").
[[nodiscard]] std::string refusal_of_address(std::string_view what, std::string_view allowed_by);

/// What every request has: http and https, no proxy, no signals, our name, and the judge.
void set_common(CURL* easy, AddressJudge& judge);

/// What a failed transfer says: a sentence, and whether it can ever work.
struct TransferFailure {
    std::string problem;
    bool is_refused = false; ///< the address or the URL: trying again doesn't help
};
/// The failure that a code other than CURLE_OK stands for. `detail` is what libcurl wrote into its error buffer, may be "".
[[nodiscard]] TransferFailure failure_of(CURLcode code, const AddressJudge& judge, const std::string& url, std::string_view detail);

} // namespace costcurve::outgoing
