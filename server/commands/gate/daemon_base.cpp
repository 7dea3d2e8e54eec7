// One POST /v1/evaluate by libcurl.
#include "server/commands/gate/daemon_base.hpp"

#include <array>
#include <cstdlib>
#include <memory>

#include <fmt/format.h>

#include "model/documents/text.hpp"
#include "model/version.hpp"
#include "server/answers/request.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/gate/deployed/deployment.hpp"
#include "server/outgoing/transfer.hpp"

namespace costcurve::commands {

namespace {

constexpr long kTimeoutMs = 30000;
constexpr std::size_t kMaxAnswer = std::size_t{16} << 20U; // bytes
constexpr std::size_t kMaxShown = 300;
constexpr long kOk = 200;
constexpr long kInvalid = 422;

struct FreeUrl {
    void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
using Url = std::unique_ptr<CURLU, FreeUrl>;

model::Failure refusal(std::string why) { return {{"--against", model::Code::not_allowed, std::move(why)}}; }

std::string part_of(CURLU* url, CURLUPart part) {
    char* text = nullptr;
    if (curl_url_get(url, part, &text, 0) != CURLUE_OK) {
        return "";
    }
    const std::unique_ptr<char, decltype(&curl_free)> owned(text, &curl_free);
    return owned.get();
}

bool is_local(std::string_view host) { return host == "localhost" || host == "127.0.0.1" || host == "[::1]"; }

struct Answer {
    std::string body;
    bool is_too_large = false;
    long status = 0;
};

std::size_t take_answer(char* data, std::size_t size, std::size_t count, void* client) {
    auto& answer = *static_cast<Answer*>(client);
    const std::size_t bytes = size * count;
    answer.is_too_large = answer.body.size() + bytes > kMaxAnswer;
    try { // nothing may be thrown through libcurl
        return answer.is_too_large ? 0 : (answer.body.append(data, bytes), bytes);
    } catch (...) { return 0; }
}

std::string request_of(const DaemonAddress& daemon, const std::string& id) {
    JsonWriter out;
    out.begin_object().member("scenario", id);
    if (!daemon.as_of.empty()) {
        out.member("as_of", daemon.as_of);
    }
    out.end_object();
    return out.take();
}

// Fails where nothing was answered.
model::Result<Answer> post(const DaemonAddress& daemon, const std::string& body) {
    using outgoing::set;
    outgoing::prepare_curl();
    const outgoing::Easy easy(curl_easy_init());
    if (easy == nullptr) {
        throw std::bad_alloc();
    }
    const std::string url = daemon.url + "/v1/evaluate";
    outgoing::AddressJudge judge{true, "", ""};
    outgoing::Headers headers;
    outgoing::add_header(headers, "Content-Type: application/json");
    outgoing::add_header(headers, "Accept: application/json");
    if (!daemon.key.empty()) {
        outgoing::add_header(headers, "Authorization: Bearer " + daemon.key);
    }
    Answer answer;
    std::array<char, CURL_ERROR_SIZE> error{};
    outgoing::set_common(easy.get(), judge);
    set(easy.get(), CURLOPT_URL, url.c_str());
    set(easy.get(), CURLOPT_FOLLOWLOCATION, 0L);
    set(easy.get(), CURLOPT_TIMEOUT_MS, kTimeoutMs);
    set(easy.get(), CURLOPT_POSTFIELDSIZE, static_cast<long>(body.size()));
    set(easy.get(), CURLOPT_POSTFIELDS, body.c_str());
    set(easy.get(), CURLOPT_HTTPHEADER, headers.get());
    set(easy.get(), CURLOPT_ERRORBUFFER, error.data());
    set(easy.get(), CURLOPT_WRITEFUNCTION, &take_answer);
    set(easy.get(), CURLOPT_WRITEDATA, &answer);
    if (const CURLcode code = curl_easy_perform(easy.get()); code != CURLE_OK) {
        const std::string why = answer.is_too_large ? fmt::format("its answer is larger than {} bytes", kMaxAnswer)
                                                    : outgoing::failure_of(code, judge, url, error.data()).problem;
        return tl::unexpected(refusal(fmt::format("{}: {}", daemon.url, why)));
    }
    curl_easy_getinfo(easy.get(), CURLINFO_RESPONSE_CODE, &answer.status);
    return answer;
}

std::string advice_of(long status) {
    return status == 401 || status == 403  ? "; it takes a key with the role of a viewer: set COSTCURVE_KEY"
           : status >= 300 && status < 400 ? "; redirects are not followed: give the address that it leads to"
                                           : "";
}

// A scenario that the daemon lacks is an issue at its place in the request.
bool is_missing(const JsonValue& problem) {
    return gate::deployed::text_at(problem, "errors/0/code") == "unknown_reference" &&
           gate::deployed::text_at(problem, "errors/0/pointer") == "/scenario";
}

} // namespace

model::Result<DaemonAddress> read_daemon(const std::string& text) {
    const Url url(curl_url());
    if (url == nullptr) {
        throw std::bad_alloc();
    }
    if (curl_url_set(url.get(), CURLUPART_URL, text.c_str(), 0) != CURLUE_OK) {
        return tl::unexpected(refusal("it is no address: give https://HOST, as a daemon is called"));
    }
    if (!part_of(url.get(), CURLUPART_USER).empty() || !part_of(url.get(), CURLUPART_PASSWORD).empty()) {
        return tl::unexpected(refusal("an address with a password is printed by others: set the key in COSTCURVE_KEY"));
    }
    const std::string scheme = part_of(url.get(), CURLUPART_SCHEME);
    if (scheme != "https" && !(scheme == "http" && is_local(part_of(url.get(), CURLUPART_HOST)))) {
        return tl::unexpected(refusal(fmt::format("{} is not called with a key: give https://, or http:// of localhost", scheme)));
    }
    DaemonAddress daemon;
    const std::string query = part_of(url.get(), CURLUPART_QUERY);
    constexpr std::string_view kMoment = "as_of=";
    if (!query.empty()) {
        const auto moment = query.starts_with(kMoment) ? answers::read_as_of(query.substr(kMoment.size()), "--against")
                                                       : model::Result<std::string>(tl::unexpected(model::Failure()));
        if (!moment) {
            return tl::unexpected(refusal("its query may be as_of=MOMENT, a time of RFC 3339 such as 2026-11-21T10:00:00Z or @42"));
        }
        daemon.as_of = query.substr(kMoment.size());
    }
    curl_url_set(url.get(), CURLUPART_QUERY, nullptr, 0);
    curl_url_set(url.get(), CURLUPART_FRAGMENT, nullptr, 0);
    daemon.url = part_of(url.get(), CURLUPART_URL);
    while (daemon.url.ends_with('/')) {
        daemon.url.pop_back();
    }
    const char* const key = std::getenv("COSTCURVE_KEY"); // NOLINT(concurrency-mt-unsafe): before threads
    daemon.key = key == nullptr ? "" : key;
    if (daemon.key.find_first_of("\r\n") != std::string::npos) {
        return tl::unexpected(refusal("COSTCURVE_KEY has a line break: it is no key"));
    }
    return daemon;
}

model::Result<std::optional<gate::Base>> ask_base(const DaemonAddress& daemon, const std::string& id) {
    const auto answer = post(daemon, request_of(daemon, id));
    if (!answer) {
        return tl::unexpected(answer.error());
    }
    const auto parsed = answers::parse_body(answer->body);
    if (answer->status == kInvalid && parsed && is_missing(**parsed)) {
        return std::optional<gate::Base>();
    }
    if (answer->status != kOk || !parsed) {
        std::string detail = parsed ? gate::deployed::text_at(**parsed, "errors/0/message") : "";
        detail = detail.empty() && parsed ? gate::deployed::text_at(**parsed, "detail") : detail;
        return tl::unexpected(refusal(fmt::format("{} answered {}{}{}{}", daemon.url, answer->status, detail.empty() ? "" : ": ",
                                                  shortened(detail, kMaxShown), advice_of(answer->status))));
    }
    const JsonValue& result = **parsed;
    const std::optional<double> cost = gate::deployed::number_at(result, "total/cost");
    const double months = gate::deployed::number_at(result, "months").value_or(0.0);
    const std::string version = gate::deployed::text_at(result, "provenance/model_version");
    if (!cost || months < 1.0 || version.empty()) {
        return tl::unexpected(
            refusal(fmt::format("{} answered no result of an evaluation: is it a costcurve daemon?", daemon.url)));
    }
    gate::Base base{*cost / months, gate::deployed::text_at(result, "currency"), {}, ""};
    if (version != model::kModelVersion) {
        base.problem = fmt::format("the base is of model version {}, this is {}: upgrade one of them", shortened(version, 40),
                                   model::kModelVersion);
    }
    return std::optional(std::move(base));
}

} // namespace costcurve::commands
