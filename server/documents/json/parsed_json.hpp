// JSON text in: bounded parsing to values that are read and not changed. Knows no documents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "model/documents/failure.hpp"

namespace costcurve {

/// Limits of a request's JSON; beyond them it is refused, whatever it means.
inline constexpr int kMaxDepth = 32;

/// Why a text is not JSON that we read: a sentence for the caller, with the place.
struct JsonError {
    std::string message;
};

struct JsonMember;
class JsonWriter;

/// A value of JSON: 16 bytes beside its siblings. What it refers to belongs to the ParsedJson that it comes from.
class JsonValue {
public:
    JsonValue() = default; ///< null
    explicit JsonValue(bool flag) : type_(Type::boolean) { of_.flag = flag; }
    explicit JsonValue(double number) : type_(Type::decimal) { of_.decimal = number; }
    explicit JsonValue(std::int64_t number) : type_(Type::negative) { of_.negative = number; } ///< below 0
    explicit JsonValue(std::uint64_t number) : type_(Type::whole) { of_.whole = number; }
    explicit JsonValue(std::string_view text) : type_(Type::text), size_(static_cast<std::uint32_t>(text.size())) {
        of_.text = text.data();
    }
    explicit JsonValue(std::span<const JsonValue> entries) : type_(Type::array), size_(static_cast<std::uint32_t>(entries.size())) {
        of_.entries = entries.data();
    }
    /// Members stand by ascending name, none twice.
    explicit JsonValue(std::span<const JsonMember> members);
    explicit JsonValue(const char* text) = delete; ///< it would be a boolean

    [[nodiscard]] bool is_null() const { return type_ == Type::null; }
    [[nodiscard]] bool is_boolean() const { return type_ == Type::boolean; }
    [[nodiscard]] bool is_number() const { return type_ == Type::decimal || type_ == Type::negative || type_ == Type::whole; }
    /// Written without point and exponent, and not below 0.
    [[nodiscard]] bool is_whole() const { return type_ == Type::whole; }
    [[nodiscard]] bool is_string() const { return type_ == Type::text; }
    [[nodiscard]] bool is_array() const { return type_ == Type::array; }
    [[nodiscard]] bool is_object() const { return type_ == Type::object; }

    /// Of what is no boolean: false.
    [[nodiscard]] bool boolean() const { return is_boolean() && of_.flag; }
    /// Of what is no number: 0.
    [[nodiscard]] double number() const {
        return type_ == Type::decimal    ? of_.decimal
               : type_ == Type::negative ? static_cast<double>(of_.negative)
               : type_ == Type::whole    ? static_cast<double>(of_.whole)
                                         : 0.0;
    }
    /// Of what is not is_whole(): 0.
    [[nodiscard]] std::uint64_t whole() const { return is_whole() ? of_.whole : 0; }
    /// Of what is no text: empty.
    [[nodiscard]] std::string_view text() const { return is_string() ? std::string_view(of_.text, size_) : std::string_view(); }
    /// Of what is no array: none.
    [[nodiscard]] std::span<const JsonValue> entries() const {
        return is_array() ? std::span(of_.entries, size_) : std::span<const JsonValue>();
    }
    /// By ascending name. Empty if the value is no object.
    [[nodiscard]] std::span<const JsonMember> members() const;

    /// Entries or members.
    [[nodiscard]] std::size_t size() const { return is_array() || is_object() ? size_ : 0; }
    [[nodiscard]] bool empty() const { return size() == 0; }
    /// An entry of an array.
    const JsonValue& operator[](std::size_t index) const { return of_.entries[index]; }
    /// The member of this name; null where there is none.
    [[nodiscard]] const JsonValue* find(std::string_view name) const;
    [[nodiscard]] bool contains(std::string_view name) const { return find(name) != nullptr; }

    /// The same as a tree, which can be changed.
    [[nodiscard]] nlohmann::json tree() const;
    /// Compact text, which parse() reads as the same.
    [[nodiscard]] std::string dump() const;

private:
    enum class Type : std::uint8_t { null, boolean, decimal, negative, whole, text, array, object };

    void write(JsonWriter& writer) const;

    Type type_ = Type::null;
    std::uint32_t size_ = 0; ///< bytes, entries or members
    union {
        bool flag;
        double decimal;
        std::int64_t negative;
        std::uint64_t whole;
        const char* text;
        const JsonValue* entries;
        const JsonMember* members;
    } of_{.whole = 0};
};

struct JsonMember {
    std::string_view name;
    JsonValue value;
};

inline JsonValue::JsonValue(std::span<const JsonMember> members)
    : type_(Type::object), size_(static_cast<std::uint32_t>(members.size())) {
    of_.members = members.data();
}
inline std::span<const JsonMember> JsonValue::members() const {
    return is_object() ? std::span(of_.members, size_) : std::span<const JsonMember>();
}

/// A value, and the memory of all that it refers to, which is given back at once.
class ParsedJson {
public:
    /// A copy of a tree: of at most kMaxDepth levels, without binary values.
    explicit ParsedJson(const nlohmann::json& tree);
    ParsedJson(ParsedJson&& other) noexcept;
    ParsedJson& operator=(ParsedJson&& other) noexcept;
    ~ParsedJson();

    const JsonValue& operator*() const { return *root_; }
    const JsonValue* operator->() const { return root_; }

private:
    friend tl::expected<ParsedJson, JsonError> parse(std::string_view text);
    struct Memory;
    explicit ParsedJson(std::size_t bytes);

    std::unique_ptr<Memory> memory_;
    const JsonValue* root_ = nullptr;
};

/// Parses strictly: UTF-8, no duplicate keys, at most kMaxDepth levels, finite numbers.
[[nodiscard]] tl::expected<ParsedJson, JsonError> parse(std::string_view text);
/// The same to a tree, which can be changed.
[[nodiscard]] tl::expected<nlohmann::json, JsonError> parse_json(std::string_view text);

/// Chooses the parser's instructions for this processor. Otherwise its first use does, which ends the process where memory is out.
void prepare_parser();

} // namespace costcurve
