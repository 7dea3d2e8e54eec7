// Pages of each kind, decoded and resolved.
#include "server/answers/catalog.hpp"

#include "model/documents/walk.hpp"
#include "server/documents/records.hpp"

namespace costcurve::answers {

namespace {

// The document as one that stands on its own: not the store's any more.
template <class T> void detach(T& document) {
    std::string pointer;
    model::walk(document, pointer, {}, [](auto& part, const std::string& /*where*/, const model::FieldSpec& /*spec*/) {
        if constexpr (model::is_stored<std::decay_t<decltype(part)>>) {
            part.stored = {};
        }
    });
}

template <class T> void read_kind(documents::Source& source, std::vector<T>& into) {
    storage::ListQuery query;
    query.kind = documents::kind_of<T>;
    query.limit = 1000;
    for (bool more = true; more;) {
        const storage::Page page = source.snapshot()->list(query);
        for (const storage::Revision& revision : page.items) {
            try {
                documents::AnyDocument document = documents::decode_revision(revision);
                if (documents::resolve(document, "", source).empty()) {
                    detach(std::get<T>(document));
                    into.push_back(std::move(std::get<T>(document)));
                }
            } catch (const storage::StoreError& error) {
                if (error.cause() != storage::StoreError::Cause::unreadable) {
                    throw;
                }
            }
        }
        more = page.more && !page.items.empty();
        query.after = more ? page.items.back().record.key.id : "";
    }
}

} // namespace

model::Catalog read_catalog(documents::Source& source) {
    model::Catalog catalog;
    if (source.snapshot() != nullptr) {
        read_kind(source, catalog.offers);
        read_kind(source, catalog.servers);
        read_kind(source, catalog.sites);
        read_kind(source, catalog.performances);
        read_kind(source, catalog.models);
        read_kind(source, catalog.devices);
        read_kind(source, catalog.endpoints);
    }
    return catalog;
}

} // namespace costcurve::answers
