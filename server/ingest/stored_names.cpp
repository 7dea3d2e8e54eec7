// Names of devices stored as aliases, read in pages.
#include "server/ingest/stored_names.hpp"

#include "server/documents/any_document.hpp"
#include "server/documents/records.hpp"

namespace costcurve::ingest {

imports::AddedNames stored_names(const storage::DocumentStore& store) {
    const std::unique_ptr<storage::Snapshot> snapshot = store.snapshot();
    imports::AddedNames names;
    storage::ListQuery query;
    query.kind = storage::Kind::alias;
    query.limit = 1000;
    for (bool more = true; more;) {
        const storage::Page page = snapshot->list(query);
        for (const storage::Revision& revision : page.items) {
            if (!revision.unreadable.empty()) {
                continue;
            }
            const model::AnyDocument document = documents::decode_revision(revision);
            const auto& alias = std::get<model::Alias>(document);
            for (const std::string& name : alias.names) {
                names.add(name, {alias.device, alias.devices});
            }
        }
        more = page.more && !page.items.empty();
        query.after = more ? page.items.back().record.key.id : "";
    }
    return names;
}

} // namespace costcurve::ingest
