// JSON text out: a writer that appends to a string. Knows no documents.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace costcurve {

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
    JsonWriter& value(std::uint64_t number);
    template <std::integral I>
    requires(!std::same_as<I, bool>) JsonWriter& value(I number) {
        return value(static_cast<std::conditional_t<std::is_signed_v<I>, std::int64_t, std::uint64_t>>(number));
    }
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
    template <class I> JsonWriter& integer(I number);
    void grow(std::size_t most);
    JsonWriter& finish(const char* end);

    std::string buffer_;   ///< its end is room
    std::size_t size_ = 0; ///< bytes written
    bool first_ = true;    ///< nothing stands yet in the innermost object or array
    std::array<Formatted, kFormatted> formatted_{};
};

} // namespace costcurve
