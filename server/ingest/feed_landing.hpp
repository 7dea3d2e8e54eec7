// A fetched file into the store: judged by the run before, read by its format, landed with the run's end, its events and the
// recalculation that follows; or a failure with its name, and nothing stored.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/documents/automation.hpp"
#include "server/ingest/import_files.hpp"
#include "server/storage/feed.hpp"
#include "server/storage/store.hpp"

namespace costcurve::ingest {

/// What PUT refuses of a feed, beside its own rules: an unknown format, or options that the format lacks or can't read.
[[nodiscard]] model::Failure feed_issues(const model::Feed& feed, const imports::AddedNames* names = nullptr);

/// What landing takes of a file, a multiple of its bytes, measured (docs/operations.md).
inline constexpr std::size_t kMemoryOfFile = 7;

/// A run, and what was fetched for it.
struct FeedInput {
    storage::FeedRun run;
    model::Feed feed;
    std::optional<storage::FeedRun> last; ///< the last good one of the same origin
    storage::FeedFile file;               ///< without rows
    std::string name;                     ///< of the file, without folders
    std::string body;
    std::string model_version; ///< of the recalculation
    /// Holds so much memory from then on; false where there is no room. May be empty.
    std::function<bool(std::size_t bytes)> memory = {};
};

/// Ends the run: landed, unchanged, failed or held. Prices that are not plausible are held back, each by itself or all of them. Of
/// a dry run nothing is stored, and one that would land or be held ends as unchanged.
storage::FeedState land_feed(storage::Store& store, FeedInput&& input);
/// Ends the run as unchanged: its source has what landed last.
void end_unchanged(storage::Store& store, const storage::FeedRun& run, const storage::FeedFile& file);
/// Ends the run as failed, with an event unless the one before failed the same way.
void end_failed(storage::Store& store, const storage::FeedRun& run, const storage::FeedFile& file, const std::string& problem);

/// Who a feed's run stores as: the one who began it.
[[nodiscard]] inline storage::Author author_of(const storage::FeedRun& run) { return {run.author, ""}; }

/// The first line of a table that is no row of numbers; "" of anything else.
[[nodiscard]] std::string header_of(std::string_view body);

/// What a run brought.
struct FeedSummary {
    std::size_t rows = 0;
    std::size_t skipped = 0;
    std::size_t rejected = 0;
    std::size_t warnings = 0;
    storage::BillOutcome documents;
    std::size_t bill_lines = 0;
    std::size_t samples = 0;
    std::vector<PriceMove> moved;
    std::size_t held = 0;               ///< documents that were held back
    std::vector<HeldOffer> held_offers; ///< the first ones whose price is not plausible
    std::vector<HeldDocument> held_documents;
    std::vector<std::string> kept; ///< of one undone or accepted: the first documents that changed since, or are referred to
};
/// The events of a feed, as kept.
struct FeedLanded {
    std::string feed;
    std::int64_t run = 0;
    FeedSummary summary;
};
struct FeedFailed {
    std::string feed;
    std::int64_t run = 0;
    std::string problem;
};
struct FeedHeld {
    std::string feed;
    std::int64_t run = 0;
    std::string problem; ///< of the list as a whole; "" where single offers are held
    std::size_t held = 0;
    std::vector<HeldOffer> held_offers;
    std::vector<HeldDocument> held_documents;
};
struct FeedUndone {
    std::string feed;
    std::int64_t run = 0;
    std::string outcome; ///< a sentence
    std::vector<std::string> kept;
};
struct FeedPriceMoved {
    std::string feed;
    std::int64_t run = 0;
    double threshold_fraction = 0.0;
    std::vector<PriceMove> moved;
};

/// Summary of a file that was read and merged.
[[nodiscard]] FeedSummary summary_of(const ImportSummary& imported);
/// Why nothing of it was stored, which was found only in the merge; "" where something was.
[[nodiscard]] std::string wrong_with_merge(const ImportSummary& imported);

/// The end of a run of samples, which have no documents.
void end_samples(storage::Store& store, const storage::FeedRun& run, const storage::FeedFile& file, const FeedSummary& summary);

/// A run in a list.
struct FeedRunAnswer : storage::FeedRun {
    explicit FeedRunAnswer(storage::FeedRun run) : storage::FeedRun(std::move(run)), bytes(file.bytes) {}
    std::int64_t bytes = 0;
};
/// A run that was begun.
struct FeedRunBegun {
    std::int64_t run = 0;
};

} // namespace costcurve::ingest

namespace costcurve::model {

template <> inline constexpr auto enum_names<storage::FeedState> = storage::feed_state_names;
template <> inline constexpr std::string_view document_name<ingest::FeedSummary> = "feed_summary";
template <>
inline constexpr auto fields<ingest::FeedSummary> = Rows{
    Field{"rows", &ingest::FeedSummary::rows, {.min = 0}},
    Field{"skipped", &ingest::FeedSummary::skipped, {.min = 0}},
    Field{"rejected", &ingest::FeedSummary::rejected, {.min = 0, .help = "complaints about rows that could not be used"}},
    Field{"warnings", &ingest::FeedSummary::warnings, {.min = 0}},
    Field{"documents", &ingest::FeedSummary::documents, {}},
    Field{"bill_lines", &ingest::FeedSummary::bill_lines, {.min = 0}},
    Field{"samples", &ingest::FeedSummary::samples, {.min = 0}},
    Field{"moved", &ingest::FeedSummary::moved, {.help = "prices that moved, by device and purchase"}},
    Field{"held", &ingest::FeedSummary::held, {.min = 0, .help = "documents that were held back"}},
    Field{
        "held_offers", &ingest::FeedSummary::held_offers, {.help = "the first of those whose price is not plausible, at most 100"}},
    Field{"held_documents", &ingest::FeedSummary::held_documents, {.help = "of endpoints and curves the same"}},
    Field{"kept",
          &ingest::FeedSummary::kept,
          {.help = "of a run that is undone: documents that changed since or are referred to, and stay; at most 100"}},
};
template <>
inline constexpr auto fields<ingest::FeedLanded> = Rows{
    Field{"feed", &ingest::FeedLanded::feed, {.format = Format::slug}},
    Field{"run", &ingest::FeedLanded::run, {.min = 1}},
    Field{"summary", &ingest::FeedLanded::summary, {}},
};
template <>
inline constexpr auto fields<ingest::FeedFailed> = Rows{
    Field{"feed", &ingest::FeedFailed::feed, {.format = Format::slug}},
    Field{"run", &ingest::FeedFailed::run, {.min = 1}},
    Field{"problem", &ingest::FeedFailed::problem, {}},
};
template <>
inline constexpr auto fields<ingest::FeedHeld> = Rows{
    Field{"feed", &ingest::FeedHeld::feed, {.format = Format::slug}},
    Field{"run", &ingest::FeedHeld::run, {.min = 1}},
    Field{"problem", &ingest::FeedHeld::problem, {}},
    Field{"held", &ingest::FeedHeld::held, {.min = 1}},
    Field{"held_offers", &ingest::FeedHeld::held_offers, {}},
    Field{"held_documents", &ingest::FeedHeld::held_documents, {}},
};
template <>
inline constexpr auto fields<ingest::FeedUndone> = Rows{
    Field{"feed", &ingest::FeedUndone::feed, {.format = Format::slug}},
    Field{"run", &ingest::FeedUndone::run, {.min = 1}},
    Field{"outcome", &ingest::FeedUndone::outcome, {}},
    Field{"kept", &ingest::FeedUndone::kept, {}},
};
template <>
inline constexpr auto fields<ingest::FeedPriceMoved> = Rows{
    Field{"feed", &ingest::FeedPriceMoved::feed, {.format = Format::slug}},
    Field{"run", &ingest::FeedPriceMoved::run, {.min = 1}},
    Field{"threshold_fraction", &ingest::FeedPriceMoved::threshold_fraction, {.min = 0}},
    Field{"moved", &ingest::FeedPriceMoved::moved, {}},
};
template <> inline constexpr std::string_view document_name<ingest::FeedRunAnswer> = "feed_run";
template <>
inline constexpr auto fields<ingest::FeedRunAnswer> = Rows{
    Field{"run", &storage::FeedRun::id, {.min = 1}},
    Field{"state", &storage::FeedRun::state, {}},
    Field{"started_at", &storage::FeedRun::started_at, {.format = Format::date_time}},
    Field{"ended_at", &storage::FeedRun::ended_at, {.format = Format::date_time, .null_if_empty = true}},
    Field{"recorded_by", &storage::FeedRun::author, {}},
    Field{"dry_run", &storage::FeedRun::dry_run, {}},
    Field{"bytes", &ingest::FeedRunAnswer::bytes, {.min = 0, .help = "of the file, inflated"}},
    Field{"summary",
          &storage::FeedRun::summary,
          {.help = "what it brought, or would have; null where nothing was read", .null_if_empty = true, .schema = "feed_summary"}},
    Field{"problem", &storage::FeedRun::problem, {.help = "why it failed or is held, or how it was undone", .null_if_empty = true}},
    Field{"held", &storage::FeedRun::held, {.min = 0, .help = "documents that wait to be accepted or rejected"}},
};
template <>
inline constexpr auto fields<ingest::FeedRunBegun> =
    Rows{Field{"run", &ingest::FeedRunBegun::run, {.min = 1, .help = "GET /v1/feeds/{id}/runs says how it went"}}};

} // namespace costcurve::model
