// A request and its response on a connection. The only file that includes httplib, whose response type refuses line breaks in
// header fields.
#include "server/http/exchange.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <new>
#include <optional>
#include <random>

#include <fmt/format.h>
#include <httplib.h>
#include <zlib.h>

namespace costcurve::http {

namespace {

constexpr std::string_view kNoAnswer = "the request could not be answered; its id is in `instance`";
constexpr std::string_view kNoMemory = "memory is short; try again in a second";

// Reason phrases (RFC 9110 section 15). They may be absent.
std::string_view reason_of(int status) {
    struct Row {
        int status;
        std::string_view reason;
    };
    static constexpr auto kRows = std::to_array<Row>({
        {200, "OK"},
        {201, "Created"},
        {202, "Accepted"},
        {204, "No Content"},
        {304, "Not Modified"},
        {400, "Bad Request"},
        {401, "Unauthorized"},
        {403, "Forbidden"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {406, "Not Acceptable"},
        {408, "Request Timeout"},
        {409, "Conflict"},
        {412, "Precondition Failed"},
        {413, "Content Too Large"},
        {414, "URI Too Long"},
        {415, "Unsupported Media Type"},
        {417, "Expectation Failed"},
        {422, "Unprocessable Content"},
        {429, "Too Many Requests"},
        {431, "Request Header Fields Too Large"},
        {500, "Internal Server Error"},
        {501, "Not Implemented"},
        {503, "Service Unavailable"},
        {505, "HTTP Version Not Supported"},
    });
    const auto* const row = std::find_if(kRows.begin(), kRows.end(), [status](const Row& r) { return r.status == status; });
    return row == kRows.end() ? std::string_view() : row->reason;
}

std::optional<std::string> gzip(const std::string& text) {
    z_stream stream{};
    constexpr int kGzip = 15 + 16; // window bits, and a gzip header
    constexpr int kFast = 1;
    constexpr int kMemory = 8;
    if (deflateInit2(&stream, kFast, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY) != Z_OK) {
        return std::nullopt;
    }
    std::string packed(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data())); // zlib only reads it
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    const bool done = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return done ? std::optional(std::move(packed)) : std::nullopt;
}

bool is_text(const std::string& type) {
    return type.starts_with("text/") || type.starts_with("image/svg") ||
           (type.starts_with("application/") && type.find("json") != std::string::npos);
}

// Statuses whose answers have neither body nor Content-Length (RFC 9110 section 8.6).
bool has_no_body(int status) { return status == 204 || status == 304; }

// The value of Date (RFC 9110 section 5.6.7), made once a second in each thread. What a thread keeps has no destructor: to note
// one takes memory, without which the C library ends the process.
const char* date_text() {
    thread_local std::time_t made_for = -1;
    thread_local std::array<char, 30> text{};
    const std::time_t now = std::time(nullptr);
    if (now != made_for) {
        static constexpr auto kDays = std::to_array<std::string_view>({"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"});
        static constexpr auto kMonths =
            std::to_array<std::string_view>({"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"});
        std::tm utc{};
        gmtime_r(&now, &utc);
        fmt::format_to_n(text.data(), text.size() - 1, "{}, {:02} {} {} {:02}:{:02}:{:02} GMT",
                         kDays[static_cast<std::size_t>(utc.tm_wday)], utc.tm_mday, kMonths[static_cast<std::size_t>(utc.tm_mon)],
                         utc.tm_year + 1900, utc.tm_hour, utc.tm_min, utc.tm_sec);
        made_for = now;
    }
    return text.data();
}

// The status line and all fields; `length` is left out where there is none.
std::string write_head(const Head& head, std::string_view request_id, const Response& response, std::optional<std::size_t> length,
                       bool close) {
    httplib::Response fields; // refuses fields with line breaks
    for (const Header& field : response.headers) {
        fields.set_header(field.name, field.value);
    }
    fields.set_header("Date", date_text());
    fields.set_header("X-Request-Id", head.client_id.empty() ? std::string(request_id) : head.client_id);
    fields.set_header(close ? "Connection" : "Keep-Alive", close ? "close" : "timeout=60");
    if (!response.content_type.empty()) {
        fields.set_header("Content-Type", response.content_type);
    }
    if (length) {
        fields.set_header("Content-Length", std::to_string(*length));
    } else if (response.stream && head.is_http11) {
        fields.set_header("Transfer-Encoding", "chunked");
    }
    std::string out = fmt::format("HTTP/1.1 {} {}\r\n", response.status, reason_of(response.status));
    for (const auto& [name, value] : fields.headers) {
        out.append(name).append(": ").append(value).append("\r\n");
    }
    return out.append("\r\n");
}

} // namespace

std::string make_request_id() {
    thread_local std::mt19937_64 random{std::random_device{}()};
    std::array<char, 17> text{};
    std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(random()));
    return text.data();
}

Answer Exchange::answer(const Head& head, const Request& request) const {
    Response response = respond(request);
    const bool has_body = !has_no_body(response.status);
    const bool is_streamed = response.stream && has_body;
    if (!is_streamed) {
        return {write(head, request.request_id, std::move(response), !head.keep_alive), nullptr};
    }
    Answer answer{write_head(head, request.request_id, response, std::nullopt, !head.keep_alive), nullptr};
    if (head.answer_has_body()) {
        answer.stream = told(std::move(response.stream), request.request_id);
    }
    return answer;
}

std::string Exchange::write(const Head& head, std::string_view request_id, Response response, bool close) const {
    response.stream = nullptr;
    compress(head, response);
    const bool has_body = !has_no_body(response.status);
    std::string out = write_head(head, request_id, response, has_body ? std::optional(response.body.size()) : std::nullopt, close);
    if (has_body && head.answer_has_body()) {
        out += response.body;
    }
    return out;
}

std::string Exchange::refuse(int status, std::string_view detail, const Head& head, std::string_view request_id) const {
    Response response = error(status, detail, request_id);
    const bool is_named = std::any_of(response.headers.begin(), response.headers.end(),
                                      [](const Header& field) { return field.name == "Retry-After"; });
    if (status == 503 && !is_named) {
        response.headers.push_back({"Retry-After", "1"});
    }
    return write(head, request_id, std::move(response), true);
}

Response Exchange::respond(const Request& request) const {
    try {
        return handler_(request);
    } catch (const std::bad_alloc&) {
        Response response = error(503, kNoMemory, request.request_id);
        response.headers.push_back({"Retry-After", "1"});
        return response;
    } catch (...) { // an exception of a handler must not end the thread
        return error(500, kNoAnswer, request.request_id);
    }
}

// With an empty body where even its maker fails.
Response Exchange::error(int status, std::string_view detail, std::string_view request_id) const {
    try {
        return error_body_(status, detail, request_id);
    } catch (...) {
        Response bare;
        bare.status = status;
        bare.content_type = "text/plain";
        return bare;
    }
}

// What it throws is reported like a handler's failure, under the id of its request.
Producer Exchange::told(Producer produce, std::string request_id) const {
    return [this, produce = std::move(produce), id = std::move(request_id)](std::string& out) {
        try {
            return produce(out);
        } catch (...) {
            static_cast<void>(error(500, kNoAnswer, id));
            throw;
        }
    };
}

void Exchange::compress(const Head& head, Response& response) const {
    if (!is_text(response.content_type)) {
        return;
    }
    response.headers.push_back({"Vary", "Accept-Encoding"});
    const bool is_packed = std::any_of(response.headers.begin(), response.headers.end(),
                                       [](const Header& field) { return field.name == "Content-Encoding"; });
    if (!head.accepts_gzip || is_packed || response.body.size() <= compress_above_bytes_) {
        return;
    }
    if (std::optional<std::string> packed = response.gzip.empty() ? gzip(response.body) : std::string(response.gzip)) {
        response.body = std::move(*packed);
        response.headers.push_back({"Content-Encoding", "gzip"});
    }
}

} // namespace costcurve::http
