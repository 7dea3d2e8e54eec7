// Parses a webhook's URL with libcurl, which also calls it.
#include "server/documents/webhook_url.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>

#include <arpa/inet.h>
#include <curl/curl.h>
#include <fmt/format.h>
#include <netinet/in.h>

#include "server/documents/public_address.hpp"

namespace costcurve::documents {

namespace {

constexpr std::size_t kMaxUrl = 2048; // bytes

struct FreeUrl {
    void operator()(CURLU* url) const { curl_url_cleanup(url); }
};

// A part of a URL as libcurl parses it, with addresses in their usual form; nullopt if the URL lacks it.
std::optional<std::string> part_of(CURLU* url, CURLUPart part) {
    char* text = nullptr;
    if (curl_url_get(url, part, &text, 0) != CURLUE_OK || text == nullptr) {
        return std::nullopt;
    }
    const std::unique_ptr<char, decltype(&curl_free)> owned(text, &curl_free);
    return std::string(text);
}

// Why a host name is invalid (RFC 1123, section 2.1); "" if it is valid.
std::string wrong_with_host(std::string_view host) {
    constexpr std::size_t kMaxHost = 253;
    constexpr std::size_t kMaxLabel = 63;
    if (host.starts_with('[')) {
        return "";
    }
    if (std::any_of(host.begin(), host.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; })) {
        return "url has a host with letters or digits beyond ASCII; give it in its form of the DNS, xn--…";
    }
    host = host.substr(0, host.size() - (host.ends_with('.') ? 1 : 0));
    std::string_view label;
    for (std::string_view rest = host; label.data() == nullptr || !rest.empty();) {
        label = rest.substr(0, rest.find('.'));
        rest.remove_prefix(std::min(rest.size(), label.size() + 1));
        const bool is_good = std::all_of(label.begin(), label.end(), [](char c) {
            return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
        });
        if (!is_good || label.empty() || label.size() > kMaxLabel || host.size() > kMaxHost) {
            return "url has a host that is no name of the DNS and no address";
        }
    }
    const bool is_number = label.find_first_not_of("0123456789") == std::string_view::npos;
    in_addr address{};
    if (is_number && inet_pton(AF_INET, std::string(host).c_str(), &address) != 1) {
        return "url has a host of digits that is no IPv4 address; give four numbers from 0 to 255";
    }
    return "";
}

} // namespace

std::string wrong_with_url(const std::string& url) {
    const std::unique_ptr<CURLU, FreeUrl> parsed(curl_url());
    if (url.size() > kMaxUrl) {
        return fmt::format("url has {} bytes; allowed up to {}", url.size(), kMaxUrl);
    }
    const bool no_host = url.find(":///") == url.find(':'); // libcurl takes these
    if (no_host || curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK ||
        url.find('\0') != std::string::npos) {
        return "url is no URL with a host, such as https://example.org/hook";
    }
    const std::string scheme = part_of(parsed.get(), CURLUPART_SCHEME).value_or("");
    if (scheme != "http" && scheme != "https") {
        return "url must begin with http:// or https://";
    }
    if (part_of(parsed.get(), CURLUPART_USER) || part_of(parsed.get(), CURLUPART_PASSWORD)) {
        return "url has a name or password, which readers of the document would see; leave it out: the signature says who calls";
    }
    if (part_of(parsed.get(), CURLUPART_PORT) == "0") {
        return "url has the port 0, at which nothing can listen; leave it out, or give another";
    }
    return wrong_with_host(part_of(parsed.get(), CURLUPART_HOST).value_or(""));
}

std::string_view private_host(const std::string& url) {
    const std::unique_ptr<CURLU, FreeUrl> parsed(curl_url());
    if (curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK) {
        return "";
    }
    std::string host = part_of(parsed.get(), CURLUPART_HOST).value_or("");
    std::transform(host.begin(), host.end(), host.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    host.resize(host.find_last_not_of('.') + 1);               // a dot at the end says that the name is whole
    if (host == "localhost" || host.ends_with(".localhost")) { // RFC 6761
        return "a loopback";
    }
    std::array<unsigned char, sizeof(in6_addr)> address{};
    if (inet_pton(AF_INET, host.c_str(), address.data()) == 1) {
        return not_public(std::span(address).first(sizeof(in_addr)));
    }
    if (host.starts_with('[')) {
        host = host.substr(1, host.find_first_of("%]") - 1);
        return inet_pton(AF_INET6, host.c_str(), address.data()) == 1 ? not_public(address) : "a reserved";
    }
    return "";
}

std::string hidden_url(const std::string& url) {
    const std::unique_ptr<CURLU, FreeUrl> parsed(curl_url());
    if (curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK) {
        return "(hidden)";
    }
    return fmt::format("{}://{}/(hidden)", part_of(parsed.get(), CURLUPART_SCHEME).value_or("https"),
                       part_of(parsed.get(), CURLUPART_HOST).value_or("(hidden)"));
}

} // namespace costcurve::documents
