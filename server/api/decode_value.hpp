// Plain values from JSON: numbers, texts, lists, dates and choices, each with its issue. Knows no documents.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "model/failure.hpp"
#include "model/field.hpp"

namespace costcurve::api {

/// Limits of one value: bytes of a text, entries of a list of names, points of a curve.
inline constexpr std::size_t kMostText = 10000;
inline constexpr std::size_t kMostNames = 1000;
inline constexpr std::size_t kMostPoints = 100000;

/// A value as messages show it: short, whatever was sent.
[[nodiscard]] std::string shown(const nlohmann::json& value);
[[nodiscard]] bool is_slug(std::string_view text);

/// A place in a document, as the chain of names that leads there: a JSON Pointer is written only where an issue needs it.
/// Refers to its parent and its name, which outlive it.
class Pointer {
public:
    explicit Pointer(std::string_view root) : name_(root) {}
    [[nodiscard]] Pointer operator/(std::string_view name) const { return {this, name, 0}; }
    [[nodiscard]] Pointer operator/(std::size_t index) const { return {this, {}, index}; }

    /// RFC 6901.
    operator std::string() const; // NOLINT(google-explicit-constructor): a pointer is its text
    /// The last name, as messages call the field.
    [[nodiscard]] std::string last() const;

private:
    Pointer(const Pointer* parent, std::string_view name, std::size_t index) : parent_(parent), name_(name), index_(index) {}

    const Pointer* parent_ = nullptr;
    std::string_view name_; ///< no data: an index
    std::size_t index_ = 0;
};

/// Decodes into members and collects what is wrong. One overload a type of member.
class ValueDecoder {
public:
    using json = nlohmann::json;
    using Code = model::Code;
    using FieldSpec = model::FieldSpec;

    model::Failure issues;

protected:
    void add(std::string pointer, Code code, std::string message);
    void wrong_type(const json& value, const Pointer& pointer, std::string_view expected);
    bool too_many(const json& value, const Pointer& pointer);
    /// Outside of the spec's min and max, which count entries.
    bool wrong_count(const json& value, const Pointer& pointer, const FieldSpec& spec);
    void decode(const json& value, const Pointer& pointer, const FieldSpec& spec, double& number);
    void decode(const json& value, const Pointer& pointer, const FieldSpec& spec, int& number);
    void decode(const json& value, const Pointer& pointer, const FieldSpec& spec, bool& flag);
    void decode(const json& value, const Pointer& pointer, const FieldSpec& spec, std::string& text);
    void decode(const json& value, const Pointer& pointer, const FieldSpec& spec, std::vector<std::string>& names);
    void decode(const json& value, const Pointer& pointer, const FieldSpec& spec, std::map<std::string, double>& numbers);
    void decode(const json& value, const Pointer& pointer, const FieldSpec& spec, model::YearMonth& month);
    void decode(const json& value, const Pointer& pointer, const FieldSpec& spec, model::Date& date);
    /// The index of the word among `names`.
    std::optional<std::size_t> decode_choice(const json& value, const Pointer& pointer, std::span<const std::string_view> names);
};

} // namespace costcurve::api
