// JSON text in and out: bounded parsing through nlohmann-json, and a writer that appends to a string.
// Knows no documents.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "model/failure.hpp"

namespace costcurve::api {

/// Limits of a request's JSON; beyond them it is refused, whatever it means.
inline constexpr int kMostDepth = 32;

/// Why a text is not JSON that we read: a sentence for the caller, with the place.
struct JsonError {
    std::string message;
};

/// Parses strictly: UTF-8, no duplicate keys, at most kMostDepth levels, finite numbers.
[[nodiscard]] tl::expected<nlohmann::json, JsonError> parse_json(std::string_view text);

/// At most `most` bytes of UTF-8 text, cut between characters, with an ellipsis where it was cut.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most);

/// `pointer` + "/" + `key`, escaped as RFC 6901 asks.
[[nodiscard]] std::string join_pointer(const std::string& pointer, std::string_view key);

/// Writes compact JSON into a string: numbers in the shortest form that reads back the same.
class JsonWriter {
public:
    JsonWriter& begin_object() { return open('{'); }
    JsonWriter& end_object() { return close('}'); }
    JsonWriter& begin_array() { return open('['); }
    JsonWriter& end_array() { return close(']'); }
    JsonWriter& key(std::string_view name);
    JsonWriter& value(double number);
    JsonWriter& value(int number);
    JsonWriter& value(bool flag);
    JsonWriter& value(std::string_view text);
    JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
    JsonWriter& value(const char* text) { return value(std::string_view(text)); }
    JsonWriter& null();
    template <class T> JsonWriter& value(const std::optional<T>& maybe) { return maybe ? value(*maybe) : null(); }
    template <class T> JsonWriter& member(std::string_view name, const T& content) { return key(name).value(content); }
    /// Text that is JSON already.
    JsonWriter& raw(std::string_view json);

    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] std::string take() { return std::move(text_); }

private:
    JsonWriter& open(char bracket);
    JsonWriter& close(char bracket);
    void separate();
    template <class Number> JsonWriter& append(Number number);
    JsonWriter& raw_text(std::string_view text);

    std::string text_;
    bool first_ = true; ///< nothing stands yet in the innermost object or array
};

} // namespace costcurve::api
