// Rows of tables as values, whatever engine gives them: the columns in their order, and how they are read. `Rows` is an engine's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/documents/text.hpp"
#include "server/storage/event.hpp"
#include "server/storage/feed.hpp"
#include "server/storage/job.hpp"
#include "server/storage/measurement.hpp"
#include "server/storage/run.hpp"
#include "server/storage/standing.hpp"
#include "server/storage/stored_names.hpp"
#include "server/storage/timestamp.hpp"
#include "server/storage/writes/chain.hpp"

namespace costcurve::storage {

template <class Rows> [[nodiscard]] std::optional<std::int64_t> integer_or_null(const Rows& rows, int column) {
    return rows.is_null(column) ? std::nullopt : std::optional(rows.integer(column));
}

/// Of a table `run`, joined with the table `change` as c.
inline constexpr const char* kRunColumns = "run, state, scope, schedule, webhook, run.author, run.sequence, c.recorded_at, "
                                           "created_at, started_at, ended_at, total, evaluated, unchanged, failed";
template <class Rows> [[nodiscard]] Run read_run(const Rows& rows) {
    int column = 0;
    Run run;
    run.id = rows.integer(column++);
    run.state = value_named<RunState>(run_state_names, rows.text(column++), "a run of state");
    run.scope = value_named<Scope>(scope_names, rows.text(column++), "a run of scope");
    run.schedule = rows.text(column++);
    run.webhook = rows.text(column++);
    run.author = rows.text(column++);
    run.sequence = rows.integer(column++);
    run.as_of = rows.time_or_empty(column++);
    run.created_at = rows.time_or_empty(column++);
    run.started_at = rows.time_or_empty(column++);
    run.ended_at = rows.time_or_empty(column++);
    run.total = rows.integer(column++);
    run.evaluated = rows.integer(column++);
    run.unchanged = rows.integer(column++);
    run.failed = rows.integer(column++);
    return run;
}

/// Of a table `result`. They are read from `column` on, which is advanced past them.
inline constexpr const char* kHeadlineColumns =
    "currency, cost, cash, npv, npv_after_tax, energy_kwh, carbon_kg, feasible, decide_by";
template <class Rows> [[nodiscard]] Headline read_headline(const Rows& rows, int& column) {
    Headline headline;
    headline.currency = rows.text(column++);
    for (double Headline::*const figure : {&Headline::cost, &Headline::cash, &Headline::npv, &Headline::npv_after_tax}) {
        headline.*figure = rows.real(column++);
    }
    headline.energy_kwh = rows.real_or_null(column++);
    headline.carbon_kg = rows.real_or_null(column++);
    if (!rows.is_null(column++)) {
        headline.feasible = rows.integer(column - 1) != 0;
    }
    headline.decide_by = rows.text(column++);
    return headline;
}

/// What `read_stored_result` takes of a table `result`.
inline const std::string kStoredResultColumns =
    std::string("number, run, recorded_at, inputs_hash, model_version, ") + kHeadlineColumns + ", body";
template <class Rows> [[nodiscard]] StoredResult read_stored_result(const Rows& rows) {
    int column = 0;
    StoredResult result;
    result.number = rows.integer(column++);
    result.run = rows.integer(column++);
    result.recorded_at = format_time(rows.integer(column++));
    result.inputs_hash = rows.text(column++);
    result.model_version = rows.text(column++);
    result.headline = read_headline(rows, column);
    result.body = rows.integer(column);
    return result;
}

/// What `read_result_row` takes of a table `result`, joined with result_body; `headline` are kHeadlineColumns, or what stands for
/// them.
[[nodiscard]] inline std::string result_columns(std::string_view headline = kHeadlineColumns) {
    return "scenario, number, run, recorded_at, inputs_hash, model_version, " + std::string(headline) + ", body, packed";
}
inline constexpr int kBehindResult = 17; // the next column
template <class Rows> [[nodiscard]] ResultRow read_result_row(const Rows& rows) {
    int column = 0;
    ResultRow row;
    row.scenario = rows.integer(column++);
    row.number = rows.integer(column++);
    row.run = rows.integer(column++);
    row.recorded_at = rows.integer(column++);
    row.inputs_hash = rows.text(column++);
    row.model_version = rows.text(column++);
    row.headline = read_headline(rows, column);
    row.body = rows.integer(column++);
    row.packed = rows.text(column);
    return row;
}

/// Of a table `change`.
inline constexpr const char* kChangeColumns =
    "sequence, era, recorded_at, author, address, request_id, action, subject, content, link";
inline constexpr int kLinkOfChange = 9;
template <class Rows> [[nodiscard]] ChangeRow read_change_row(const Rows& rows) {
    ChangeRow row{rows.integer(0), rows.integer(1), rows.integer(2),
                  rows.text(3),    rows.text(4),    rows.text(5),
                  rows.text(6),    rows.text(7),    {}};
    row.content = rows.is_null(8) ? std::nullopt : as_hash(rows.text(8));
    return row;
}

/// Of a table `job`; a body, if any, comes behind them.
inline constexpr const char* kJobColumns = "job, state, author, question, sequence, created_at, started_at, ended_at, starts";
inline constexpr int kBodyOfJob = 9;
template <class Rows> [[nodiscard]] Job read_job(const Rows& rows) {
    int column = 0;
    Job job;
    job.id = rows.integer(column++);
    job.state = value_named<JobState>(job_state_names, rows.text(column++), "a job of state");
    job.author = rows.text(column++);
    job.question = rows.text(column++);
    job.sequence = rows.integer(column++);
    job.created_at = rows.time_or_empty(column++);
    job.started_at = rows.time_or_empty(column++);
    job.ended_at = rows.time_or_empty(column++);
    job.starts = rows.integer(column++);
    return job;
}

/// Of a table `feed_run` as r, to which the table `document` is joined as d.
inline constexpr const char* kFeedRunColumns =
    "r.run, coalesce(d.id, ''), r.author, r.state, r.dry_run, r.even_if_odd, r.started_at, "
    "r.ended_at, r.starts, r.origin, r.bytes, r.hash, r.etag, "
    "r.modified_at, r.header, r.rows, r.until, r.summary, r.problem, r.held, r.changes, "
    "r.format, r.files";
template <class Rows> [[nodiscard]] FeedRun read_feed_run(const Rows& rows) {
    int column = 0;
    FeedRun run;
    run.id = rows.integer(column++);
    run.feed = rows.text(column++);
    run.author = rows.text(column++);
    run.state = value_named<FeedState>(feed_state_names, rows.text(column++), "a feed's run of state");
    run.dry_run = rows.integer(column++) != 0;
    run.even_if_odd = rows.integer(column++) != 0;
    run.started_at = rows.time_or_empty(column++);
    run.ended_at = rows.time_or_empty(column++);
    run.starts = rows.integer(column++);
    run.file.origin = rows.text(column++);
    run.file.bytes = rows.integer(column++);
    run.file.hash = rows.text(column++);
    run.file.etag = rows.text(column++);
    run.file.modified_at = integer_or_null(rows, column++);
    run.file.header = rows.text(column++);
    run.file.rows = rows.integer(column++);
    run.file.until = integer_or_null(rows, column++);
    run.summary = rows.text(column++);
    run.problem = rows.text(column++);
    run.held = rows.integer(column++);
    for (std::string_view changes = rows.text(column++); !changes.empty();) {
        const std::size_t end = std::min(changes.find(' '), changes.size());
        run.changes.push_back(model::read_number<std::int64_t>(changes.substr(0, end)).value_or(0));
        changes.remove_prefix(std::min(end + 1, changes.size()));
    }
    run.import.format = rows.text(column++);
    run.import.names = rows.text(column++);
    return run;
}

/// Of a table `standing` as s; the second is the comparison's id.
inline constexpr const char* kStandingColumns =
    "s.standing, {}, s.run, s.recorded_at, s.objective, s.currency, s.cheapest, s.figure, s.is_base, s.event, s.body";
inline constexpr int kBehindStanding = 11; // the next column
template <class Rows> [[nodiscard]] Standing read_standing(const Rows& rows) {
    int column = 0;
    Standing standing;
    standing.number = rows.integer(column++);
    standing.comparison = rows.text(column++);
    standing.run = rows.integer(column++);
    standing.recorded_at = format_time(rows.integer(column++));
    standing.objective = rows.text(column++);
    standing.currency = rows.text(column++);
    standing.cheapest = rows.text(column++);
    standing.figure = rows.real(column++);
    standing.is_base = rows.integer(column++) != 0;
    standing.event = integer_or_null(rows, column++);
    standing.body = rows.text(column++);
    return standing;
}

/// Of event, recorded_at, kind, subject and body, from `first` on.
template <class Rows> [[nodiscard]] Event read_event(const Rows& rows, int first = 0) {
    return {rows.integer(first), format_time(rows.integer(first + 1)), std::string(rows.text(first + 2)),
            std::string(rows.text(first + 3)), std::string(rows.text(first + 4))};
}

/// Of tables `delivery` as v, `event` as e, `document` (of the webhook) as d.
inline constexpr const char* kDeliveryColumns =
    "v.delivery, v.id, v.event, e.kind, e.subject, d.id, v.state, v.attempts, v.next_try_at, v.last_try_at, v.last_status, "
    "v.last_error";
template <class Rows> [[nodiscard]] Delivery read_delivery(const Rows& rows) {
    const auto state = value_named<DeliveryState>(delivery_state_names, rows.text(6), "a delivery of state");
    return {rows.integer(0),
            std::string(rows.text(1)),
            rows.integer(2),
            std::string(rows.text(3)),
            std::string(rows.text(4)),
            std::string(rows.text(5)),
            state,
            static_cast<int>(rows.integer(7)),
            state == DeliveryState::pending ? format_time(rows.integer(8)) : "",
            rows.time_or_empty(9),
            rows.is_null(10) ? std::nullopt : std::optional(static_cast<int>(rows.integer(10))),
            std::string(rows.text(11))};
}

/// Of delivery, its id, its webhook's id and URL, the secret, how often it was tried, and the event's columns.
template <class Rows> [[nodiscard]] DueDelivery read_due_delivery(const Rows& rows) {
    return {rows.integer(0),           std::string(rows.text(1)),         std::string(rows.text(2)), std::string(rows.text(3)),
            std::string(rows.text(4)), static_cast<int>(rows.integer(5)), read_event(rows, 6)};
}

/// Series by their numbers.
using SeriesByNumber = std::unordered_map<std::int64_t, SeriesKey>;
inline constexpr const char* kAllSeries = "SELECT series, source, device, metric FROM telemetry_series";
/// Those of `kAllSeries` that a filter lets through.
template <class Rows> [[nodiscard]] SeriesByNumber read_series(Rows& rows, const SeriesFilter& filter) {
    const auto is_among = [](const std::vector<std::string>& names, std::string_view name) {
        return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
    };
    SeriesByNumber found;
    while (rows.next()) {
        SeriesKey key{std::string(rows.text(1)), std::string(rows.text(2)), std::string(rows.text(3))};
        if ((filter.device.empty() || key.device == filter.device) && is_among(filter.sources, key.source) &&
            is_among(filter.metrics, key.metric)) {
            found.emplace(rows.integer(0), std::move(key));
        }
    }
    return found;
}
[[nodiscard]] inline std::vector<std::int64_t> numbers_of(const SeriesByNumber& series) {
    std::vector<std::int64_t> numbers;
    for (const auto& [number, key] : series) {
        numbers.push_back(number);
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

/// Of hour, series, count, sum, squares, minimum, maximum and increase.
template <class Rows> [[nodiscard]] HourRow read_hour(const Rows& rows, const SeriesKey& key) {
    HourRow row{rows.integer(1), key, rows.integer(0), rows.integer(2), {}, {}, {}, {}, {}};
    row.sum = rows.real_or_null(3);
    row.squares = rows.real_or_null(4);
    row.minimum = rows.real_or_null(5);
    row.maximum = rows.real_or_null(6);
    row.increase = rows.real_or_null(7);
    return row;
}

} // namespace costcurve::storage
