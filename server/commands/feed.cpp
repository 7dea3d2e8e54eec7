// `costcurve feed`: the stored feeds and the age of prices; one run of a feed, here and now.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "model/version.hpp"
#include "server/commands/commands.hpp"
#include "server/commands/input.hpp"
#include "server/commands/open_upgraded.hpp"
#include "server/commands/text_table.hpp"
#include "server/documents/records.hpp"
#include "server/ingest/feed_landing.hpp"
#include "server/ingest/feed_undo.hpp"
#include "server/ingest/run_feed.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::commands {

namespace {

// The newest dated price of the stored offers, in days since 1970, and how many offers there are.
std::pair<std::optional<double>, std::size_t> newest_price(const storage::Store& store) {
    std::optional<double> newest;
    std::size_t offers = 0;
    store.snapshot()->for_each([&](const storage::Revision& revision) {
        if (revision.record.key.kind != storage::Kind::offer) {
            return;
        }
        ++offers;
        for (const storage::Series& series : revision.record.series) {
            newest = series.x.empty() ? newest : std::max(newest.value_or(series.x.back()), series.x.back());
        }
    });
    return {newest, offers};
}

std::string state_of(const std::optional<std::vector<storage::FeedRun>>& runs) {
    if (!runs || runs->empty()) {
        return "never run";
    }
    const storage::FeedRun& last = runs->front();
    return fmt::format("{} {}{}{}", storage::name_of(last.state), last.started_at.substr(0, 16), last.problem.empty() ? "" : ": ",
                       last.problem);
}

} // namespace

int list_feeds(const DatabaseOptions& database) {
    const auto store = open_upgraded({.path = database.path, .max_database_mb = database.max_mb});
    Table table;
    table.row({"feed", "enabled", "cron", "last run"});
    store->snapshot()->for_each([&](const storage::Revision& revision) {
        if (revision.record.key.kind == storage::Kind::feed) {
            const auto feed = std::get<model::Feed>(documents::decode_revision(revision));
            table.row({feed.id, feed.enabled ? "yes" : "no", feed.cron.empty() ? std::string(kMissing) : feed.cron,
                       state_of(store->feed_runs(feed.id, 0, 1))});
        }
    });
    if (!table.empty()) {
        fmt::print("{}", table.text());
    }
    const auto [newest, offers] = newest_price(*store);
    if (newest) {
        const double age = static_cast<double>(store->now()) / static_cast<double>(storage::kMicrosecondsPerDay) - *newest;
        fmt::print("the newest of the prices of {} offers is of {}, {:.0f} days old\n", offers, model::date_text(*newest),
                   std::floor(std::max(age, 0.0)));
    } else {
        fmt::print("no offer has a dated price\n");
    }
    return kDone;
}

int run_feed(const FeedOptions& options) {
    const auto store = open_upgraded({.path = options.database.path, .max_database_mb = options.database.max_mb});
    const auto begun = store->begin_feed({"cli", ""}, {options.id, options.dry_run, options.even_if_odd, 0});
    if (!begun) {
        fmt::print(stderr, "no feed has the id {}; costcurve import json stores one of a file feeds.json\n", printable(options.id));
        return kWrongInput;
    }
    const std::optional<storage::FeedRun> run = store->start_feed(begun->run);
    if (run) {
        ingest::FeedSettings settings;
        settings.allow_private = options.allow_private;
        settings.directory = options.directory;
        settings.model_version = model::kModelVersion;
        ingest::run_feed(*store, *run, settings);
    }
    const std::vector<storage::FeedRun> ended =
        store->feed_runs(options.id, begun->run + 1, 1).value_or(std::vector<storage::FeedRun>());
    if (ended.empty()) {
        fmt::print(stderr, "the run {} is kept no more\n", begun->run);
        return kWorldFailed;
    }
    if (options.json) {
        fmt::print("{}\n", answers::encode_answer(ingest::FeedRunAnswer(ended.front())));
    } else if (ended.front().state == storage::FeedState::failed) {
        fmt::print(stderr, "feed {}: failed: {}\n", options.id, printable(ended.front().problem));
    } else if (ended.front().state == storage::FeedState::held) {
        fmt::print(stderr, "feed {}: held, and nothing is stored: {}; costcurve feed accept {} lands it, feed reject {} drops it\n",
                   options.id, printable(ended.front().problem), ended.front().id, ended.front().id);
    } else {
        fmt::print("feed {}: {}{}, {} bytes, {} rows{}{}\n", options.id, storage::name_of(ended.front().state),
                   options.dry_run ? " (dry run: nothing is stored)" : "", ended.front().file.bytes, ended.front().file.rows,
                   ended.front().summary.empty() ? "" : "; ", ended.front().summary);
    }
    const bool has_landed = ended.front().state != storage::FeedState::failed && ended.front().state != storage::FeedState::held;
    return has_landed ? kDone : kWrongInput;
}

int review_run(const DatabaseOptions& database, std::int64_t run, bool is_import, ingest::Verdict verdict) {
    const auto store = open_upgraded({.path = database.path, .max_database_mb = database.max_mb});
    const std::optional<storage::FeedRun> found = store->feed_run(run);
    if (!found || found->feed.empty() != is_import) {
        fmt::print(stderr, "no {} has a run {}\n", is_import ? "import" : "feed", run);
        return kWrongInput;
    }
    const ingest::Reviewed reviewed = ingest::review_run(*store, {"cli", ""}, *found, verdict, std::string(model::kModelVersion));
    if (!reviewed) {
        fmt::print(stderr, "{}\n", printable(reviewed.error()));
        return kWrongInput;
    }
    fmt::print("{}run {}: {}{}{}\n", is_import ? "import " : fmt::format("feed {}, ", reviewed->feed), run,
               storage::name_of(reviewed->state), reviewed->problem.empty() ? "" : ": ", printable(reviewed->problem));
    return kDone;
}

} // namespace costcurve::commands
