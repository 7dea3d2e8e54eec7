// Options of libcurl that webhooks and feeds share, and how an outcome is judged.
#include "server/outgoing/transfer.hpp"

#include <span>

#include <netinet/in.h>

#include "server/documents/public_address.hpp"
#include "server/documents/webhook_url.hpp"

namespace costcurve::outgoing {

namespace {

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

curl_socket_t open_socket(void* client, curlsocktype /*purpose*/, curl_sockaddr* address) {
    auto& judge = *static_cast<AddressJudge*>(client);
    try { // nothing may be thrown through libcurl
        if (!judge.allow_private) {
            if (const std::string_view what = documents::not_public(bytes_of(address->addr)); !what.empty()) {
                judge.refused = refusal_of_address(what, judge.allowed_by);
                return CURL_SOCKET_BAD;
            }
        }
    } catch (...) { return CURL_SOCKET_BAD; }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

} // namespace

void prepare_curl() {
    static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
    if (ready != CURLE_OK) {
        throw std::runtime_error("libcurl can't be used");
    }
}

void add_header(Headers& headers, const std::string& line) {
    curl_slist* const list = curl_slist_append(headers.get(), line.c_str());
    if (list == nullptr) {
        throw std::bad_alloc();
    }
    static_cast<void>(headers.release());
    headers.reset(list);
}

std::string refusal_of_address(std::string_view what, std::string_view allowed_by) {
    return fmt::format("it leads to {} address, which is not called; {} allows it", what, allowed_by);
}

void set_common(CURL* easy, AddressJudge& judge) {
    set(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    set(easy, CURLOPT_PROXY, ""); // a proxy of the environment would call what we must not
    set(easy, CURLOPT_NOSIGNAL, 1L);
    set(easy, CURLOPT_FORBID_REUSE, 1L);
    set(easy, CURLOPT_OPENSOCKETFUNCTION, &open_socket);
    set(easy, CURLOPT_OPENSOCKETDATA, &judge);
    set(easy, CURLOPT_USERAGENT, "costcurve");
}

TransferFailure failure_of(CURLcode code, const AddressJudge& judge, const std::string& url, std::string_view detail) {
    if (!judge.refused.empty() && code == CURLE_COULDNT_CONNECT) {
        return {judge.refused, true};
    }
    if (const std::string_view what = judge.allow_private ? "" : documents::private_host(url); !what.empty()) {
        return {refusal_of_address(what, judge.allowed_by), true}; // whether or not its name could be looked up
    }
    if (code == CURLE_URL_MALFORMAT || code == CURLE_UNSUPPORTED_PROTOCOL) { // of an older version's store; so for ever
        if (const std::string wrong = documents::wrong_with_url(url); !wrong.empty()) {
            return {"its URL can't be called: " + wrong, true};
        }
        return {fmt::format("it redirects to a URL that is not followed: from http to http and https, from https to https ({})",
                            detail.empty() ? curl_easy_strerror(code) : detail),
                true};
    }
    return {std::string(detail.empty() ? curl_easy_strerror(code) : detail), false};
}

} // namespace costcurve::outgoing
