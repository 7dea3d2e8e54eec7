// Documents to the store's records and back: the body is the canonical encoding, curves' points stand beside it.
#pragma once

#include "server/storage/record.hpp"
#include "server/work/resolve.hpp"

namespace costcurve::api {

/// What to store of a document.
[[nodiscard]] storage::Record encode_record(work::AnyDocument document, const std::string& id);

/// The document of a revision that is not a deletion. Throws StoreError (corrupt) where the body can't be read.
[[nodiscard]] work::AnyDocument decode_revision(const storage::Revision& revision);

/// The document with id, revision, recorded_at and recorded_by.
[[nodiscard]] std::string encode_stored(const storage::Revision& revision);

/// The same as GET answers it: a schedule also says when it runs next, after `now` in microseconds since 1970.
[[nodiscard]] std::string encode_answer(const storage::Revision& revision, std::int64_t now);

} // namespace costcurve::api
