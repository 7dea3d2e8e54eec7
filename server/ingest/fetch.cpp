// Fetches a URL with libcurl's easy interface, in the caller's thread.
#include "server/ingest/fetch.hpp"

#include <array>

#include <fmt/chrono.h>

#include "server/outgoing/transfer.hpp"

namespace costcurve::ingest {

namespace {

constexpr long kMaxRedirects = 5;
constexpr long kConnectMs = 10000;
constexpr std::int64_t kPerSecond = 1000000;
constexpr long kMinBytesPerSecond = 1000;

// How long it may be slower than that: a tenth of the whole time; 0 for ever.
long slow_s(const FetchLimits& limits) { return static_cast<long>(limits.total_s / 10.0); }

struct Download {
    const FetchLimits& limits;
    outgoing::AddressJudge judge;
    Fetched fetched;
    bool is_too_large = false;
    bool is_out_of_memory = false;
    std::size_t booked = 0;
    std::array<char, CURL_ERROR_SIZE> error{};
    outgoing::Headers headers;
};

std::size_t take_body(char* data, std::size_t size, std::size_t count, void* client) {
    auto& download = *static_cast<Download*>(client);
    const std::size_t bytes = size * count;
    if (download.fetched.body.size() + bytes > download.limits.max_bytes) {
        download.is_too_large = true;
        return 0;
    }
    try { // nothing may be thrown through libcurl
        constexpr std::size_t kStep = 1U << 20U;
        if (download.limits.has_memory && download.fetched.body.size() + bytes > download.booked) {
            download.booked = download.fetched.body.size() + bytes + kStep;
            download.is_out_of_memory = !download.limits.has_memory(download.booked);
        }
        if (download.is_out_of_memory) {
            return 0;
        }
        download.fetched.body.append(data, bytes);
    } catch (...) { return 0; }
    return bytes;
}

// The ETag of the last answer: a redirect has headers too.
std::size_t take_header(char* data, std::size_t size, std::size_t count, void* client) {
    auto& download = *static_cast<Download*>(client);
    const std::string_view line(data, size * count);
    constexpr std::string_view kName = "etag:";
    constexpr std::size_t kMaxTag = 1024;
    try {
        if (line.starts_with("HTTP/")) {
            download.fetched.etag.clear();
        } else if (line.size() > kName.size() && line.size() < kMaxTag &&
                   curl_strnequal(line.data(), kName.data(), kName.size()) != 0) {
            const std::size_t from = line.find_first_not_of(" \t", kName.size());
            const std::size_t to = line.find_last_not_of(" \t\r\n");
            download.fetched.etag = from == std::string_view::npos || to < from ? "" : line.substr(from, to + 1 - from);
        }
    } catch (...) { return 0; }
    return line.size();
}

int look_whether_unwanted(void* client, curl_off_t /*total*/, curl_off_t /*now*/, curl_off_t /*up_total*/, curl_off_t /*up_now*/) {
    const auto& unwanted = static_cast<const Download*>(client)->limits.is_unwanted;
    try {
        return unwanted && unwanted() ? 1 : 0;
    } catch (...) { return 1; }
}

void prepare(CURL* easy, Download& download, const FetchRequest& request) {
    using outgoing::set;
    outgoing::set_common(easy, download.judge);
    if (!request.header_name.empty()) {
        outgoing::add_header(download.headers, request.header_name + ": " + request.header_value);
    }
    if (!request.etag.empty()) {
        outgoing::add_header(download.headers, "If-None-Match: " + request.etag);
    }
    if (request.modified_at) {
        const std::time_t seconds = *request.modified_at / kPerSecond;
        outgoing::add_header(download.headers,
                             fmt::format("If-Modified-Since: {:%a, %d %b %Y %H:%M:%S GMT}", fmt::gmtime(seconds)));
    }
    set(easy, CURLOPT_URL, request.url.c_str());
    set(easy, CURLOPT_REDIR_PROTOCOLS_STR, curl_strnequal(request.url.c_str(), "https:", 6) != 0 ? "https" : "http,https");
    set(easy, CURLOPT_FOLLOWLOCATION, request.header_name.empty() ? 1L : 0L);
    set(easy, CURLOPT_MAXREDIRS, kMaxRedirects);
    set(easy, CURLOPT_CONNECTTIMEOUT_MS, kConnectMs);
    set(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(download.limits.total_s * 1000.0));
    set(easy, CURLOPT_LOW_SPEED_LIMIT, kMinBytesPerSecond);
    set(easy, CURLOPT_LOW_SPEED_TIME, slow_s(download.limits));
    set(easy, CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
    set(easy, CURLOPT_FILETIME, 1L);
    set(easy, CURLOPT_ERRORBUFFER, download.error.data());
    set(easy, CURLOPT_HTTPHEADER, download.headers.get());
    set(easy, CURLOPT_WRITEFUNCTION, &take_body);
    set(easy, CURLOPT_WRITEDATA, &download);
    set(easy, CURLOPT_HEADERFUNCTION, &take_header);
    set(easy, CURLOPT_HEADERDATA, &download);
    set(easy, CURLOPT_NOPROGRESS, 0L);
    set(easy, CURLOPT_XFERINFOFUNCTION, &look_whether_unwanted);
    set(easy, CURLOPT_XFERINFODATA, &download);
}

void judge_failure(CURLcode code, Download& download, const FetchRequest& request) {
    Fetched& fetched = download.fetched;
    if (download.is_too_large) {
        fetched.problem = fmt::format("the file is larger than {:g} MiB: the feed's max_mib, or serve --feed-max-mib",
                                      static_cast<double>(download.limits.max_bytes) / kMib);
        return;
    }
    if (download.is_out_of_memory) {
        fetched.problem = "the memory of the service is used up by requests and other feeds";
        fetched.may_pass = true;
        return;
    }
    if (code == CURLE_OPERATION_TIMEDOUT && std::string_view(download.error.data()).starts_with("Operation too slow")) {
        fetched.problem = fmt::format("it sent less than {} bytes a second for {} s", kMinBytesPerSecond, slow_s(download.limits));
        return;
    }
    if (code == CURLE_OPERATION_TIMEDOUT) {
        fetched.problem = fmt::format("it took longer than {:g} s", download.limits.total_s);
        fetched.may_pass = true;
        return;
    }
    if (code == CURLE_BAD_CONTENT_ENCODING) {
        fetched.problem = "the answer says that it is compressed, and can't be inflated";
        return;
    }
    outgoing::TransferFailure failure = outgoing::failure_of(code, download.judge, request.url, download.error.data());
    fetched.may_pass = !failure.is_refused && code != CURLE_TOO_MANY_REDIRECTS;
    fetched.problem = std::move(failure.problem);
}

void judge_status(long status, Fetched& fetched) {
    constexpr long kOk = 200;
    constexpr long kNotModified = 304;
    constexpr long kServerError = 500;
    if (status == kNotModified) {
        fetched.is_known = true;
    } else if (status != kOk) {
        const bool moved = status >= 300 && status < 400;
        fetched.may_pass = status >= kServerError || status == 429;
        fetched.problem =
            fmt::format("it answered {}{}", status,
                        moved ? "; with a header of secrets redirects are not followed: give the URL it leads to" : "");
    }
}

} // namespace

Fetched fetch(const FetchRequest& request, const FetchLimits& limits) {
    outgoing::prepare_curl();
    Download download{limits, {limits.allow_private, "--allow-private-feeds", ""}, {}, false, false, 0, {}, nullptr};
    const outgoing::Easy easy(curl_easy_init());
    if (easy == nullptr) {
        throw std::bad_alloc();
    }
    prepare(easy.get(), download, request);
    if (const CURLcode code = curl_easy_perform(easy.get()); code != CURLE_OK) {
        judge_failure(code, download, request);
    } else {
        long status = 0;
        curl_off_t modified = -1;
        curl_easy_getinfo(easy.get(), CURLINFO_RESPONSE_CODE, &status);
        curl_easy_getinfo(easy.get(), CURLINFO_FILETIME_T, &modified);
        if (modified >= 0) {
            download.fetched.modified_at = modified * kPerSecond;
        }
        judge_status(status, download.fetched);
    }
    if (!download.fetched.problem.empty()) {
        download.fetched.body.clear();
    }
    return std::move(download.fetched);
}

std::string escaped(const std::string& text) {
    const std::unique_ptr<char, decltype(&curl_free)> made(curl_easy_escape(nullptr, text.data(), static_cast<int>(text.size())),
                                                           &curl_free);
    if (made == nullptr) {
        throw std::bad_alloc();
    }
    return made.get();
}

} // namespace costcurve::ingest
