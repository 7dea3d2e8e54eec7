// Runs of feeds and imports as values: source files, times and results.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/storage/event.hpp"
#include "server/storage/run.hpp"

namespace costcurve::storage {

/// The names are stored in the database: do not rename them.
enum class FeedState { running, landed, unchanged, failed, held, undone };
inline constexpr auto feed_state_names =
    std::to_array<std::string_view>({"running", "landed", "unchanged", "failed", "held", "undone"});
[[nodiscard]] constexpr std::string_view name_of(FeedState state) { return feed_state_names[static_cast<std::size_t>(state)]; }

/// Maximum number of runs kept per feed, and of imports.
inline constexpr std::int64_t kMaxFeedRuns = 1000;
/// Maximum number of starts of a run. A run during which the daemon died each time is given up.
inline constexpr std::int64_t kMaxFeedStarts = 3;

struct FeedRequest {
    std::string feed;         ///< its id
    bool dry_run = false;     ///< fetches and reads, and stores nothing
    bool even_if_odd = false; ///< accepts a changed header, a much smaller file, or a file older than the last one that landed
    /// Cron tick for which the run begins, in microseconds since 1970; 0 if not started by cron. Each tick starts one run.
    std::int64_t tick = 0;
};

/// A fetched file. Unknown fields are "" or empty.
struct FeedFile {
    std::string origin; ///< where the file is from; files are compared only within one origin
    std::int64_t bytes = 0;
    std::string hash; ///< SHA-256 of its bytes, in hexadecimal
    std::string etag;
    std::optional<std::int64_t> modified_at; ///< Last-Modified from its server, in microseconds since 1970
    std::string header;                      ///< first line, if the file is a table
    std::int64_t rows = 0;
    std::optional<std::int64_t> until; ///< for samples: end of the period that was read, in microseconds
};

/// Files of an import by hand, without a feed.
struct ImportedFiles {
    std::string format;
    std::string names;
};

/// How a run ended, with everything to record at its end.
struct FeedEnd {
    std::int64_t run = 0; ///< 0 for an import, whose run is created when it ends
    FeedState state = FeedState::failed;
    FeedFile file;
    std::string summary; ///< JSON, opaque here; "" for none
    std::string problem; ///< why it failed
    std::vector<NewEvent> events;
    std::optional<RunRequest> recalculation;
    std::size_t held = 0;                                   ///< documents that wait to be accepted
    std::string held_documents = {};                        ///< opaque here
    std::string restated = {};                              ///< restated data that was already stored; opaque here
    FeedState from = FeedState::running;                    ///< expected current state; a landed or held run may still change state
    std::int64_t from_held = 0;                             ///< expected current number of held documents
    ImportedFiles import = {};                              ///< used if `run` is 0
    std::function<void(std::int64_t run)> on_recorded = {}; ///< called with the number of an import's run, before the commit
    std::int64_t bill_change = 0;                           ///< the change that already stored its bill lines; 0 for none
    std::optional<std::int64_t> others_undone = {};         ///< expected number of undone runs, if the stored data depends on it
};
struct FeedRun {
    std::int64_t id = 0;
    std::string feed; ///< id of the feed; "" for an import
    std::string author;
    FeedState state = FeedState::running;
    bool dry_run = false;
    bool even_if_odd = false;
    std::string started_at;
    std::string ended_at;    ///< "" while the run is in progress
    std::int64_t starts = 0; ///< number of starts
    FeedFile file;
    std::string summary; ///< JSON; "" where there is none
    std::string problem;
    std::int64_t held = 0;             ///< documents that wait to be accepted
    std::vector<std::int64_t> changes; ///< changes that stored its documents, ascending
    ImportedFiles import;
};

/// "feed/daily run 7", "import run 8".
[[nodiscard]] inline std::string name_of(const FeedRun& run) {
    return (run.feed.empty() ? "import" : "feed/" + run.feed) + " run " + std::to_string(run.id);
}

/// A run that was started, or the one already in progress.
struct FeedBegun {
    std::int64_t run = 0; ///< 0 if the tick already had its run
    bool is_new = false;
};

} // namespace costcurve::storage
