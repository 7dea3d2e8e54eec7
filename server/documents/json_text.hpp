// JSON text in and out: bounded parsing through nlohmann-json, and a writer that appends to a string.
// Knows no documents.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json_fwd.hpp>

#include "model/documents/failure.hpp"

namespace costcurve {

/// Limits of a request's JSON; beyond them it is refused, whatever it means.
inline constexpr int kMaxDepth = 32;

/// Why a text is not JSON that we read: a sentence for the caller, with the place.
struct JsonError {
    std::string message;
};

/// Empties a document of bounded depth without allocating, as its own destructor does for a list of its members: for those that may
/// be large, where memory may be out.
void release(nlohmann::json& value) noexcept;

/// Deletes a document after release().
struct TakeDown {
    void operator()(nlohmann::json* root) const noexcept;
};

/// A parsed document that may be large.
using ParsedJson = std::unique_ptr<nlohmann::json, TakeDown>;

/// Parses strictly: UTF-8, no duplicate keys, at most kMaxDepth levels, finite numbers.
[[nodiscard]] tl::expected<nlohmann::json, JsonError> parse_json(std::string_view text);

/// Chooses the parser's instructions for this processor. Otherwise its first use does, which ends the process where memory is out.
void prepare_parser();

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
    JsonWriter& value(std::int64_t number);
    template <std::integral I>
    requires(!std::same_as<I, bool>) JsonWriter& value(I number) { return value(static_cast<std::int64_t>(number)); }
    JsonWriter& value(bool flag) { return raw(flag ? "true" : "false"); }
    JsonWriter& value(std::string_view text);
    JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
    JsonWriter& value(const char* text) { return value(std::string_view(text)); }
    JsonWriter& null() { return raw("null"); }
    template <class T> JsonWriter& value(const std::optional<T>& maybe) { return maybe ? value(*maybe) : null(); }
    template <class T> JsonWriter& member(std::string_view name, const T& content) { return key(name).value(content); }
    /// Text that is JSON already.
    JsonWriter& raw(std::string_view json);

    [[nodiscard]] std::string_view text() const { return std::string_view(buffer_).substr(0, size_); }
    [[nodiscard]] std::string take();

private:
    /// The last text of a number, by its bits: costs and cash of a month repeat, and formatting is most of an answer's time.
    struct Formatted {
        std::uint64_t bits = 0;
        std::uint8_t size = 0; ///< 0: none yet
        std::array<char, 27> text{};
    };
    static constexpr std::size_t kFormatted = 128;

    JsonWriter& open(char bracket);
    JsonWriter& close(char bracket);
    /// Room for a separator and `most` bytes; where to write them.
    char* start(std::size_t most) {
        if (buffer_.size() - size_ <= most) {
            grow(most);
        }
        char* const at = buffer_.data() + size_;
        *at = ','; // overwritten where none is due
        return at + (std::exchange(first_, false) ? 0 : 1);
    }
    void grow(std::size_t most);
    JsonWriter& finish(const char* end);

    std::string buffer_;   ///< its end is room
    std::size_t size_ = 0; ///< bytes written
    bool first_ = true;    ///< nothing stands yet in the innermost object or array
    std::array<Formatted, kFormatted> formatted_{};
};

} // namespace costcurve
