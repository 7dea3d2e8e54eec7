// Runs of feeds and of imports as values: what was fetched or given, when, and what came of it.
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

/// Its words are stored: do not rename.
enum class FeedState { running, landed, unchanged, failed, held, undone };
inline constexpr auto feed_state_names =
    std::to_array<std::string_view>({"running", "landed", "unchanged", "failed", "held", "undone"});
[[nodiscard]] constexpr std::string_view name_of(FeedState state) { return feed_state_names[static_cast<std::size_t>(state)]; }

/// Runs of a feed, and of imports, that are kept.
inline constexpr std::int64_t kMaxFeedRuns = 1000;
/// How often a run is begun: one that ended the daemon each time is given up.
inline constexpr std::int64_t kMaxFeedStarts = 3;

struct FeedRequest {
    std::string feed;         ///< its id
    bool dry_run = false;     ///< fetches and reads, and stores nothing
    bool even_if_odd = false; ///< another header, a much smaller or an older file than the last one that landed
    /// The tick of the feed's cron, in microseconds since 1970, for which the run begins: it does so once per tick. 0: not by
    /// cron.
    std::int64_t tick = 0;
};

/// A file as it was fetched. What is not known is "" or nothing.
struct FeedFile {
    std::string origin; ///< where it is from: two are compared only where it is the same
    std::int64_t bytes = 0;
    std::string hash; ///< SHA-256 of its bytes, in hexadecimal
    std::string etag;
    std::optional<std::int64_t> modified_at; ///< what its server said, in microseconds since 1970
    std::string header;                      ///< its first line, of a table
    std::int64_t rows = 0;
    std::optional<std::int64_t> until; ///< of samples: the end of the time that was read, in microseconds
};

/// Files of an import by hand, without a feed.
struct ImportedFiles {
    std::string format;
    std::string names;
};

/// How a run ended, and what is to be recorded with that.
struct FeedEnd {
    std::int64_t run = 0; ///< 0 of an import, whose run is recorded with its end
    FeedState state = FeedState::failed;
    FeedFile file;
    std::string summary; ///< JSON, opaque here; "" for none
    std::string problem; ///< why it failed
    std::vector<NewEvent> events;
    std::optional<RunRequest> recalculation;
    std::size_t held = 0;                ///< documents that wait to be accepted
    std::string held_documents = {};     ///< opaque here
    std::string restated = {};           ///< what it states that was stored already; opaque here
    FeedState from = FeedState::running; ///< what it is up to then: one that has landed or is held may go on to another state
    std::int64_t from_held = 0;          ///< what it held then
    ImportedFiles import = {};           ///< where `run` is 0
    std::function<void(std::int64_t run)> on_recorded = {}; ///< gets the number of an import's run, before it is committed
    std::int64_t bill_change = 0;                           ///< that stored its lines of bills before; 0 for none
    std::optional<std::int64_t> others_undone = {}; ///< how many other runs are undone, where what is stored follows from that
};
struct FeedRun {
    std::int64_t id = 0;
    std::string feed; ///< its id; "" of an import
    std::string author;
    FeedState state = FeedState::running;
    bool dry_run = false;
    bool even_if_odd = false;
    std::string started_at;
    std::string ended_at;    ///< "" where it goes on
    std::int64_t starts = 0; ///< how often it was begun
    FeedFile file;
    std::string summary; ///< JSON; "" where there is none
    std::string problem;
    std::int64_t held = 0;             ///< documents that wait to be accepted
    std::vector<std::int64_t> changes; ///< that stored its documents, ascending
    ImportedFiles import;
};

/// "feed/daily run 7", "import run 8".
[[nodiscard]] inline std::string name_of(const FeedRun& run) {
    return (run.feed.empty() ? "import" : "feed/" + run.feed) + " run " + std::to_string(run.id);
}

/// A run that was begun, or the one that goes on already.
struct FeedBegun {
    std::int64_t run = 0; ///< 0 where the tick is done
    bool is_new = false;
};

} // namespace costcurve::storage
