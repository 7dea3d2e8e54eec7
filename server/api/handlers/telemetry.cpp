// POST /v1/telemetry accepts samples in exporters' text formats; GET returns hourly sums.
#include <fmt/format.h>

#include "model/documents/text.hpp"
#include "server/actuals/collected_samples.hpp"
#include "server/actuals/samples.hpp"
#include "server/api/handlers/handlers.hpp"
#include "server/api/problem.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/import/identity/added_names.hpp"
#include "server/import/telemetry/telemetry_metrics.hpp"
#include "server/ingest/stored_names.hpp"
#include "server/ingest/telemetry_text.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::api {

namespace {

using model::Code;

using Collected = actuals::CollectedSamples;

Attempt<Collected> read_samples(const Call& call, std::int64_t now_ms, imports::Report& report) {
    const auto form = ingest::form_of(media_type(call.request), call.request.body);
    if (!form) {
        return tl::unexpected(
            Refusal{415, "send Content-Type: text/plain (Prometheus), application/x-ndjson or text/csv (nvidia-smi)"});
    }
    if (call.request.body.empty()) {
        return tl::unexpected(Refusal{400, "the body is empty; send samples"});
    }
    const imports::SmiOptions options{std::string(parameter(call, "time_zone")), std::string(parameter(call, "source")),
                                      std::string(parameter(call, "device"))};
    return ingest::collect_samples(call.request.body, *form, options, now_ms, report).map_error([](model::Failure&& issues) {
        return Refusal{kUnprocessable, "", std::move(issues)};
    });
}

std::string encode_added(const Collected& collected, const storage::AddedSamples& added, imports::Report& report) {
    for (const std::size_t sample : added.outside) {
        report.rejected.add(collected.row_of(sample),
                            fmt::format("its time is {}; samples from {} to {} are taken: raw ones are kept no longer",
                                        storage::format_milliseconds(collected.batch().samples[sample].time_ms),
                                        storage::format_milliseconds(added.window.oldest_ms),
                                        storage::format_milliseconds(added.window.newest_ms)));
    }
    return answers::encode_answer(actuals::TelemetrySummary{collected.count(), added.accepted, added.duplicates,
                                                            std::move(report.rejected), std::move(report.warnings)});
}

// ---- hours ----

// Reads a cursor "hour~series": the last row of the previous page.
bool read_cursor(std::string_view text, storage::HourQuery& query) {
    const std::size_t between = text.find('~');
    if (between == std::string_view::npos) {
        return false;
    }
    const auto read = [](std::string_view part, std::int64_t& number) {
        number = model::read_number<std::int64_t>(part).value_or(-1);
        return number >= 0;
    };
    constexpr std::int64_t kMaxHour = 10'000'000; // in the year 3110
    return read(text.substr(0, between), query.after_hour) && read(text.substr(between + 1), query.after_series) &&
           query.after_hour < kMaxHour;
}

// The first full hour at or after the time in parameter `name`.
std::optional<std::int64_t> read_hour(const Call& call, std::string_view name, model::Failure& issues) {
    const std::string_view text = parameter(call, name);
    if (text.empty()) {
        return std::nullopt;
    }
    const std::optional<std::int64_t> time = storage::parse_time(text);
    if (!time || *time < 0) {
        issues.push_back({join_pointer("", name), Code::bad_format,
                          fmt::format("{} is \"{}\"; give a time of RFC 3339 from 1970, such as 2026-11-21T10:00:00Z", name,
                                      shortened(text, 60))});
        return std::nullopt;
    }
    return (*time + actuals::kMicrosecondsPerHour - 1) / actuals::kMicrosecondsPerHour;
}

Attempt<storage::HourQuery> read_query(const Call& call) {
    constexpr double kUsualLimit = 100;
    storage::HourQuery query;
    model::Failure issues;
    query.filter.device = parameter(call, "device");
    if (const std::string_view source = parameter(call, "source"); !source.empty()) {
        query.filter.sources = {std::string(source)};
    }
    if (const std::string_view metric = parameter(call, "metric"); !metric.empty()) {
        query.filter.metrics = {std::string(metric)};
        if (imports::find_metric(metric) == nullptr) {
            std::string names;
            for (const imports::MetricRow& row : imports::telemetry_metrics()) {
                names += (names.empty() ? "" : ", ") + std::string(row.name);
            }
            issues.push_back(
                {"/metric", Code::unknown_value, fmt::format("metric is {}; there are: {}", shortened(metric, 60), names)});
        }
    }
    query.limit = static_cast<std::size_t>(number_parameter(call, "limit").value_or(kUsualLimit));
    query.from = read_hour(call, "from", issues).value_or(query.from);
    query.to = read_hour(call, "to", issues).value_or(query.to);
    if (const std::string_view after = parameter(call, "after"); !after.empty() && !read_cursor(after, query)) {
        issues.push_back({"/after", Code::bad_format, "after is no cursor; take it from `next` of the page before"});
    }
    if (!issues.empty()) {
        return tl::unexpected(Refusal{kUnprocessable, "", std::move(issues)});
    }
    return query;
}

} // namespace

Attempt<http::Response> post_telemetry(Service& service, const Call& call) {
    imports::Report report;
    const imports::AddedNames names = ingest::stored_names(service.store);
    const imports::NamesInUse in_use(&names);
    return read_samples(call, service.store.telemetry_window().now_ms, report).map([&](const Collected& collected) {
        const storage::AddedSamples added = service.store.add_samples(author_of(call), collected.batch());
        return json_answer(encode_added(collected, added, report));
    });
}

Attempt<http::Response> get_telemetry(Service& service, const Call& call) {
    return read_query(call).map([&](const storage::HourQuery& query) {
        const storage::HourPage page = service.store.hours(query);
        answers::Page<actuals::HourAnswer> answer;
        for (const storage::HourRow& row : page.items) {
            answer.items.push_back(actuals::hour_answer(row));
        }
        if (page.more) {
            answer.next = fmt::format("{}~{}", page.items.back().hour, page.items.back().series);
        }
        return json_answer(answers::encode_answer(answer));
    });
}

} // namespace costcurve::api
