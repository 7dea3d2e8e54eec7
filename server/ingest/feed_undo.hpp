// Takes back what a run of a feed or an import has landed.
#pragma once

#include <string>

#include "server/ingest/feed_review.hpp"
#include "server/storage/store.hpp"

namespace costcurve::ingest {

/// New revisions without the run's points and fields; documents that it added are deleted. What has changed since stays as it is,
/// but for fields and points that are still the run's, and is named; so is what it added and others refer to. Of what stood
/// before the run, what came from runs that are undone is left out, so that the order in which runs are undone doesn't matter. With
/// a recalculation, and of a feed an event. Costs a pass over all documents. Throws as accept_held.
[[nodiscard]] Reviewed undo_run(storage::Store& store, const storage::Author& author, const storage::FeedRun& run,
                                const std::string& model_version);

enum class Verdict { accept, reject, undo };
/// Decides the run as the verdict says; one that was reviewed meanwhile is left as it is.
[[nodiscard]] Reviewed review_run(storage::Store& store, const storage::Author& author, const storage::FeedRun& run,
                                  Verdict verdict, const std::string& model_version, const BookMemory& memory = {});

} // namespace costcurve::ingest
