// One run of a feed: fetches, compares with the run before, and hands over to feed_landing.
#include "server/ingest/run_feed.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "server/actuals/collected_samples.hpp"
#include "server/documents/records.hpp"
#include "server/import/identity/added_names.hpp"
#include "server/import/telemetry/prometheus.hpp"
#include "server/import/telemetry/query_answer.hpp"
#include "server/ingest/feed_files.hpp"
#include "server/ingest/feed_landing.hpp"
#include "server/ingest/fetch.hpp"
#include "server/ingest/stored_names.hpp"
#include "server/storage/sha256.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::ingest {

namespace {

using storage::FeedFile;
using storage::FeedRun;

constexpr int kTries = 3;
constexpr std::chrono::milliseconds kFirstPause{2000};
constexpr int kLongerEachTime = 4;
constexpr std::int64_t kMicroseconds = 1000000; // of a second

// What a run has at hand.
struct Context {
    storage::Store& store;
    const FeedRun& run;
    const FeedSettings& settings;
    model::Feed feed;
    std::string secret;
    std::string origin;
    std::optional<FeedRun> last; // of the same origin
    BookMemory memory;           // may be empty

    [[nodiscard]] bool is_unwanted() const { return settings.is_unwanted && settings.is_unwanted(); }
    [[nodiscard]] std::size_t max_bytes() const {
        return static_cast<std::size_t>(std::min(feed.max_mib, settings.max_mib) * kMib);
    }
    void fail(const std::string& problem, FeedFile file = {}) const {
        file.origin = origin;
        end_failed(store, run, file, problem);
    }
};

std::string origin_of(const model::Feed& feed) {
    const model::FeedSource& from = feed.from;
    return from.directory.empty() ? fmt::format("{} {}{}", feed.format, from.url, from.prometheus)
                                  : fmt::format("{} {}/{}", feed.format, from.directory, from.pattern);
}

// Waits for so much memory; false where the run is unwanted meanwhile.
bool wait_for_memory(const Context& at, std::size_t bytes) {
    constexpr std::chrono::milliseconds kPause{1000};
    while (at.memory && !at.memory(bytes)) {
        if (!at.settings.wait || !at.settings.wait(kPause)) {
            return false;
        }
    }
    return true;
}

// What may pass is tried again, later each time. `held` bytes are those of answers before.
Fetched fetch_again(const Context& at, const FetchRequest& request, std::size_t held = 0) {
    const FetchLimits limits{at.settings.allow_private, at.settings.fetch_s, at.max_bytes(), at.settings.is_unwanted,
                             [&at, held](std::size_t bytes) { return !at.memory || at.memory(held + bytes); }};
    std::chrono::milliseconds pause = kFirstPause;
    Fetched fetched = fetch(request, limits);
    for (int tries = 1; tries < kTries && fetched.may_pass && at.settings.wait && at.settings.wait(pause); ++tries) {
        fetched = fetch(request, limits);
        pause *= kLongerEachTime;
    }
    if (fetched.may_pass && at.settings.wait && !at.is_unwanted()) {
        fetched.problem += fmt::format("; tried {} times", kTries);
    }
    return fetched;
}

FetchRequest request_of(const Context& at, std::string url) {
    return {std::move(url), at.feed.header ? at.feed.header->name : "", at.secret, "", std::nullopt};
}

std::string name_in(const std::string& url) {
    const std::string path = url.substr(0, url.find_first_of("?#"));
    return path.substr(path.rfind('/') + 1);
}

void land(const Context& at, FeedFile file, std::string name, std::string body) {
    file.origin = at.origin;
    file.bytes = static_cast<std::int64_t>(body.size());
    file.hash = storage::sha256(body);
    if (file.modified_at > at.store.now()) {
        file.modified_at.reset(); // it says nothing: no price is of a day to come
    }
    const std::unique_lock lock =
        at.settings.landing == nullptr ? std::unique_lock<std::mutex>() : std::unique_lock(*at.settings.landing);
    if (!wait_for_memory(at, kMemoryOfFile * body.size())) {
        return;
    }
    land_feed(at.store,
              {at.run, at.feed, at.last, std::move(file), std::move(name), std::move(body), at.settings.model_version, at.memory});
}

void run_url(const Context& at) {
    FetchRequest request = request_of(at, at.feed.from.url);
    if (at.last && !at.run.even_if_odd) {
        request.etag = at.last->file.etag;
        request.modified_at = at.last->file.modified_at;
    }
    Fetched fetched = fetch_again(at, request);
    if (at.is_unwanted()) {
        return;
    }
    if (!fetched.problem.empty()) {
        at.fail(fetched.problem);
    } else if (fetched.is_known && at.last) {
        end_unchanged(at.store, at.run, at.last->file);
    } else if (fetched.is_known) {
        at.fail("it answered 304 to a request without a condition");
    } else {
        FeedFile file;
        file.etag = std::move(fetched.etag);
        file.modified_at = fetched.modified_at;
        land(at, std::move(file), name_in(at.feed.from.url), std::move(fetched.body));
    }
}

void run_directory(const Context& at) {
    if (!wait_for_memory(at, at.max_bytes())) {
        return;
    }
    FoundFile found = newest_file(at.settings.directory, at.feed.from, at.max_bytes());
    if (!found.problem.empty()) {
        at.fail(found.problem);
        return;
    }
    FeedFile file;
    file.modified_at = found.modified_at;
    land(at, std::move(file), std::move(found.name), std::move(found.body));
}

// ---- Prometheus ----

// Moments in Unix seconds.
struct Span {
    std::int64_t from = 0;
    std::int64_t to = 0;
};

// Since the run before, at first an hour; no longer than samples are taken.
Span span_of(const Context& at) {
    constexpr std::int64_t kFirstSpan = 3600;
    constexpr std::int64_t kMillisecondsPerSecond = 1000;
    const std::int64_t now = at.store.now() / kMicroseconds;
    const std::int64_t since = at.last && at.last->file.until ? *at.last->file.until / kMicroseconds : now - kFirstSpan;
    const std::int64_t oldest = at.store.telemetry_window().oldest_ms / kMillisecondsPerSecond + 1;
    return {std::max(std::min(since, now), oldest), now};
}

// What all queries say of a span, as exporters' lines; or a sentence.
tl::expected<std::string, std::string> query_all(const Context& at, Span span) {
    constexpr std::int64_t kMaxPoints = 10000; // of a series in an answer: Prometheus gives 11,000
    const std::int64_t step = at.feed.from.step_s;
    std::string base = at.feed.from.prometheus;
    while (base.ends_with('/')) {
        base.pop_back();
    }
    std::string lines;
    for (const std::string& query : at.feed.from.queries) {
        for (std::int64_t from = span.from; from <= span.to; from += kMaxPoints * step) {
            const std::int64_t to = std::min(span.to, from + (kMaxPoints - 1) * step);
            const Fetched fetched = fetch_again(at,
                                                request_of(at, fmt::format("{}/api/v1/query_range?query={}&start={}&end={}&step={}",
                                                                           base, escaped(query), from, to, step)),
                                                lines.size());
            if (!fetched.problem.empty()) {
                return tl::unexpected(fetched.problem);
            }
            const auto read = imports::exporter_lines(fetched.body);
            if (!read) {
                return tl::unexpected(fmt::format("query {}: {}", query, read.error()));
            }
            lines += *read;
            if (lines.size() > at.max_bytes()) {
                return tl::unexpected(std::string(
                    "the answers are larger than the feed's max_mib, or serve --feed-max-mib; ask for less, or in longer steps"));
            }
        }
    }
    return lines;
}

void run_prometheus(const Context& at) {
    const Span span = span_of(at);
    const tl::expected<std::string, std::string> lines = query_all(at, span);
    if (at.is_unwanted()) {
        return;
    }
    if (!lines) {
        at.fail(lines.error());
        return;
    }
    if (!wait_for_memory(at, kMemoryOfFile * lines->size())) {
        return;
    }
    FeedFile file;
    file.origin = at.origin;
    file.bytes = static_cast<std::int64_t>(lines->size());
    file.until = span.to * kMicroseconds;
    actuals::CollectedSamples collected;
    imports::Report report;
    report.on_sample = [&](const imports::Sample& sample) { collected.add(sample); };
    imports::Bytes bytes{std::string_view(*lines)};
    const imports::AddedNames names = stored_names(at.store);
    const imports::NamesInUse in_use(&names);
    constexpr std::int64_t kPerMillisecond = 1000;
    const imports::HardError error =
        lines->empty() ? imports::HardError() : imports::read_prometheus(bytes, at.store.now() / kPerMillisecond, report);
    if (error || collected.count() > actuals::kMaxCollectedSamples) {
        at.fail(error ? error->message
                      : fmt::format("{} samples; allowed up to {}: ask in longer steps", collected.count(),
                                    actuals::kMaxCollectedSamples),
                file);
        return;
    }
    FeedSummary summary;
    summary.rows = report.rows;
    summary.skipped = report.skipped;
    summary.rejected = report.rejected.count;
    summary.warnings = report.warnings.count;
    summary.samples = collected.count();
    if (!at.run.dry_run && collected.count() > 0) {
        summary.samples = at.store.add_samples(author_of(at.run), collected.batch()).accepted;
    }
    file.rows = static_cast<std::int64_t>(report.rows);
    end_samples(at.store, at.run, file, summary);
}

} // namespace

void run_feed(storage::Store& store, const FeedRun& run, const FeedSettings& settings) {
    Context at{store, run, settings, {}, store.feed_secret(run.feed), "", std::nullopt, {}};
    at.memory = settings.memory ? settings.memory() : BookMemory();
    const auto revision = store.snapshot()->load({storage::Kind::feed, run.feed});
    if (!revision) {
        at.fail("the feed was deleted");
        return;
    }
    at.feed = std::get<model::Feed>(documents::decode_revision(*revision));
    at.origin = origin_of(at.feed);
    at.last = store.last_good_feed_run(run.feed);
    if (at.last && at.last->file.origin != at.origin) {
        at.last.reset(); // of another place
    }
    if (run.starts > storage::kMaxFeedStarts) {
        at.fail("the service ended while it ran, several times");
    } else if (at.feed.header && at.secret.empty()) {
        at.fail("its header has no secret; PUT the feed again with one");
    } else if (!at.feed.from.url.empty()) {
        run_url(at);
    } else if (!at.feed.from.directory.empty()) {
        run_directory(at);
    } else {
        run_prometheus(at);
    }
}

} // namespace costcurve::ingest
