// Column lists of tables, and functions that read their rows into values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/storage/event.hpp"
#include "server/storage/feed.hpp"
#include "server/storage/job.hpp"
#include "server/storage/measurement.hpp"
#include "server/storage/run.hpp"
#include "server/storage/sql/connection.hpp"
#include "server/storage/standing.hpp"
#include "server/storage/writes/chain.hpp"

namespace costcurve::storage {

using sql::Row;

/// Columns of table `run`, joined with table `change` as c.
inline constexpr const char* kRunColumns = "run, state, scope, schedule, webhook, run.author, run.sequence, c.recorded_at, "
                                           "created_at, started_at, ended_at, total, evaluated, unchanged, failed";
[[nodiscard]] Run read_run(const Row& row);

/// Columns of the headline figures in table `result`. They are read from `column`, which is advanced past them.
inline constexpr const char* kHeadlineColumns =
    "currency, cost, cash, npv, npv_after_tax, energy_kwh, carbon_kg, feasible, decide_by";
[[nodiscard]] Headline read_headline(const Row& row, int& column);

/// Columns of table `result` that `read_stored_result` reads.
inline const std::string kStoredResultColumns =
    std::string("number, run, recorded_at, inputs_hash, model_version, ") + kHeadlineColumns + ", body";
[[nodiscard]] StoredResult read_stored_result(const Row& row);

/// Columns of table `result`, joined with result_body, that `read_result_row` reads. `headline` is kHeadlineColumns or a
/// substitute.
[[nodiscard]] std::string result_columns(std::string_view headline = kHeadlineColumns);
inline constexpr int kBehindResult = 17; // the next column
[[nodiscard]] ResultRow read_result_row(const Row& row);

/// Columns of table `change`.
inline constexpr const char* kChangeColumns =
    "sequence, era, recorded_at, author, address, request_id, action, subject, content, link";
inline constexpr int kLinkOfChange = 9;
[[nodiscard]] ChangeRow read_change_row(const Row& row);

/// Columns of table `job`; a body, if any, follows them.
inline constexpr const char* kJobColumns = "job, state, author, question, sequence, created_at, started_at, ended_at, starts";
inline constexpr int kBodyOfJob = 9;
[[nodiscard]] Job read_job(const Row& row);

/// Columns of table `feed_run` as r, joined with table `document` as d.
inline constexpr const char* kFeedRunColumns =
    "r.run, coalesce(d.id, ''), r.author, r.state, r.dry_run, r.even_if_odd, r.started_at, "
    "r.ended_at, r.starts, r.origin, r.bytes, r.hash, r.etag, "
    "r.modified_at, r.header, r.rows, r.until, r.summary, r.problem, r.held, r.changes, "
    "r.format, r.files";
[[nodiscard]] FeedRun read_feed_run(const Row& row);

/// Columns of table `standing` as s; the second is the comparison's id.
inline constexpr const char* kStandingColumns =
    "s.standing, {}, s.run, s.recorded_at, s.objective, s.currency, s.cheapest, s.figure, s.is_base, s.event, s.body";
inline constexpr int kBehindStanding = 11; // the next column
[[nodiscard]] Standing read_standing(const Row& row);

/// Reads an event from columns event, recorded_at, kind, subject and body, from `first` on.
[[nodiscard]] Event read_event(const Row& row, int first = 0);

/// Columns of tables `delivery` as v, `event` as e and `document` (the webhook) as d.
inline constexpr const char* kDeliveryColumns =
    "v.delivery, v.id, v.event, e.kind, e.subject, d.id, v.state, v.attempts, v.next_try_at, v.last_try_at, v.last_status, "
    "v.last_error";
[[nodiscard]] Delivery read_delivery(const Row& row);

/// Reads a delivery from these columns: delivery, id, webhook's id and URL, secret, number of attempts, and the event's columns.
[[nodiscard]] DueDelivery read_due_delivery(const Row& row);

/// Series by their numbers.
using SeriesByNumber = std::unordered_map<std::int64_t, SeriesKey>;
inline constexpr const char* kAllSeries = "SELECT series, source, device, metric FROM telemetry_series";
/// Reads the rows of `kAllSeries` and returns the series that match the filter.
[[nodiscard]] SeriesByNumber read_series(sql::Cursor& rows, const SeriesFilter& filter);
/// Moves the series of counters, which have a table of their own, out of `series`.
[[nodiscard]] SeriesByNumber take_counters(SeriesByNumber& series);
[[nodiscard]] std::vector<std::int64_t> numbers_of(const SeriesByNumber& series);

/// Reads an hour from columns hour, series, count, sum, squares, minimum, maximum and increase.
[[nodiscard]] HourRow read_hour(const Row& row, const SeriesKey& key);

} // namespace costcurve::storage
