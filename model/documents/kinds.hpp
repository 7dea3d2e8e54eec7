// The kinds of documents: one row each, from which the enumeration, its words and the type of any document follow. Knows no
// document: its structs stand in headers of their own.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <variant>

#include "model/documents/enum_names.hpp"

// A kind's word and its struct. Stored by number and by word: do not move or rename one; new ones at the end.
#define COSTCURVE_KINDS(ROW)                                                                                                       \
    ROW(curve, Curve)                                                                                                              \
    ROW(device, Device)                                                                                                            \
    ROW(offer, Offer)                                                                                                              \
    ROW(server, Server)                                                                                                            \
    ROW(site, Site)                                                                                                                \
    ROW(performance, Performance)                                                                                                  \
    ROW(scenario, ScenarioDocument)                                                                                                \
    ROW(schedule, Schedule)                                                                                                        \
    ROW(webhook, Webhook)                                                                                                          \
    ROW(comparison, Comparison)                                                                                                    \
    ROW(model, Model)                                                                                                              \
    ROW(endpoint, Endpoint)                                                                                                        \
    ROW(alias, Alias)                                                                                                              \
    ROW(feed, Feed)                                                                                                                \
    ROW(decision, DecisionDocument)                                                                                                \
    ROW(measurement, Measurement)

namespace costcurve::model {

#define COSTCURVE_STRUCT(word, Type) struct Type;
#define COSTCURVE_VALUE(word, Type) word,
#define COSTCURVE_WORD(word, Type) #word,
#define COSTCURVE_TYPE(word, Type) , Type

COSTCURVE_KINDS(COSTCURVE_STRUCT)

enum class DocumentKind { COSTCURVE_KINDS(COSTCURVE_VALUE) };
template <> inline constexpr auto enum_names<DocumentKind> = std::to_array<std::string_view>({COSTCURVE_KINDS(COSTCURVE_WORD)});

template <class /*none*/, class... T> using VariantOf = std::variant<T...>;
/// A document of any kind, as one type: for what treats all kinds alike. The alternatives stand in the order of DocumentKind.
using AnyDocument = VariantOf<void COSTCURVE_KINDS(COSTCURVE_TYPE)>;

#undef COSTCURVE_STRUCT
#undef COSTCURVE_VALUE
#undef COSTCURVE_WORD
#undef COSTCURVE_TYPE

/// Calls `visit` with std::type_identity<T> of each type of a variant.
template <class F, class... All> void for_each_type(std::type_identity<std::variant<All...>> /*all*/, F&& visit) {
    (visit(std::type_identity<All>{}), ...);
}
/// Where T stands among the types of a variant; their number where it does not.
template <class T, class All> inline constexpr std::size_t index_among = 0;
template <class T, class... All>
inline constexpr std::size_t index_among<T, std::variant<All...>> = [] {
    std::size_t index = 0;
    static_cast<void>(((std::is_same_v<T, All> || (++index, false)) || ...));
    return index;
}();
/// The kind of a document's type.
template <class T> inline constexpr auto kind_of = static_cast<DocumentKind>(index_among<T, AnyDocument>);
/// Whether T is a kind's document.
template <class T> inline constexpr bool is_document = index_among<T, AnyDocument> < enum_names<DocumentKind>.size();

} // namespace costcurve::model
