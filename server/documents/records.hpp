// Documents to the store's records and back: the body is the canonical text, curves' points stand beside it.
#pragma once

#include "server/documents/any_document.hpp"

namespace costcurve::documents {

/// The version of the document format that bodies are written in: 1 has every default written out, 2 leaves them out. Stored bodies
/// are never rewritten; upgrades.hpp brings an older one to this version in reading.
inline constexpr int kEncoding = 5;

/// What to store of a document. A stored body in an earlier encoding stays where it says the same.
[[nodiscard]] storage::Record encode_record(AnyDocument document, const std::string& id);

/// The document of a revision that is not a deletion. Throws StoreError (unreadable) where the body can't be read.
[[nodiscard]] AnyDocument decode_revision(const storage::Revision& revision);

/// The same; nothing where it can't be read.
[[nodiscard]] std::optional<AnyDocument> decode_readable(const storage::Revision& revision);

/// The same of a record.
[[nodiscard]] AnyDocument document_of(const storage::Record& record);

/// A stored document, and the pointers of fields in its body that this version of the program does not know.
struct StoredDocument {
    AnyDocument document;
    std::vector<std::string> unknown_fields;
};
/// As decode_revision.
[[nodiscard]] StoredDocument decode_stored(const storage::Revision& revision);
/// What decode_stored gives of the record that encode_record makes of a document, once it is stored under that revision.
[[nodiscard]] StoredDocument as_stored(AnyDocument document, const std::string& id, std::int64_t revision);

/// The document with id, revision, recorded_at and recorded_by; with unknown_fields where there are some.
[[nodiscard]] std::string encode_stored(const storage::Revision& revision);
/// The same of what was decoded from the revision.
[[nodiscard]] std::string encode_stored(const StoredDocument& stored, const storage::Revision& revision);

} // namespace costcurve::documents
