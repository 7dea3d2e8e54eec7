// A document of any kind, as one type: for what treats all kinds alike.
#pragma once

#include <cstddef>
#include <type_traits>
#include <variant>

#include "model/documents/automation.hpp"
#include "model/documents/documents.hpp"
#include "server/storage/record.hpp"

namespace costcurve::documents {

/// The alternatives stand in the order of storage::Kind.
using AnyDocument = std::variant<model::Curve, model::Device, model::Offer, model::Server, model::Site, model::Performance,
                                 model::ScenarioDocument, model::Schedule, model::Webhook, model::Comparison, model::Model,
                                 model::Endpoint, model::Alias, model::Feed, model::DecisionDocument>;
static_assert(std::variant_size_v<AnyDocument> == storage::kind_names.size());

template <class T, class... All> constexpr std::size_t index_among(const std::variant<All...>* /*type*/) {
    std::size_t index = 0;
    static_cast<void>(((std::is_same_v<T, All> || (++index, false)) || ...));
    return index;
}
/// The kind of a document's type.
template <class T>
inline constexpr storage::Kind kind_of = static_cast<storage::Kind>(index_among<T>(static_cast<const AnyDocument*>(nullptr)));

} // namespace costcurve::documents
