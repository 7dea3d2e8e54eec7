// What a field table is made of: a row's meaning, range and help, and how tables are walked. The tables themselves
// stand in model/fields.hpp.
#pragma once

#include <limits>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "model/documents.hpp"

namespace costcurve::model {

inline constexpr double kInfinite = std::numeric_limits<double>::infinity();
/// The largest magnitude of a price, a count of work or a rate: far above any real one, far below trouble.
inline constexpr double kLargest = 1e15;

/// What a text must look like.
enum class Format { text, slug, currency };

/// What a field means and may hold. `only_for` names the document's `kind` that has it ("" for all).
/// A unit that begins with `currency` is money: it is converted to the scenario's currency.
struct FieldSpec {
    std::string_view unit = "";
    double min = -kInfinite;
    double max = kInfinite;
    bool above_min = false; ///< min itself is not allowed
    bool required = false;
    std::string_view only_for = "";
    CurveKind curve = CurveKind::price; ///< of a rate or a curve
    bool date_only = false;             ///< of that kind's axes, only the date
    Format format = Format::text;
    std::string_view help = "";
};

template <class T, class M> struct Field {
    std::string_view name;
    M T::*member;
    FieldSpec spec;
};

template <class T, class M> Field(std::string_view, M T::*, FieldSpec) -> Field<T, M>;

/// fields<T>: a tuple of Field, one a member, in the order of the documentation.
template <class T> inline constexpr int fields = 0;
/// What the document is called in messages and paths.
template <class T> inline constexpr std::string_view document_name = "object";

template <class T> inline constexpr bool has_fields = !std::is_same_v<std::decay_t<decltype(fields<T>)>, int>;

template <class T, class F> constexpr void for_each_field(F&& visit) {
    std::apply([&](const auto&... field) { (visit(field), ...); }, fields<T>);
}

template <class T>
inline constexpr auto annotation_fields = std::tuple{
    Field<T, std::string>{"id", &T::id, {.format = Format::slug, .help = "slug: [a-z0-9][a-z0-9._-]{0,127}"}},
    Field<T, std::string>{"source", &T::source, {.help = "where the figures are from: URL, file and row, 'measured'"}},
    Field<T, std::string>{"note", &T::note, {.help = "free text"}},
};

template <> inline constexpr std::string_view document_name<Device> = "device";
template <> inline constexpr std::string_view document_name<Site> = "site";
template <> inline constexpr std::string_view document_name<Offer> = "offer";
template <> inline constexpr std::string_view document_name<Server> = "server";
template <> inline constexpr std::string_view document_name<Performance> = "performance";
template <> inline constexpr std::string_view document_name<Workload> = "workload";
template <> inline constexpr std::string_view document_name<Pool> = "pool";
template <> inline constexpr std::string_view document_name<Finance> = "finance";
template <> inline constexpr std::string_view document_name<ScenarioDocument> = "scenario";

} // namespace costcurve::model
