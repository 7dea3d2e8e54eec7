// One run of a feed: fetches from where it says, and lands what came. Knows URLs, directories and Prometheus, no threads.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>

#include "server/storage/store.hpp"

namespace costcurve::ingest {

/// Holds so many bytes from then on; false where there is no room, and what was held stays.
using BookMemory = std::function<bool(std::size_t bytes)>;

struct FeedSettings {
    bool allow_private = false; ///< addresses that are not public too
    std::string directory = {}; ///< below which feeds may read files; "" for nowhere
    double fetch_s = 300.0;     ///< of a whole fetch
    double max_mib = 64.0;      ///< of a file, whatever its feed allows
    std::string model_version = {};
    std::function<bool()> is_unwanted = {}; ///< ends a fetch, and leaves the run as it is; may be empty
    /// Waits between tries of what may pass; false where the run is unwanted. Empty: no second try.
    std::function<bool(std::chrono::milliseconds pause)> wait = {};
    /// Memory of a run, by the daemon's budget; everything is granted where it is empty.
    std::function<BookMemory()> memory = {};
    std::mutex* landing = nullptr; ///< held while a file is read and lands; may be null
};

/// Ends the run, unless it is unwanted. Throws StoreError: it is tried again then.
void run_feed(storage::Store& store, const storage::FeedRun& run, const FeedSettings& settings);

} // namespace costcurve::ingest
