// What a person decides of a run of a feed or an import: what it holds back lands, or is dropped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <tl/expected.hpp>

#include "server/storage/store.hpp"

namespace costcurve::ingest {

/// Holds so much memory from then on; false where there is no room. May be empty.
using BookMemory = std::function<bool(std::size_t bytes)>;

/// What landing takes of what is held, a multiple of its bytes, beside what its documents and lines take; measured.
inline constexpr std::size_t kMemoryOfHeld = 3;

/// Thrown where memory doesn't suffice to land a held run; nothing is stored then.
struct NoRoom : std::runtime_error {
    explicit NoRoom(std::int64_t documents)
        : std::runtime_error(fmt::format("landing the {} documents that the run holds takes more memory than the service has to "
                                         "spare now; try again, or use costcurve on its machine: import accept, feed accept",
                                         documents)) {}
};

/// The run as it is then, or why it can't be: a sentence.
using Reviewed = tl::expected<storage::FeedRun, std::string>;

/// Lands what the run holds back; of a feed with its events and the recalculation that follows, unless the feed has none. Throws
/// RunConflict where the run was accepted, rejected, undone or superseded meanwhile, NoRoom; nothing is stored then.
[[nodiscard]] Reviewed accept_held(storage::Store& store, const storage::Author& author, const storage::FeedRun& run,
                                   const std::string& model_version, const BookMemory& memory = {});
/// Drops it: a run that is held as a whole has failed then. Throws as accept_held.
[[nodiscard]] Reviewed reject_held(storage::Store& store, const storage::Author& author, const storage::FeedRun& run);

} // namespace costcurve::ingest
