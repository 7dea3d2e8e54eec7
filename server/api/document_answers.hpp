// Stored documents as answers show them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/documents/records.hpp"
#include "server/storage/store.hpp"

namespace costcurve::api {

/// What stands in a list in the place of a document that can't be read: {id, revision, recorded_at, recorded_by, problem}.
[[nodiscard]] std::string encode_unreadable(const storage::Revision& revision, const storage::StoreError& error,
                                            std::string_view request_id);

/// Why a price's history is shorter than before, a sentence a curve over date; none where no day has gone.
[[nodiscard]] std::vector<std::string> lost_history(const storage::Revision& before, const storage::Record& now);

/// The document, with `warnings` where there are any.
[[nodiscard]] std::string with_warnings(std::string document, std::span<const std::string> warnings);

/// The same as GET answers it: a schedule or a feed also says when it runs next, after `now` in microseconds since 1970; a
/// webhook's URL, which may be a password to its receiver, is left out but for its host where `hides_urls`. A `snapshot` has the
/// scenarios of a decision in an earlier encoding.
[[nodiscard]] std::string encode_answer(const storage::Revision& revision, std::int64_t now, bool hides_urls = false,
                                        const storage::Snapshot* snapshot = nullptr);
/// The same of a document that is at hand as it is stored; of the revision only when and by whom it was written is read.
[[nodiscard]] std::string encode_answer(const documents::StoredDocument& stored, const storage::Revision& revision,
                                        std::int64_t now);

} // namespace costcurve::api
