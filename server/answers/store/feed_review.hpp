// What a person decides of a run of a feed or an import: what it holds back lands, or is dropped.
#pragma once

#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "server/storage/store.hpp"

namespace costcurve::answers {

/// The run as it is then, or why it can't be: a sentence.
using Reviewed = tl::expected<storage::FeedRun, std::string>;

/// Lands what the run holds back; of a feed with its events and the recalculation that follows, unless the feed has none. Throws
/// RunConflict where the run was accepted, rejected, undone or superseded meanwhile; nothing is stored then.
[[nodiscard]] Reviewed accept_held(storage::Store& store, const storage::Author& author, const storage::FeedRun& run,
                                   const std::string& model_version);
/// Drops it: a run that is held as a whole has failed then. Throws as accept_held.
[[nodiscard]] Reviewed reject_held(storage::Store& store, const storage::Author& author, const storage::FeedRun& run);

} // namespace costcurve::answers
