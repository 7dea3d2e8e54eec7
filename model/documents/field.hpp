// What a field table is made of: a row's meaning, range and help, and how tables are walked. The tables themselves
// stand in model/documents/fields.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "model/documents/documents.hpp"
#include "model/documents/kinds.hpp"

namespace costcurve::model {

inline constexpr double kInfinite = std::numeric_limits<double>::infinity();
/// The largest magnitude of a price, a count of work or a rate: far above any real one, far below trouble.
inline constexpr double kLargest = 1e15;

/// The most bytes of a text, and of a name or a JSON Pointer.
inline constexpr std::size_t kMaxTextBytes = 10000;
inline constexpr std::size_t kMaxNameBytes = 256;
/// The most entries of a list of names or numbers, where its row does not say another number.
inline constexpr std::size_t kMaxNames = 1000;

/// What a text must look like. A name or a JSON Pointer (RFC 6901) of a request has 1 to 256 bytes. Of answers alone: times and
/// dates of RFC 3339, and whole numbers that are written as a text.
enum class Format { text, slug, currency, name, pointer, date_time, date, digits };

/// What a field means and may hold. `only_for` names the document's kinds that have it, with blanks between ("" for all).
/// A unit that begins with `currency` is money: it is converted to the scenario's currency.
struct FieldSpec {
    std::string_view unit = "";
    double min = -kInfinite;
    double max = kInfinite;
    bool above_min = false;              ///< min itself is not allowed
    bool is_count = false;               ///< above 1 it moves by whole steps, though fractions of 1 are allowed
    bool of_entries = false;             ///< of a list: min and max are those of each number in it, not of their count
    std::size_t max_entries = kMaxNames; ///< of a list whose min and max are not those of their count
    bool required = false;
    bool always_stated = false; ///< written and merged at its default too: other fields mean nothing without it
    std::string_view only_for = "";
    CurveKind curve = CurveKind::price;      ///< of a rate or a curve
    std::optional<Axis> axis = std::nullopt; ///< of that kind's, the only one
    Format format = Format::text;
    std::size_t max_bytes = kMaxTextBytes; ///< of a text; what is stored already may be longer
    std::string_view help = "";
    // of an answer alone:
    bool omit = false;                            ///< left out where it is empty, not null
    bool null_if_empty = false;                   ///< of a text: null where it is ""
    std::string_view schema = "";                 ///< the component of the API's description that the member is; of a text: it is
                                                  ///< JSON already, a component, a list of it (with [] behind it), object or any
    std::string_view pattern = "";                ///< of a text, as a regular expression
    std::span<const std::string_view> words = {}; ///< that a text may be
};

template <class T, class M> struct Field {
    std::string_view name;
    M T::*member;
    FieldSpec spec;
};

template <class T, class M> Field(std::string_view, M T::*, FieldSpec) -> Field<T, M>;

/// Rows of several types beside each other: a std::tuple without its constructors' conditions, which took a tenth of every build.
template <std::size_t kIndex, class F> struct RowAt { F row; };
template <class Indices, class... F> struct IndexedRows;
template <std::size_t... kIndex, class... F> struct IndexedRows<std::index_sequence<kIndex...>, F...> : RowAt<kIndex, F>... {
    constexpr explicit IndexedRows(const F&... row) : RowAt<kIndex, F>{row}... {}
    /// What `visit` gives for all rows as its arguments.
    template <class V> constexpr decltype(auto) apply(V&& visit) const { return visit(RowAt<kIndex, F>::row...); }
    template <class V> constexpr void for_each(V&& visit) const { (visit(RowAt<kIndex, F>::row), ...); }
};
template <class... F> struct Rows : IndexedRows<std::index_sequence_for<F...>, F...> {
    constexpr explicit Rows(const F&... row) : IndexedRows<std::index_sequence_for<F...>, F...>(row...) {}
};
/// One table of the rows of several.
template <class A> constexpr const A& join(const A& table) { return table; }
template <class A, class B, class... C> constexpr auto join(const A& a, const B& b, const C&... more) {
    return join(a.apply([&](const auto&... first) {
        return b.apply([&](const auto&... second) { return Rows{first..., second...}; });
    }),
                more...);
}

/// fields<T>: a table of Field, one a member, in the order of the documentation.
template <class T> inline constexpr int fields = 0;
/// What the document is called in messages and paths: the word of its kind, or a part's own, which stands beside its rows.
template <class T>
inline constexpr std::string_view document_name = [] {
    if constexpr (is_document<T>) {
        return name_of(kind_of<T>);
    } else {
        return std::string_view("object");
    }
}();
/// What a document or a part of one is called in lists of all: its own name, or the field's where it is a part only.
template <class T> inline constexpr std::string_view part_name = document_name<T>;

template <class T> inline constexpr bool has_fields = !std::is_same_v<std::decay_t<decltype(fields<T>)>, int>;

template <class T, class F> constexpr void for_each_field(F&& visit) { fields<T>.for_each(visit); }

/// A row without its types: what a field is called and means.
struct FieldRow {
    std::string_view name;
    const FieldSpec* spec;
};
/// fields<T> as an array of such rows, for what needs no member: one loop for all tables, not one a type.
template <class T>
inline constexpr auto field_rows = fields<T>.apply([](const auto&... field) {
    return std::array<FieldRow, sizeof...(field)>{FieldRow{field.name, &field.spec}...};
});

/// What the row of that name says; the code that asks knows that there is one.
[[nodiscard]] constexpr const FieldSpec& spec_of(std::span<const FieldRow> rows, std::string_view name) {
    return *std::find_if(rows.begin(), rows.end(), [&](const FieldRow& row) { return row.name == name; })->spec;
}

/// A document or part in which nothing is stated.
template <class T> [[nodiscard]] const T& defaults_of() {
    static const T defaults{};
    return defaults;
}

/// Whether a document says something by a member: by a required one always, by another where it is not at its default.
template <class M> [[nodiscard]] bool is_stated(const FieldSpec& spec, const M& member, const M& by_default) {
    return spec.required || spec.always_stated || !(member == by_default);
}
template <class T, class B, class M> [[nodiscard]] bool is_stated(const T& document, const Field<B, M>& field) {
    return is_stated(field.spec, document.*field.member, defaults_of<T>().*field.member);
}

/// Whether a field with this `only_for` is of documents of the kind.
[[nodiscard]] constexpr bool is_for(std::string_view only_for, std::string_view kind) {
    while (!only_for.empty()) {
        const std::size_t end = std::min(only_for.find(' '), only_for.size());
        if (only_for.substr(0, end) == kind) {
            return true;
        }
        only_for.remove_prefix(std::min(end + 1, only_for.size()));
    }
    return false;
}

template <class T>
inline constexpr auto annotation_fields = Rows{
    Field<T, std::string>{"id", &T::id, {.format = Format::slug, .help = "slug: [a-z0-9][a-z0-9._-]{0,127}"}},
    Field<T, std::string>{"source", &T::source, {.help = "where the figures are from: URL, file and row, 'measured'"}},
    Field<T, std::string>{"note", &T::note, {.help = "free text"}},
};

} // namespace costcurve::model
