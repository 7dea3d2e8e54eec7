// Imports as numbered runs; a run's end follows from what was read and merged.
#include "server/ingest/import_run.hpp"

#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "server/answers/answer.hpp"

namespace costcurve::ingest {

namespace {

using storage::FeedEnd;
using storage::FeedState;

// Those that are there.
std::string joined(std::span<const std::string> names) {
    constexpr std::size_t kMaxBytes = 200;
    std::string text;
    for (const std::string& name : names) {
        text += (text.empty() || name.empty() ? "" : ", ") + name;
    }
    return shortened(text, kMaxBytes);
}

std::string names_of(const std::vector<ImportFile>& files) {
    std::vector<std::string> names;
    names.reserve(files.size());
    for (const ImportFile& file : files) {
        names.push_back(file.name);
    }
    return joined(names);
}

FeedEnd end_of(const ImportSummary& imported, const std::string& names) {
    FeedEnd end;
    end.import = {std::string(imported.format), names};
    end.file.rows = static_cast<std::int64_t>(imported.report.rows);
    end.summary = answers::encode_answer(summary_of(imported));
    end.problem = wrong_with_merge(imported);
    end.held = imported.held.count;
    end.held_documents = imported.held.documents;
    end.bill_change = imported.bill.change;
    end.restated = imported.merged.restated;
    if (!imported.held.judgement.problem.empty()) {
        end.problem = imported.held.judgement.problem;
        end.state = FeedState::held;
        return end;
    }
    const bool is_new = imported.held.count + imported.merged.added + imported.merged.changed + imported.bill_lines > 0;
    end.state = !end.problem.empty() ? FeedState::failed : is_new ? FeedState::landed : FeedState::unchanged;
    return end;
}

} // namespace

FeedEnd end_of_documents(const documents::ImportCounts& counts, std::span<const std::string> names) {
    FeedSummary summary;
    summary.rows = counts.added + counts.changed + counts.unchanged;
    summary.documents = {counts.added, counts.changed, counts.unchanged};
    FeedEnd end;
    end.state = counts.added + counts.changed > 0 ? FeedState::landed : FeedState::unchanged;
    end.import = {"json", joined(names)};
    end.file.rows = static_cast<std::int64_t>(summary.rows);
    end.summary = answers::encode_answer(summary);
    end.restated = counts.restated;
    return end;
}

model::Result<ImportSummary> import_as_run(storage::Store& store, const storage::Author& author, ImportRequest request,
                                           std::vector<ImportFile> files) {
    std::int64_t run = 0;
    const auto end = [&run, names = names_of(files)](const ImportSummary& imported) {
        FeedEnd end_of_run = end_of(imported, names);
        end_of_run.on_recorded = [&run](std::int64_t number) { run = number; };
        return end_of_run;
    };
    if (!request.merge.dry_run) {
        request.end_feed = end;
    }
    model::Result<ImportSummary> summary = import_files(store, author, request, std::move(files));
    if (summary && !summary->held.judgement.problem.empty() && !request.merge.dry_run) {
        store.end_feed(author, end(*summary));
    }
    if (summary) {
        summary->run = run;
    }
    return summary;
}

} // namespace costcurve::ingest
