// The writer of JSON: numbers in their shortest form, texts with what must be escaped.
#include "server/documents/json/json_text.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace costcurve {

namespace {

constexpr std::size_t kFirstRoom = 1000; // bytes: most stored bodies fit

constexpr unsigned char kFirstPlain = 0x20; // control characters come before

bool must_be_escaped(char c) { return static_cast<unsigned char>(c) < kFirstPlain || c == '"' || c == '\\'; }

bool must_be_escaped(std::string_view text) {
    return std::any_of(text.begin(), text.end(), [](char c) { return must_be_escaped(c); });
}

char* write_escaped(std::string_view text, char* at) {
    for (const char c : text) {
        if (!must_be_escaped(c)) {
            *at++ = c;
        } else if (c == '"' || c == '\\') {
            *at++ = '\\';
            *at++ = c;
        } else {
            at = fmt::format_to(at, "\\u{:04x}", static_cast<unsigned char>(c));
        }
    }
    return at;
}

} // namespace

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

void JsonWriter::grow(std::size_t most) { buffer_.resize(std::max(4 * buffer_.size(), size_ + most + kFirstRoom)); }

JsonWriter& JsonWriter::finish(const char* end) {
    size_ = static_cast<std::size_t>(end - buffer_.data());
    return *this;
}

std::string JsonWriter::take() {
    if (2 * size_ < buffer_.size()) { // what is kept long, as stored bodies are until they are written, keeps no room
        return {buffer_.data(), size_};
    }
    buffer_.resize(size_);
    return std::move(buffer_);
}

JsonWriter& JsonWriter::key(std::string_view name) {
    value(name);
    buffer_[size_++] = ':';
    first_ = true;
    return *this;
}

JsonWriter& JsonWriter::value(double number) {
    if (!std::isfinite(number)) {
        throw std::logic_error("JSON has no number that is not finite");
    }
    const auto bits = std::bit_cast<std::uint64_t>(number);
    Formatted& last = formatted_[(bits * 0x9E3779B97F4A7C15U) >> 57U];
    if (last.bits != bits || last.size == 0) {
        char* const from = last.text.data();
        char* const to = from + last.text.size();
        const bool is_whole = number == std::floor(number) && std::fabs(number) < 1e15;
        const char* const end =
            is_whole ? std::to_chars(from, to, static_cast<std::int64_t>(number)).ptr : std::to_chars(from, to, number).ptr;
        last.bits = bits;
        last.size = static_cast<std::uint8_t>(end - from);
    }
    char* const at = start(last.text.size());
    std::copy_n(last.text.data(), last.text.size(), at); // all of it: a copy of known size is one or two moves
    return finish(at + last.size);
}

template <class I> JsonWriter& JsonWriter::integer(I number) {
    constexpr std::size_t kMaxDigits = 20;
    char* const at = start(kMaxDigits);
    return finish(std::to_chars(at, at + kMaxDigits, number).ptr);
}

JsonWriter& JsonWriter::value(std::int64_t number) { return integer(number); }
JsonWriter& JsonWriter::value(std::uint64_t number) { return integer(number); }

JsonWriter& JsonWriter::value(std::string_view text) {
    constexpr std::size_t kMaxEscaped = 6; // \u00XX
    const auto escaped =
        must_be_escaped(text) ? std::count_if(text.begin(), text.end(), [](char c) { return must_be_escaped(c); }) : 0;
    char* at = start(text.size() + kMaxEscaped * static_cast<std::size_t>(escaped) + 3);
    *at++ = '"';
    at = escaped > 0 ? write_escaped(text, at) : std::copy(text.begin(), text.end(), at);
    *at++ = '"';
    return finish(at);
}

JsonWriter& JsonWriter::raw(std::string_view json_text) {
    char* const at = start(json_text.size());
    return finish(std::copy(json_text.begin(), json_text.end(), at));
}

JsonWriter& JsonWriter::open(char bracket) {
    char* const at = start(1);
    *at = bracket;
    first_ = true;
    return finish(at + 1);
}

JsonWriter& JsonWriter::close(char bracket) {
    first_ = true; // no separator
    char* const at = start(1);
    *at = bracket;
    return finish(at + 1);
}

} // namespace costcurve
