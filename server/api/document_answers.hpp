// Encodes stored documents for answers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/documents/records.hpp"
#include "server/storage/store.hpp"

namespace costcurve::api {

/// List entry for a document that can't be read: {id, revision, recorded_at, recorded_by, problem}.
[[nodiscard]] std::string encode_unreadable(const storage::Revision& revision, const storage::StoreError& error,
                                            std::string_view request_id);

/// Warnings that a price's history became shorter, a sentence per curve over dates; empty if no day was removed.
[[nodiscard]] std::vector<std::string> lost_history(const storage::Revision& before, const storage::Record& now);

/// The document, with `warnings` added if there are any.
[[nodiscard]] std::string with_warnings(std::string document, std::span<const std::string> warnings);

/// Encodes the document as GET answers it. A schedule or feed includes its next run after `now`, in microseconds since 1970. If
/// `hides_urls`, only the host of a webhook's URL is shown, because the URL may be a password. `snapshot` gives the scenarios of a
/// decision in an earlier encoding.
[[nodiscard]] std::string encode_answer(const storage::Revision& revision, std::int64_t now, bool hides_urls = false,
                                        const storage::Snapshot* snapshot = nullptr);
/// Like the above for an already decoded document; only time and author are read from the revision.
[[nodiscard]] std::string encode_answer(const documents::StoredDocument& stored, const storage::Revision& revision,
                                        std::int64_t now);

} // namespace costcurve::api
