// The one file that includes httplib: it parses the head and writes the response, over bytes in memory.
#include "server/http/exchange.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <random>

#include <httplib.h>
#include <zlib.h>

namespace costcurve::http {

namespace {

constexpr const char* kNoAnswer = "the request could not be answered; its id is in X-Request-Id";

// Reads from and writes to strings.
class MemoryStream final : public httplib::Stream {
public:
    MemoryStream(const std::string& in, std::string& out) : in_(in), out_(out) {}
    bool is_readable() const override { return at_ < in_.size(); }
    bool is_writable() const override { return true; }
    ssize_t read(char* data, std::size_t size) override {
        const std::size_t n = std::min(size, in_.size() - at_);
        std::memcpy(data, in_.data() + at_, n);
        at_ += n;
        return static_cast<ssize_t>(n);
    }
    ssize_t write(const char* data, std::size_t size) override {
        out_.append(data, size);
        return static_cast<ssize_t>(size);
    }
    void get_remote_ip_and_port(std::string& ip, int& port) const override {
        ip.clear();
        port = 0;
    }
    void get_local_ip_and_port(std::string& ip, int& port) const override {
        ip.clear();
        port = 0;
    }
    socket_t socket() const override { return -1; }

private:
    const std::string& in_;
    std::size_t at_ = 0;
    std::string& out_;
};

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

// The writer gives a Content-Length of 0 to what has no body of its own.
void drop_length(std::string& out) {
    constexpr std::string_view kLength = "\r\nContent-Length: 0\r\n";
    const std::size_t at = out.find(kLength);
    if (at != std::string::npos) {
        out.erase(at, kLength.size() - 2);
    }
}

} // namespace

std::string make_request_id() {
    thread_local std::mt19937_64 random{std::random_device{}()};
    std::array<char, 17> text{};
    std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(random()));
    return text.data();
}

std::string_view header(const Request& request, std::string_view name) {
    const auto found =
        std::find_if(request.headers.begin(), request.headers.end(), [&](const Header& h) { return h.name == name; });
    return found == request.headers.end() ? std::string_view() : std::string_view(found->value);
}

// Derives for the protected process_request. The request at hand travels in a thread-local: httplib's handlers get no
// context of ours.
class Exchange::Parser final : public httplib::Server {
public:
    Parser(http::Handler handler, http::ErrorBody error_body, std::size_t compress_above_bytes)
        : handler_(std::move(handler)), error_body_(std::move(error_body)), compress_above_bytes_(compress_above_bytes) {
        set_keep_alive_timeout(60);
        set_keep_alive_max_count(1000000); // said in a header; connections are counted and timed in the loop
        set_pre_routing_handler([this](const httplib::Request& parsed, httplib::Response& out) {
            fill(respond(parsed), out);
            return httplib::Server::HandlerResponse::Handled; // the body is not on this stream, so nothing is left on it
        });
        set_error_handler(httplib::Server::HandlerWithResponse([this](const httplib::Request&, httplib::Response& out) {
            if (out.body.empty() && out.get_header_value("Content-Type").empty()) {
                fill(error(out.status, "the request can't be parsed", current.request_id), out);
            }
            return httplib::Server::HandlerResponse::Handled;
        }));
        // Its own handler sends the exception's text to the client.
        set_exception_handler([this](const httplib::Request&, httplib::Response& out, const std::exception_ptr&) {
            fill(error(500, kNoAnswer, current.request_id), out);
        });
    }

    Answer exchange(const Head& head, std::string body, const std::string& remote_address, std::function<bool()> client_gone) {
        const std::string& id = head.request_id;
        current = {&head, std::move(body), remote_address, id.empty() ? make_request_id() : id, std::move(client_gone)};
        Answer answer;
        MemoryStream stream(head.text, answer.bytes);
        bool closed = false;
        try {
            process_request(stream, !head.keep_alive, closed, nullptr);
            if (current.has_no_length) {
                drop_length(answer.bytes);
            }
            if (head.answer_has_body()) {
                answer.stream = std::move(current.stream);
            }
        } catch (...) { // memory has run out, or the writer itself is at fault
            answer = {refusal(500, kNoAnswer, head), nullptr};
        }
        current = {};
        return answer;
    }

    // Without httplib's writer: there is no parsed request that it could answer.
    std::string refusal(int status, const std::string& detail, const Head& head) const {
        const std::string id = head.request_id.empty() ? make_request_id() : head.request_id;
        const Response response = error(status, detail, id);
        std::string out = "HTTP/1.1 " + std::to_string(status) + " Refused\r\n";
        out += "Connection: close\r\nContent-Type: " + response.content_type + "\r\nX-Request-Id: " + id + "\r\n";
        out += "Content-Length: " + std::to_string(response.body.size()) + "\r\n";
        if (status == 503) {
            out += "Retry-After: 1\r\n";
        }
        return out + "\r\n" + (head.answer_has_body() ? response.body : std::string());
    }

private:
    struct Current {
        const Head* head = nullptr;
        std::string body;
        std::string remote_address;
        std::string request_id;
        std::function<bool()> client_gone;
        bool has_no_length = false;
        Producer stream = nullptr;
    };
    static thread_local Current current;

    Response respond(const httplib::Request& parsed) {
        Request request;
        request.method = current.head->method;
        request.path = parsed.path;
        request.query = current.head->query;
        request.parameters = read_parameters(request.query);
        request.body = std::move(current.body);
        request.remote_address = current.remote_address;
        request.request_id = current.request_id;
        request.client_gone = std::move(current.client_gone);
        for (const auto& [name, value] : parsed.headers) {
            std::string lower = name;
            std::transform(lower.begin(), lower.end(), lower.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
            request.headers.push_back({std::move(lower), value});
        }
        try {
            return handler_(request);
        } catch (...) { // whatever it was, it stays inside
            return error(500, kNoAnswer, current.request_id);
        }
    }

    // With an empty body where even its maker fails.
    Response error(int status, std::string_view detail, std::string_view request_id) const {
        try {
            return error_body_(status, detail, request_id);
        } catch (...) {
            Response bare;
            bare.status = status;
            bare.content_type = "text/plain";
            return bare;
        }
    }

    // What it throws is told like a handler's failure, under the id of its request.
    Producer told(Producer produce) const {
        return [this, produce = std::move(produce), id = current.request_id](std::string& out) {
            try {
                return produce(out);
            } catch (...) {
                error(500, kNoAnswer, id);
                throw;
            }
        };
    }

    void fill(Response response, httplib::Response& out) const {
        out.status = response.status;
        out.headers.erase("X-Request-Id"); // from a first try that failed
        out.headers.erase("Transfer-Encoding");
        out.set_header("X-Request-Id", current.request_id);
        const bool streamed = response.stream && !has_no_body(response.status);
        current.has_no_length = streamed || has_no_body(response.status);
        current.stream = streamed ? told(std::move(response.stream)) : nullptr;
        for (const Header& field : response.headers) {
            out.set_header(field.name.c_str(), field.value);
        }
        if (streamed) {
            if (current.head->is_http11) {
                out.set_header("Transfer-Encoding", "chunked");
            }
            if (!response.content_type.empty()) {
                out.set_header("Content-Type", response.content_type);
            }
            return;
        }
        if (response.body.empty() && response.content_type.empty()) {
            return;
        }
        if (is_text(response.content_type)) {
            out.set_header("Vary", "Accept-Encoding");
            const bool worth_it = response.body.size() > compress_above_bytes_ && !out.has_header("Content-Encoding");
            if (current.head->accepts_gzip && worth_it) {
                if (std::optional<std::string> packed = response.gzip.empty() ? gzip(response.body) : std::string(response.gzip)) {
                    response.body = std::move(*packed);
                    out.set_header("Content-Encoding", "gzip");
                }
            }
        }
        out.body = std::move(response.body);
        out.set_header("Content-Type", response.content_type);
    }

    http::Handler handler_;
    http::ErrorBody error_body_;
    std::size_t compress_above_bytes_;
};

thread_local Exchange::Parser::Current Exchange::Parser::current;

Exchange::Exchange(Handler handler, ErrorBody error_body, std::size_t compress_above_bytes)
    : parser_(std::make_unique<Parser>(std::move(handler), std::move(error_body), compress_above_bytes)) {}

Exchange::~Exchange() = default;

Answer Exchange::answer(const Head& head, std::string body, const std::string& remote_address,
                        std::function<bool()> client_gone) const {
    return parser_->exchange(head, std::move(body), remote_address, std::move(client_gone));
}

std::string Exchange::refuse(int status, const std::string& detail, const Head& head) const {
    return parser_->refusal(status, detail, head);
}

} // namespace costcurve::http
