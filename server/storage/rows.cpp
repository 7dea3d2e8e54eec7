// Reads rows of tables, column by column.
#include "server/storage/rows.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "model/documents/text.hpp"
#include "server/storage/stored_names.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::storage {

Run read_run(const Row& row) {
    int column = 0;
    Run run;
    run.id = row.integer(column++);
    run.state = value_named<RunState>(run_state_names, row.text(column++), "a run of state");
    run.scope = value_named<Scope>(scope_names, row.text(column++), "a run of scope");
    run.schedule = row.text(column++);
    run.webhook = row.text(column++);
    run.author = row.text(column++);
    run.sequence = row.integer(column++);
    run.as_of = row.time_or_empty(column++);
    run.created_at = row.time_or_empty(column++);
    run.started_at = row.time_or_empty(column++);
    run.ended_at = row.time_or_empty(column++);
    run.total = row.integer(column++);
    run.evaluated = row.integer(column++);
    run.unchanged = row.integer(column++);
    run.failed = row.integer(column++);
    return run;
}

Headline read_headline(const Row& row, int& column) {
    Headline headline;
    headline.currency = row.text(column++);
    for (double Headline::*const figure : {&Headline::cost, &Headline::cash, &Headline::npv, &Headline::npv_after_tax}) {
        headline.*figure = row.real(column++);
    }
    headline.energy_kwh = row.real_or_null(column++);
    headline.carbon_kg = row.real_or_null(column++);
    if (!row.is_null(column++)) {
        headline.feasible = row.integer(column - 1) != 0;
    }
    headline.decide_by = row.text(column++);
    return headline;
}

StoredResult read_stored_result(const Row& row) {
    int column = 0;
    StoredResult result;
    result.number = row.integer(column++);
    result.run = row.integer(column++);
    result.recorded_at = format_time(row.integer(column++));
    result.inputs_hash = row.text(column++);
    result.model_version = row.text(column++);
    result.headline = read_headline(row, column);
    result.body = row.integer(column);
    return result;
}

std::string result_columns(std::string_view headline) {
    return "scenario, number, run, recorded_at, inputs_hash, model_version, " + std::string(headline) + ", body, packed";
}

ResultRow read_result_row(const Row& row) {
    int column = 0;
    ResultRow found;
    found.scenario = row.integer(column++);
    found.number = row.integer(column++);
    found.run = row.integer(column++);
    found.recorded_at = row.integer(column++);
    found.inputs_hash = row.text(column++);
    found.model_version = row.text(column++);
    found.headline = read_headline(row, column);
    found.body = row.integer(column++);
    found.packed = row.text(column);
    return found;
}

ChangeRow read_change_row(const Row& row) {
    ChangeRow found{row.integer(0), row.integer(1), row.integer(2), row.text(3), row.text(4),
                    row.text(5),    row.text(6),    row.text(7),    {}};
    found.content = row.is_null(8) ? std::nullopt : as_hash(row.text(8));
    return found;
}

Job read_job(const Row& row) {
    int column = 0;
    Job job;
    job.id = row.integer(column++);
    job.state = value_named<JobState>(job_state_names, row.text(column++), "a job of state");
    job.author = row.text(column++);
    job.question = row.text(column++);
    job.sequence = row.integer(column++);
    job.created_at = row.time_or_empty(column++);
    job.started_at = row.time_or_empty(column++);
    job.ended_at = row.time_or_empty(column++);
    job.starts = row.integer(column++);
    return job;
}

FeedRun read_feed_run(const Row& row) {
    int column = 0;
    FeedRun run;
    run.id = row.integer(column++);
    run.feed = row.text(column++);
    run.author = row.text(column++);
    run.state = value_named<FeedState>(feed_state_names, row.text(column++), "a feed's run of state");
    run.dry_run = row.integer(column++) != 0;
    run.even_if_odd = row.integer(column++) != 0;
    run.started_at = row.time_or_empty(column++);
    run.ended_at = row.time_or_empty(column++);
    run.starts = row.integer(column++);
    run.file.origin = row.text(column++);
    run.file.bytes = row.integer(column++);
    run.file.hash = row.text(column++);
    run.file.etag = row.text(column++);
    run.file.modified_at = row.integer_or_null(column++);
    run.file.header = row.text(column++);
    run.file.rows = row.integer(column++);
    run.file.until = row.integer_or_null(column++);
    run.summary = row.text(column++);
    run.problem = row.text(column++);
    run.held = row.integer(column++);
    for (std::string_view changes = row.text(column++); !changes.empty();) {
        const std::size_t end = std::min(changes.find(' '), changes.size());
        run.changes.push_back(model::read_number<std::int64_t>(changes.substr(0, end)).value_or(0));
        changes.remove_prefix(std::min(end + 1, changes.size()));
    }
    run.import.format = row.text(column++);
    run.import.names = row.text(column++);
    return run;
}

Standing read_standing(const Row& row) {
    int column = 0;
    Standing standing;
    standing.number = row.integer(column++);
    standing.comparison = row.text(column++);
    standing.run = row.integer(column++);
    standing.recorded_at = format_time(row.integer(column++));
    standing.objective = row.text(column++);
    standing.currency = row.text(column++);
    standing.cheapest = row.text(column++);
    standing.figure = row.real(column++);
    standing.is_base = row.integer(column++) != 0;
    standing.event = row.integer_or_null(column++);
    standing.body = row.text(column++);
    return standing;
}

Event read_event(const Row& row, int first) {
    return {row.integer(first), format_time(row.integer(first + 1)), std::string(row.text(first + 2)),
            std::string(row.text(first + 3)), std::string(row.text(first + 4))};
}

Delivery read_delivery(const Row& row) {
    const auto state = value_named<DeliveryState>(delivery_state_names, row.text(6), "a delivery of state");
    return {row.integer(0),
            std::string(row.text(1)),
            row.integer(2),
            std::string(row.text(3)),
            std::string(row.text(4)),
            std::string(row.text(5)),
            state,
            static_cast<int>(row.integer(7)),
            state == DeliveryState::pending ? format_time(row.integer(8)) : "",
            row.time_or_empty(9),
            row.is_null(10) ? std::nullopt : std::optional(static_cast<int>(row.integer(10))),
            std::string(row.text(11))};
}

DueDelivery read_due_delivery(const Row& row) {
    return {row.integer(0),           std::string(row.text(1)),         std::string(row.text(2)), std::string(row.text(3)),
            std::string(row.text(4)), static_cast<int>(row.integer(5)), read_event(row, 6)};
}

SeriesByNumber read_series(sql::Cursor& rows, const SeriesFilter& filter) {
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

SeriesByNumber take_counters(SeriesByNumber& series) {
    SeriesByNumber counters;
    for (auto it = series.begin(); it != series.end();) {
        const auto next = std::next(it);
        if (is_counter(it->second.metric)) {
            counters.insert(series.extract(it));
        }
        it = next;
    }
    return counters;
}

std::vector<std::int64_t> numbers_of(const SeriesByNumber& series) {
    std::vector<std::int64_t> numbers;
    for (const auto& [number, key] : series) {
        numbers.push_back(number);
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

HourRow read_hour(const Row& row, const SeriesKey& key) {
    HourRow found{row.integer(1), key, row.integer(0), row.integer(2), {}, {}, {}, {}, {}};
    found.sum = row.real_or_null(3);
    found.squares = row.real_or_null(4);
    found.minimum = row.real_or_null(5);
    found.maximum = row.real_or_null(6);
    found.increase = row.real_or_null(7);
    return found;
}

} // namespace costcurve::storage
