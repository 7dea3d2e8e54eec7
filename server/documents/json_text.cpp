// Good text is read by simdjson, at once; what that refuses is read by nlohmann's parser, event by event, which says what is wrong
// and where. Numbers are written in their shortest form.
#include "server/documents/json_text.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <simdjson.h>

namespace costcurve {

namespace {

using nlohmann::json;

constexpr std::size_t kFirstRoom = 1000; // bytes: most stored bodies fit

// Builds the document from the parser's events; stops at too much depth or a key that stands twice. Entries of open arrays
// wait on one stack, so that an array is made once, in its size: pairs of numbers are most of a scenario.
class Builder final : public nlohmann::json_sax<json> {
public:
    Builder() = default;
    Builder(const Builder&) = delete;
    Builder& operator=(const Builder&) = delete;
    ~Builder() override {
        release(root);
        std::for_each(entries_.begin(), entries_.end(), release);
    }

    json root;
    std::string error;

    bool null() override { return put(nullptr); }
    bool boolean(bool value) override { return put(value); }
    bool number_integer(number_integer_t value) override { return put(value); }
    bool number_unsigned(number_unsigned_t value) override { return put(value); }
    bool number_float(number_float_t value, const string_t& /*text*/) override { return put(value); }
    bool string(string_t& value) override { return put(std::move(value)); }
    bool binary(binary_t& /*value*/) override { return false; }
    bool start_object(std::size_t /*size*/) override {
        if (is_too_deep()) {
            return false;
        }
        json& object = place(json::object());
        open_.push_back({object.get_ptr<json::object_t*>(), nullptr, 0});
        return true;
    }
    bool end_object() override {
        open_.pop_back();
        return true;
    }
    bool start_array(std::size_t /*size*/) override {
        if (is_too_deep()) {
            return false;
        }
        open_.push_back({nullptr, nullptr, entries_.size()});
        return true;
    }
    bool end_array() override {
        const auto first = entries_.begin() + static_cast<std::ptrdiff_t>(open_.back().first);
        json array(json::array_t(std::make_move_iterator(first), std::make_move_iterator(entries_.end())));
        entries_.erase(first, entries_.end());
        open_.pop_back();
        return put(std::move(array));
    }
    bool key(string_t& name) override {
        const auto [member, is_new] = open_.back().object->try_emplace(std::move(name));
        if (!is_new) {
            error = fmt::format("the key \"{}\" stands twice in one object", shortened(member->first, 100));
        }
        open_.back().slot = &member->second;
        return is_new;
    }
    bool parse_error(std::size_t position, const std::string& /*token*/, const json::exception& exception) override {
        constexpr int kNumberOverflow = 406;
        error = exception.id == kNumberOverflow ? fmt::format("a number at byte {} is too large for a double", position)
                                                : fmt::format("not JSON: syntax error or invalid UTF-8 at byte {}", position);
        return false;
    }

private:
    struct Open {
        json::object_t* object; ///< null for an array
        json* slot;             ///< of an object: where the value of its last key goes
        std::size_t first;      ///< of an array: its first entry on the stack
    };

    template <class T> json& place(T&& value) {
        if (open_.empty()) {
            return root = std::forward<T>(value);
        }
        if (open_.back().object == nullptr) {
            return entries_.emplace_back(std::forward<T>(value));
        }
        return *open_.back().slot = std::forward<T>(value);
    }
    template <class T> bool put(T&& value) {
        place(std::forward<T>(value));
        return true;
    }
    bool is_too_deep() {
        if (open_.size() < kMaxDepth) {
            return false;
        }
        error = fmt::format("more than {} levels of nesting", kMaxDepth);
        return true;
    }

    std::vector<Open> open_; ///< outermost first
    std::vector<json> entries_;
};

// The value of an element at a depth; nothing where it is too deep or has a key twice, which Builder then says.
std::optional<json> value_of(const simdjson::dom::element& element, int depth) {
    using simdjson::dom::element_type;
    if (depth == kMaxDepth && (element.is_object() || element.is_array())) {
        return std::nullopt;
    }
    switch (element.type()) {
    case element_type::OBJECT: {
        const simdjson::dom::object object = element.get_object().value_unsafe();
        json::object_t members;
        for (const simdjson::dom::key_value_pair member : object) {
            std::optional<json> value = value_of(member.value, depth + 1);
            if (!value || !members.try_emplace(std::string(member.key), std::move(*value)).second) {
                return std::nullopt;
            }
        }
        return json(std::move(members));
    }
    case element_type::ARRAY: {
        const simdjson::dom::array entries = element.get_array().value_unsafe();
        json::array_t values;
        values.reserve(entries.size());
        for (const simdjson::dom::element entry : entries) {
            std::optional<json> value = value_of(entry, depth + 1);
            if (!value) {
                return std::nullopt;
            }
            values.push_back(std::move(*value));
        }
        return json(std::move(values));
    }
    case element_type::STRING:
        return json(std::string(element.get_string().value_unsafe()));
    case element_type::DOUBLE:
        return json(element.get_double().value_unsafe());
    case element_type::INT64: {
        const std::int64_t number = element.get_int64().value_unsafe();
        return number < 0 ? json(number) : json(static_cast<std::uint64_t>(number));
    }
    case element_type::UINT64:
        return json(element.get_uint64().value_unsafe());
    case element_type::BOOL:
        return json(element.get_bool().value_unsafe());
    default:
        return json(nullptr);
    }
}

// Nothing where the text is longer than the parser keeps memory for, or not JSON as strict as ours.
std::optional<json> parse_at_once(std::string_view text) {
    constexpr std::size_t kMaxBytes = 1U << 18U; // the parser takes some 15 bytes for each
    simdjson::dom::parser parser(kMaxBytes);
    const auto root = parser.parse(text.data(), text.size());
    return root.error() == simdjson::SUCCESS ? value_of(root.value_unsafe(), 0) : std::nullopt;
}

constexpr unsigned char kFirstPlain = 0x20; // control characters come before

bool must_be_escaped(char c) { return static_cast<unsigned char>(c) < kFirstPlain || c == '"' || c == '\\'; }

// Whether one of eight bytes must be: by the tests for bytes that are zero or less than a number, eight at a time (Anderson, Bit
// Twiddling Hacks, https://graphics.stanford.edu/~seander/bithacks.html#HasLessInWord).
bool one_must_be_escaped(const char* eight) {
    constexpr std::uint64_t kOnes = ~std::uint64_t{0} / 255;
    constexpr std::uint64_t kHighBits = kOnes * 0x80;
    std::uint64_t word = 0;
    std::memcpy(&word, eight, sizeof word);
    const auto less_than = [](std::uint64_t bytes, std::uint64_t limit) { return (bytes - kOnes * limit) & ~bytes; };
    const std::uint64_t found =
        less_than(word, kFirstPlain) | less_than(word ^ (kOnes * '"'), 1) | less_than(word ^ (kOnes * '\\'), 1);
    return (found & kHighBits) != 0;
}

bool must_be_escaped(std::string_view text) {
    constexpr std::size_t kStep = sizeof(std::uint64_t);
    if (text.size() < kStep) {
        return std::any_of(text.begin(), text.end(), [](char c) { return must_be_escaped(c); });
    }
    for (std::size_t at = 0; at + kStep <= text.size(); at += kStep) {
        if (one_must_be_escaped(text.data() + at)) {
            return true;
        }
    }
    return one_must_be_escaped(text.data() + text.size() - kStep); // some of these bytes a second time
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

void release(json& value) noexcept {
    if (auto* const array = value.get_ptr<json::array_t*>()) {
        std::for_each(array->begin(), array->end(), release);
        array->clear();
    } else if (auto* const object = value.get_ptr<json::object_t*>()) {
        for (auto& [name, member] : *object) {
            release(member);
        }
        object->clear();
    }
}

void TakeDown::operator()(json* root) const noexcept {
    release(*root);
    delete root;
}

tl::expected<json, JsonError> parse_json(std::string_view text) {
    if (std::optional<json> good = parse_at_once(text)) {
        return std::move(*good);
    }
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) { // the parser would take it for the end
        return tl::unexpected(JsonError{fmt::format("not JSON: a NUL byte at {}", nul)});
    }
    Builder builder;
    if (json::sax_parse(text.begin(), text.end(), &builder)) {
        return std::move(builder.root);
    }
    return tl::unexpected(JsonError{builder.error});
}

void prepare_parser() { [[maybe_unused]] const bool is_valid = simdjson::validate_utf8("", 0); }

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
    assert(std::isfinite(number));
    const auto bits = std::bit_cast<std::uint64_t>(number);
    Formatted& last = formatted_[(bits * 0x9E3779B97F4A7C15U) >> 57U];
    if (last.bits != bits || last.size == 0) {
        char* const from = last.text.data();
        char* const to = from + last.text.size();
        const bool is_whole = number == std::floor(number) && std::fabs(number) < 1e15;
        const char* const end = is_whole                ? std::to_chars(from, to, static_cast<std::int64_t>(number)).ptr
                                : std::isfinite(number) ? std::to_chars(from, to, number).ptr
                                                        : std::copy_n("null", 4, from);
        last.bits = bits;
        last.size = static_cast<std::uint8_t>(end - from);
    }
    char* const at = start(last.text.size());
    std::copy_n(last.text.data(), last.text.size(), at); // all of it: a copy of known size is one or two moves
    return finish(at + last.size);
}

JsonWriter& JsonWriter::value(std::int64_t number) {
    constexpr std::size_t kMaxDigits = 20;
    char* const at = start(kMaxDigits);
    return finish(std::to_chars(at, at + kMaxDigits, number).ptr);
}

JsonWriter& JsonWriter::value(std::string_view text) {
    constexpr std::size_t kMaxEscaped = 6; // \u00XX
    char* at = start(text.size() * kMaxEscaped + 3);
    *at++ = '"';
    at = must_be_escaped(text) ? write_escaped(text, at) : std::copy(text.begin(), text.end(), at);
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
