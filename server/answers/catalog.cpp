// Pages of each kind, decoded and resolved.
#include "server/answers/catalog.hpp"

#include "server/documents/stored_rates.hpp"

namespace costcurve::answers {

model::Catalog read_catalog(documents::Source& source) {
    using documents::all_of_kind;
    return {all_of_kind<model::Offer>(source),
            all_of_kind<model::Server>(source),
            all_of_kind<model::Site>(source),
            all_of_kind<model::Performance>(source),
            all_of_kind<model::Model>(source),
            all_of_kind<model::Endpoint>(source),
            source.rates().rates};
}

RatedCatalog read_rated(documents::Source& source) {
    return {documents::all_of_kind<model::Model>(source), documents::all_of_kind<model::Device>(source), source.rates().rates};
}

} // namespace costcurve::answers
