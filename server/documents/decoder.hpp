// Decodes JSON to structs by their field tables and reports all issues at once, each with its pointer. One overload per member
// type; other rooms add types by a function `decode_member`. Knows no particular document except curves, and no rules between
// fields.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "model/documents/automation.hpp"
#include "model/documents/failure.hpp"
#include "model/documents/field_check.hpp"
#include "model/documents/walk.hpp"
#include "server/documents/json/parsed_json.hpp"

namespace costcurve::documents {

using model::is_slug;

/// A value in the shortened form that messages show.
[[nodiscard]] std::string shown(const JsonValue& value);

/// A place in a document as a chain of names; converted to a JSON Pointer only for an issue. Refers to its parent and name, which
/// must outlive it.
class Pointer {
public:
    explicit Pointer(std::string_view root) : name_(root) {}
    [[nodiscard]] Pointer operator/(std::string_view name) const { return {this, name, 0}; }
    [[nodiscard]] Pointer operator/(std::size_t index) const { return {this, {}, index}; }

    /// RFC 6901.
    operator std::string() const; // NOLINT(google-explicit-constructor): a pointer is its text
    /// The last name, as messages call the field; of an entry of a list with the list's: ported[0].
    [[nodiscard]] std::string last() const;

private:
    Pointer(const Pointer* parent, std::string_view name, std::size_t index) : parent_(parent), name_(name), index_(index) {}

    const Pointer* parent_ = nullptr;
    std::string_view name_; ///< no data: an index
    std::size_t index_ = 0;
};

/// How an object is read.
enum class Reading {
    strict, ///< a client's document: an unknown field is an issue
    stored  ///< a stored body: points of curves are stored apart, and unknown fields are listed
};

/// Decodes into members and collects issues. A value with issues may be used only to find more issues.
class Decoder {
public:
    using Code = model::Code;
    using FieldSpec = model::FieldSpec;

    Reading reading = Reading::strict;
    model::Failure issues;
    std::vector<std::string> unknown_fields; ///< pointers, of a stored body

    /// An object by its field table; `kind` first, because it says which of the other fields there are.
    template <class T> void decode_object(const JsonValue& value, const Pointer& pointer, T& object) {
        decode_members(value, pointer, members_of(object), shape_of(object));
    }
    /// Decodes a field and replaces its old value.
    template <class M> void replace(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, M& member) {
        member = M{};
        decode_any(value, pointer, spec, member);
    }
    /// `spec` is null if any kind of curve is allowed.
    void decode_curve(const JsonValue& value, const Pointer& pointer, const FieldSpec* spec, model::Curve& curve);

    void decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, double& number);
    void decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, int& number);
    void decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, std::int64_t& number);
    void decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, std::size_t& number);
    void decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, bool& flag);
    void decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, std::string& text);
    void decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, std::vector<std::string>& names);
    template <class Number>
    requires std::is_arithmetic_v<Number>
    void decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, std::vector<Number>& numbers) {
        const FieldSpec largest{.min = -model::kLargest, .max = model::kLargest};
        numbers.resize(entries(value, pointer, "an array of numbers", spec));
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            decode(value[i], pointer / i, spec.of_entries ? spec : largest, numbers[i]);
        }
    }
    void decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, std::map<std::string, double>& numbers);
    void decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, std::map<std::string, int>& numbers);
    void decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, model::Tags& tags);
    void decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, model::YearMonth& month);
    void decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, model::Date& date);
    void decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, model::Curve& curve);
    void decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, model::ScenarioChoice& choice);
    void decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, model::Secret& secret);
    void decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, model::Identity& identity);
    void decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, model::Rate& rate);
    void decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, model::UnitsPerRequest& units);
    /// A list, or the mean and 95th percentile that the buckets are made of.
    void decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, std::vector<model::TokenBucket>& mix);
    void decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, model::UnitPrice& price);

    template <class E>
    requires std::is_enum_v<E>
    void decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& /*spec*/, E& choice) {
        if (const std::optional<std::size_t> found = decode_choice(value, pointer, model::enum_names<E>)) {
            choice = static_cast<E>(*found);
        }
    }
    template <class M>
    void decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, std::optional<M>& member) {
        decode_any(value, pointer, spec, member.emplace());
    }
    template <class M> void decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, std::vector<M>& members) {
        decode_list(value, pointer, spec, members);
    }
    template <class M>
    void decode_list(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, std::vector<M>& members) {
        members.resize(entries(value, pointer, std::is_enum_v<M> ? "an array of texts" : "an array", spec));
        for (std::size_t i = 0; i < members.size(); ++i) {
            decode_any(value[i], pointer / i, spec, members[i]);
        }
    }
    template <class T>
    requires model::has_fields<T>
    void decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, std::map<std::string, T>& parts) {
        for (const JsonMember& member : named_members(value, pointer)) {
            decode_any(member.value, pointer / member.name, spec, parts[std::string(member.name)]);
        }
    }
    template <class T>
    requires model::has_fields<T>
    void decode(const JsonValue& value, const Pointer& pointer, const FieldSpec& /*spec*/, T& document) {
        if constexpr (model::is_stored<T>) {
            if (decode_reference(value, pointer, model::document_name<T>, document.id, document.stored)) {
                return;
            }
        }
        decode_object(value, pointer, document);
    }

    void add(std::string pointer, Code code, std::string message);
    void wrong_type(const JsonValue& value, const Pointer& pointer, std::string_view expected);
    /// The index of the word among `names`.
    std::optional<std::size_t> decode_choice(const JsonValue& value, const Pointer& pointer,
                                             std::span<const std::string_view> names);

private:
    /// One member of the object that is being decoded.
    struct Member {
        std::string_view name;
        const FieldSpec* spec;
        void* place;
        void (*decode)(Decoder& decoder, const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, void* place);
    };
    /// Properties of an object besides its members.
    struct Shape {
        std::string_view noun; ///< of messages; "" lists the fields instead
        std::span<const std::string_view> store_members =
            {};                          ///< that the store's answers have beside the fields: they can be sent back
        model::Stored* stored = nullptr; ///< of a kind of document
        std::string_view (*kind)(const void* object) = nullptr;
        const void* object = nullptr;
        bool has_points = false; ///< a curve, whose points are decoded after its fields
    };

    template <class M> void decode_any(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, M& member) {
        if constexpr (requires { decode_member(*this, value, pointer, spec, member); }) {
            decode_member(*this, value, pointer, spec, member);
        } else {
            decode(value, pointer, spec, member);
        }
    }
    template <class M>
    static void decode_place(Decoder& decoder, const JsonValue& value, const Pointer& pointer, const FieldSpec& spec, void* place) {
        decoder.decode_any(value, pointer, spec, *static_cast<M*>(place));
    }
    template <class T> static auto members_of(T& object) {
        return model::fields<T>.apply([&](const auto&... field) {
            return std::array<Member, sizeof...(field)>{
                Member{field.name, &field.spec, &(object.*field.member),
                       &decode_place<std::remove_reference_t<decltype(object.*field.member)>>}...};
        });
    }
    template <class T> static Shape shape_of(T& object) {
        Shape shape{.noun = model::document_name<T>, .object = &object};
        if constexpr (model::is_stored<T>) {
            shape.store_members = store_members(std::is_same_v<T, model::Schedule> || std::is_same_v<T, model::Feed>);
            shape.stored = &object.stored;
        }
        if constexpr (requires { model::name_of(object.kind); }) {
            shape.kind = [](const void* at) { return model::name_of(static_cast<const T*>(at)->kind); };
        }
        return shape;
    }

    static std::span<const std::string_view> store_members(bool is_timed);
    /// Decodes all members. False if a known member has issues.
    bool decode_members(const JsonValue& value, const Pointer& pointer, std::span<const Member> members, const Shape& shape);
    std::size_t decode_if_there(const JsonValue& value, const Pointer& pointer, const Member& member);
    std::size_t decode_store_members(const JsonValue& value, const Pointer& pointer, const Shape& shape);
    void report_unknown(const JsonValue& value, const Pointer& pointer, std::span<const Member> members, const Shape& shape);
    void decode_points(const JsonValue& points, const Pointer& pointer, model::Curve& curve);
    /// True where the value is text: an id in a document's place, or an issue.
    bool decode_reference(const JsonValue& value, const Pointer& pointer, std::string_view noun, std::string& id,
                          model::Stored& stored);
    /// The number of entries to decode; 0, with an issue, if the value is no array or their number is out of range.
    std::size_t entries(const JsonValue& value, const Pointer& pointer, std::string_view expected, const FieldSpec& spec);
    /// The same of an object's members; none, with an issue, if the value is no object or has too many.
    std::span<const JsonMember> named_members(const JsonValue& value, const Pointer& pointer);
    bool too_many(const JsonValue& value, const Pointer& pointer, std::size_t max = model::kMaxNames);
    /// Whether a count is outside of the spec's min and max, if these count entries, or above its max_entries.
    bool wrong_count(const JsonValue& value, const Pointer& pointer, const FieldSpec& spec);
};

} // namespace costcurve::documents
