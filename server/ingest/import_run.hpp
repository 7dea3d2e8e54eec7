// Imports as runs: each that stores has a number, by which it is looked up, accepted and undone as a feed's run is.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "server/documents/document_files.hpp"
#include "server/ingest/feed_landing.hpp"
#include "server/ingest/import_files.hpp"
#include "server/storage/feed.hpp"
#include "server/storage/store.hpp"

namespace costcurve::ingest {

/// `import_files`, with a run that its write records, unless it is a dry run.
[[nodiscard]] model::Result<ImportSummary> import_as_run(storage::Store& store, const storage::Author& author,
                                                         ImportRequest request, std::vector<ImportFile> files);

/// The run of documents that were stored as they are, of files of those names.
[[nodiscard]] storage::FeedEnd end_of_documents(const documents::ImportCounts& counts, std::span<const std::string> names);

/// An import's run in a list.
struct ImportRunAnswer : storage::FeedRun {
    explicit ImportRunAnswer(storage::FeedRun run) : storage::FeedRun(std::move(run)), format(import.format), files(import.names) {}
    std::string format;
    std::string files;
};

} // namespace costcurve::ingest

namespace costcurve::model {

template <> inline constexpr std::string_view document_name<ingest::ImportRunAnswer> = "import_run";
template <>
inline constexpr auto fields<ingest::ImportRunAnswer> = Rows{
    Field{"run", &storage::FeedRun::id, {.min = 1}},
    Field{"state", &storage::FeedRun::state, {}},
    Field{"recorded_at", &storage::FeedRun::ended_at, {.format = Format::date_time}},
    Field{"recorded_by", &storage::FeedRun::author, {}},
    Field{"format", &ingest::ImportRunAnswer::format, {}},
    Field{"files", &ingest::ImportRunAnswer::files, {.help = "their names, where they have any"}},
    Field{"summary", &storage::FeedRun::summary, {.help = "what it brought", .null_if_empty = true, .schema = "feed_summary"}},
    Field{"problem", &storage::FeedRun::problem, {.help = "why it failed or is held, or how it was undone", .null_if_empty = true}},
    Field{"held", &storage::FeedRun::held, {.min = 0, .help = "documents that wait to be accepted or rejected"}},
};

} // namespace costcurve::model
