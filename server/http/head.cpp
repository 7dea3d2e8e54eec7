// Parses the head of a request, line by line; the first error refuses it.
#include "server/http/head.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "model/documents/text.hpp"

namespace costcurve::http {

bool has_control(std::string_view text) {
    return std::any_of(text.begin(), text.end(),
                       [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F; });
}

namespace {

bool is_token(std::string_view text) {
    constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               kMarks.find(c) != std::string_view::npos;
    });
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
        text.remove_prefix(1);
    }
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) {
        text.remove_suffix(1);
    }
    return text;
}

int hex_digit(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    return -1;
}

// The number that so many hexadecimal digits at `at` make; -1 where they aren't there.
int hex_number(std::string_view text, std::size_t at, std::size_t digits) {
    int number = 0;
    for (std::size_t i = at; i < at + digits; ++i) {
        const int digit = i < text.size() ? hex_digit(text[i]) : -1;
        if (digit < 0) {
            return -1;
        }
        number = number * 16 + digit;
    }
    return number;
}

enum class Escapes { fine, malformed, control };
Escapes check_escapes(std::string_view text) {
    Escapes found = Escapes::fine;
    for (std::size_t i = text.find('%'); i != std::string_view::npos; i = text.find('%', i + 1)) {
        const bool wide = text.substr(i + 1).starts_with('u'); // no URI has it (RFC 3986), so it is malformed in any case
        const int code = wide ? hex_number(text, i + 2, 4) : hex_number(text, i + 1, 2);
        if (code >= 0 && (code < 0x20 || code == 0x7F)) {
            return Escapes::control;
        }
        if (code < 0 || wide) {
            found = Escapes::malformed;
        }
    }
    return found;
}

// The escapes have been checked.
std::string decoded(std::string_view text, bool plus_is_space) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const int code = text[i] == '%' ? hex_number(text, i + 1, 2) : -1;
        result += code >= 0 ? static_cast<char>(code) : plus_is_space && text[i] == '+' ? ' ' : text[i];
        i += code >= 0 ? 2 : 0;
    }
    return result;
}

std::string form_decoded(std::string_view text) { return decoded(text, true); }

// The authority of an absolute target (RFC 9112 section 3.2.2), which it loses; nothing of any other target.
std::optional<std::string_view> take_authority(std::string_view& target) {
    for (const std::string_view scheme : {"http://", "https://"}) {
        if (model::lower(target.substr(0, scheme.size())) == scheme) {
            target.remove_prefix(scheme.size());
            const std::string_view authority = target.substr(0, target.find_first_of("/?"));
            target.remove_prefix(authority.size());
            return authority;
        }
    }
    return std::nullopt;
}

// True where gzip is acceptable: named, or by *, and not with q=0.
bool accepts_gzip(std::string_view value) {
    std::optional<bool> named;
    bool any = false;
    while (!value.empty()) {
        const std::size_t comma = std::min(value.find(','), value.size());
        std::string_view item = trimmed(value.substr(0, comma));
        value.remove_prefix(std::min(comma + 1, value.size()));
        const std::size_t semicolon = std::min(item.find(';'), item.size());
        const std::string coding = model::lower(trimmed(item.substr(0, semicolon)));
        std::string weight = model::lower(item.substr(semicolon));
        weight.erase(std::remove(weight.begin(), weight.end(), ' '), weight.end());
        const bool wanted = !(weight.starts_with(";q=0") && weight.find_first_not_of("0.", 3) == std::string::npos);
        if (coding == "gzip" || coding == "x-gzip") {
            named = wanted;
        }
        if (coding == "*") {
            any = wanted;
        }
    }
    return named.value_or(any);
}

bool is_good_request_id(std::string_view id) {
    return !id.empty() && id.size() <= 64 && std::all_of(id.begin(), id.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
    });
}

Head refuse(int status, std::string detail) {
    Head head;
    head.refused = status;
    head.detail = std::move(detail);
    return head;
}

// Collects header fields; `refused` says what is wrong.
class Fields {
public:
    Head head;

    void request_line(std::string_view line) {
        const std::size_t first = line.find(' ');
        const std::size_t last = line.rfind(' ');
        if (first == std::string_view::npos || first == last) {
            return refused(400, "the first line must be: METHOD target HTTP/1.1");
        }
        std::string_view target = line.substr(first + 1, last - first - 1);
        const std::string_view version = line.substr(last + 1);
        head.method = line.substr(0, first);
        if (!is_token(head.method)) {
            return refused(400, "the method is no token");
        }
        if (!version.starts_with("HTTP/")) {
            return refused(400, "the first line must end in HTTP/1.1");
        }
        if (version != "HTTP/1.1" && version != "HTTP/1.0") {
            return refused(505, "HTTP/1.1 is spoken here");
        }
        const bool is_printable =
            std::all_of(target.begin(), target.end(), [](char c) { return c > ' ' && c != '#' && c != 0x7F; });
        const std::optional<std::string_view> authority = take_authority(target);
        authority_ = authority.value_or("");
        const bool has_path = authority ? !authority->empty() : target.starts_with('/');
        if (!is_printable || !has_path || authority_.find('@') != std::string::npos) {
            return refused(400, "the target must be a path that begins with /, in printable ASCII");
        }
        if (check_escapes(target) != Escapes::fine) {
            return refused(400, "the target has a malformed escape, or one of a control character");
        }
        head.is_http11 = version == "HTTP/1.1";
        head.keep_alive = head.is_http11;
        const std::size_t question = std::min(target.find('?'), target.size());
        head.query = target.substr(std::min(question + 1, target.size()));
        head.path = question == 0 ? "/" : decoded(target.substr(0, question), false);
    }

    void field(std::string_view line) {
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) {
            return refused(400, "a header field must be: Name: value");
        }
        const std::string name = model::lower(line.substr(0, colon));
        const std::string_view value = trimmed(line.substr(colon + 1));
        if (has_control(value)) {
            return refused(400, "a header value has control characters");
        }
        framing(name, value);
        if (name == "host" && ++hosts_ > 1) {
            return refused(400, "a request names one Host");
        }
        if (name == "content-encoding" && model::lower(value) != "identity") {
            return refused(415, "send the body without Content-Encoding");
        }
        if (name == "connection" && model::lower(value).find("close") != std::string::npos) {
            head.keep_alive = false;
        }
        if (name == "accept-encoding") {
            head.accepts_gzip = accepts_gzip(value);
        }
        if (name == "x-request-id" && is_good_request_id(value)) {
            head.client_id = value;
        }
        head.headers.push_back({name, std::string(value)});
    }

    void end() {
        if (head.is_chunked && (has_length_ || !head.is_http11)) { // RFC 9112 section 6.1
            refused(400, "Transfer-Encoding goes with neither Content-Length nor HTTP/1.0");
        }
        if (hosts_ == 0 && head.is_http11) {
            refused(400, "a request of HTTP/1.1 names its Host");
        }
        if (!authority_.empty()) {
            std::erase_if(head.headers, [](const Header& field) { return field.name == "host"; });
            head.headers.push_back({"host", authority_});
        }
    }

private:
    void refused(int status, std::string detail) {
        if (head.refused == 0) {
            head.refused = status;
            head.detail = std::move(detail);
        }
    }
    // The fields that say how the body comes.
    void framing(const std::string& name, std::string_view value) {
        if (name == "content-length") {
            const auto length = model::read_number<decltype(head.content_length)>(value);
            if (!length || has_length_) {
                return refused(400, "Content-Length must be one whole number");
            }
            head.content_length = *length;
            has_length_ = true;
        } else if (name == "transfer-encoding") {
            if (head.is_chunked || model::lower(value) != "chunked") {
                return refused(501, "the only Transfer-Encoding that is read is chunked, once");
            }
            head.is_chunked = true;
        } else if (name == "expect") {
            if (model::lower(value) != "100-continue") {
                return refused(417, "the only expectation that is met is 100-continue");
            }
            head.expects_continue = head.is_http11; // HTTP/1.0 has no 100 (RFC 9110 section 10.1.1)
        }
    }

    int hosts_ = 0;
    bool has_length_ = false;
    std::string authority_; ///< of an absolute target
};

} // namespace

Head read_head(std::string_view received) {
    const std::size_t end = received.substr(0, kMaxHeadBytes).find("\r\n\r\n");
    const std::size_t first_line = received.substr(0, end).find("\r\n");
    if (std::min(first_line, std::min(received.size(), end)) > kMaxLineBytes) {
        return refuse(414, "the request line is longer than 8 KiB");
    }
    if (end == std::string_view::npos) {
        // A bare line feed never ends a line here: what comes after it could be read as another request elsewhere.
        for (std::size_t at = received.find('\n'); at != std::string_view::npos; at = received.find('\n', at + 1)) {
            if (at == 0 || received[at - 1] != '\r') {
                return refuse(400, "lines end in CR LF");
            }
        }
        return received.size() >= kMaxHeadBytes ? refuse(431, "the head is longer than 16 KiB") : Head{};
    }
    Fields fields;
    std::size_t lines = 0;
    for (std::string_view rest = received.substr(0, end + 2); !rest.empty() && fields.head.refused == 0; ++lines) {
        const std::size_t length = rest.find("\r\n");
        const std::string_view line = rest.substr(0, length);
        rest.remove_prefix(length + 2);
        if (line.size() > kMaxLineBytes || lines > kMaxHeaders) {
            return refuse(431, "at most 64 header fields of 8 KiB each");
        }
        if (has_control(line)) {
            return refuse(400, "the head has control characters");
        }
        if (lines == 0) {
            fields.request_line(line);
        } else {
            fields.field(line);
        }
    }
    fields.end();
    if (fields.head.refused == 0) {
        fields.head.bytes = end + 4;
    }
    return std::move(fields.head);
}

std::vector<Header> read_parameters(std::string_view query) {
    std::vector<Header> parameters;
    while (!query.empty()) {
        const std::string_view item = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(item.size() + 1, query.size()));
        if (!item.empty()) {
            const std::size_t equals = std::min(item.find('='), item.size());
            parameters.push_back(
                {form_decoded(item.substr(0, equals)), form_decoded(item.substr(std::min(equals + 1, item.size())))});
        }
    }
    return parameters;
}

} // namespace costcurve::http
