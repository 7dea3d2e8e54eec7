// Parsing event by event, with bounded depth and no duplicate keys; writing numbers in their shortest form.
#include "server/api/json_text.hpp"

#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace costcurve::api {

namespace {

using nlohmann::json;

// Builds the document from the parser's events; stops at too much depth or a key that stands twice.
class Builder final : public nlohmann::json_sax<json> {
public:
    json root;
    std::string error;

    bool null() override { return put(nullptr) != nullptr; }
    bool boolean(bool value) override { return put(value) != nullptr; }
    bool number_integer(number_integer_t value) override { return put(value) != nullptr; }
    bool number_unsigned(number_unsigned_t value) override { return put(value) != nullptr; }
    bool number_float(number_float_t value, const string_t& /*text*/) override { return put(value) != nullptr; }
    bool string(string_t& value) override { return put(std::move(value)) != nullptr; }
    bool binary(binary_t& /*value*/) override { return false; }
    bool start_object(std::size_t /*size*/) override { return open(json::object()); }
    bool end_object() override { return close(); }
    bool start_array(std::size_t /*size*/) override { return open(json::array()); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override {
        const auto [member, is_new] = open_.back()->emplace(name, nullptr);
        if (!is_new) {
            error = fmt::format("the key \"{}\" stands twice in one object", shortened(name, 100));
        }
        slot_ = &*member;
        return is_new;
    }
    bool parse_error(std::size_t position, const std::string& /*token*/, const json::exception& exception) override {
        constexpr int kNumberOverflow = 406;
        error = exception.id == kNumberOverflow ? fmt::format("a number at byte {} is too large for a double", position)
                                                : fmt::format("not JSON: syntax error or invalid UTF-8 at byte {}", position);
        return false;
    }

private:
    template <class T> json* put(T&& value) {
        if (open_.empty()) {
            root = std::forward<T>(value);
            return &root;
        }
        if (open_.back()->is_array()) {
            open_.back()->push_back(std::forward<T>(value));
            return &open_.back()->back();
        }
        *slot_ = std::forward<T>(value);
        return slot_;
    }
    bool open(json container) {
        if (open_.size() >= kMostDepth) {
            error = fmt::format("more than {} levels of nesting", kMostDepth);
            return false;
        }
        open_.push_back(put(std::move(container)));
        return true;
    }
    bool close() {
        open_.pop_back();
        return true;
    }

    std::vector<json*> open_; ///< containers, outermost first; each the last in its parent, so that none moves
    json* slot_ = nullptr;    ///< where the value of the last key goes
};

} // namespace

tl::expected<json, JsonError> parse_json(std::string_view text) {
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) { // the parser would take it for the end
        return tl::unexpected(JsonError{fmt::format("not JSON: a NUL byte at {}", nul)});
    }
    Builder builder;
    if (json::sax_parse(text.begin(), text.end(), &builder)) {
        return std::move(builder.root);
    }
    return tl::unexpected(JsonError{builder.error});
}

std::string shortened(std::string_view text, std::size_t most) {
    if (text.size() <= most) {
        return std::string(text);
    }
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
    while (most > 0 && continues(text[most])) {
        --most;
    }
    return std::string(text.substr(0, most)) + "…";
}

std::string join_pointer(const std::string& pointer, std::string_view key) {
    std::string joined = pointer + "/";
    for (const char c : key) {
        if (c == '~') {
            joined += "~0";
        } else if (c == '/') {
            joined += "~1";
        } else {
            joined += c;
        }
    }
    return joined;
}

JsonWriter& JsonWriter::key(std::string_view name) {
    value(name);
    text_ += ':';
    first_ = true;
    return *this;
}

JsonWriter& JsonWriter::value(double number) {
    assert(std::isfinite(number));
    separate();
    if (number == std::floor(number) && std::fabs(number) < 1e15) {
        return append(static_cast<std::int64_t>(number));
    }
    return std::isfinite(number) ? append(number) : raw_text("null");
}

JsonWriter& JsonWriter::value(int number) {
    separate();
    return append(number);
}

template <class Number> JsonWriter& JsonWriter::append(Number number) {
    std::array<char, 32> digits{};
    const std::to_chars_result end = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    return raw_text({digits.data(), end.ptr});
}

JsonWriter& JsonWriter::value(bool flag) {
    separate();
    text_ += flag ? "true" : "false";
    return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
    separate();
    text_ += '"';
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            text_ += '\\';
            text_ += c;
        } else if (byte < 0x20) {
            fmt::format_to(std::back_inserter(text_), "\\u{:04x}", byte);
        } else {
            text_ += c;
        }
    }
    text_ += '"';
    return *this;
}

JsonWriter& JsonWriter::null() { return raw("null"); }

JsonWriter& JsonWriter::raw(std::string_view json_text) {
    separate();
    return raw_text(json_text);
}

JsonWriter& JsonWriter::raw_text(std::string_view text) {
    text_ += text;
    return *this;
}

JsonWriter& JsonWriter::open(char bracket) {
    separate();
    text_ += bracket;
    first_ = true;
    return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
    text_ += bracket;
    first_ = false;
    return *this;
}

void JsonWriter::separate() {
    if (!first_) {
        text_ += ',';
    }
    first_ = false;
}

} // namespace costcurve::api
