// Reads all stored documents of a kind, a page of keys at a time.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "model/documents/documents.hpp"
#include "server/documents/records.hpp"
#include "server/storage/snapshot.hpp"

namespace costcurve::ingest {

/// Visits the pages of a list.
template <class Visit> void for_each_page(const storage::Snapshot& snapshot, storage::ListQuery query, const Visit& visit) {
    query.limit = 1000;
    for (bool more = true; more;) {
        const storage::Page page = snapshot.list(query);
        visit(page);
        more = page.more && !page.items.empty();
        query.after = more ? page.items.back().record.key.id : "";
    }
}

/// Visits the documents of a kind, but for those that can't be read.
template <class T, class Visit> void for_each_document(const storage::Snapshot& snapshot, storage::Kind kind, const Visit& visit) {
    storage::ListQuery query;
    query.kind = kind;
    for_each_page(snapshot, query, [&](const storage::Page& page) {
        std::vector<storage::DocumentKey> keys;
        keys.reserve(page.items.size());
        for (const storage::Revision& revision : page.items) {
            keys.push_back(revision.record.key);
        }
        for (const auto& stored : snapshot.load_all(keys)) {
            if (const auto document = stored ? documents::decode_readable(*stored) : std::nullopt) {
                visit(std::get<T>(*document));
            }
        }
    });
}

} // namespace costcurve::ingest
