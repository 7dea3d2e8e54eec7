// Takes back what a feed's run has landed.
#pragma once

#include <string>

#include "server/answers/store/feed_review.hpp"
#include "server/storage/store.hpp"

namespace costcurve::answers {

/// New revisions without the run's points and fields; documents that it added are deleted. What has changed since stays as it is,
/// but for points that are still the run's, and is named; so is what it added and others refer to. With an event and a
/// recalculation. Costs a pass over all documents. Throws as accept_held.
[[nodiscard]] Reviewed undo_feed(storage::Store& store, const storage::Author& author, const storage::FeedRun& run,
                                 const std::string& model_version);

} // namespace costcurve::answers
