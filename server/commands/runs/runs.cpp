// `costcurve forecast`, `drift` and `tenant-costs`: a scenario's plan against what the database measured of it.
#include <fmt/format.h>

#include "server/actuals/parsed_question.hpp"
#include "server/actuals/runs/drift_answer.hpp"
#include "server/actuals/runs/forecast_answer.hpp"
#include "server/actuals/runs/tenant_costs.hpp"
#include "server/commands/commands.hpp"
#include "server/commands/input.hpp"
#include "server/commands/option_rows.hpp"
#include "server/commands/scenarios.hpp"
#include "server/commands/text_table.hpp"

namespace costcurve::commands {

namespace {

using actuals::DriftAnswer;
using actuals::DriftRequest;
using actuals::ForecastAnswer;
using actuals::ForecastRequest;
using actuals::TenantCostsAnswer;
using actuals::TenantCostsRequest;

/// What the three have: a scenario, of which options make a request, or a request.
struct RunsOptions {
    std::string file;
    std::string format = "table";
    DatabaseOptions database;
};
struct ForecastOptions : RunsOptions {
    std::string month;
    std::string through;
    double interval = ForecastRequest{}.interval;
    int history_days = ForecastRequest{}.history_days;
};
struct DriftOptions : RunsOptions {
    std::string pool, device, until;
    std::vector<std::string> sources;
    bool bill = false;
    DriftRequest terms;
};
struct TenantCostsOptions : RunsOptions {
    std::string from, to;
    std::string begin, end; ///< files
    std::optional<double> cost;
    std::optional<double> device_hours;
    std::string team_label, user_label, model_label;
};

std::string notes_text(const std::vector<std::string>& notes) {
    std::string text;
    for (const std::string& note : notes) {
        text += fmt::format("  {}\n", note);
    }
    return text;
}

std::string interval_text(const actuals::MonthForecast& row) {
    return row.low && row.high ? fmt::format("{} to {}", money(row.low), money(row.high)) : std::string(kMissing);
}

std::string text_of(const ForecastAnswer& answer) {
    Table table;
    table.row({fmt::format("{}, {}, bill through {}", model::to_text(answer.month), answer.currency,
                           answer.through.empty() ? std::string(kMissing) : answer.through),
               "planned", "so far", "remainder", "forecast", fmt::format("{:g} % interval", 100 * answer.interval)});
    for (const actuals::PoolForecast& pool : answer.pools) {
        table.row({pool.pool, money(pool.planned), money(pool.so_far), money(pool.remainder), money(pool.forecast),
                   pool.basis == actuals::ForecastBasis::plan ? "as planned" : interval_text(pool)});
    }
    if (answer.unmatched.forecast) {
        table.row({"unmatched", "", money(answer.unmatched.so_far), money(answer.unmatched.remainder),
                   money(answer.unmatched.forecast), interval_text(answer.unmatched)});
    }
    table.row({"total", money(answer.total.planned), money(answer.total.so_far), money(answer.total.remainder),
               money(answer.total.forecast), interval_text(answer.total)});
    return table.text() +
           fmt::format("\n  {} days to come as {} known ones{}\n", answer.days_to_come, answer.known_days,
                       answer.by_weekday ? ", by weekday" : "") +
           notes_text(answer.notes);
}

std::string words_of_name(std::string_view name) {
    std::string words(name);
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

// "2026-11-29 23:00" of RFC 3339.
std::string hour_text(const std::optional<std::string>& time) {
    return time && time->size() > 16 ? time->substr(0, 10) + " " + time->substr(11, 5) : "—";
}

std::string text_of(const DriftAnswer& answer) {
    Table table;
    table.row({fmt::format("pool {}, the day before {}", answer.pool, answer.until), "measured", "expected", "change", "spread",
               "planned", "off plan", "drifted", "first hour", "last hour"});
    for (const actuals::MeasureDrift& drift : answer.measures) {
        table.row({words_of_name(model::name_of(drift.measure)), figure(drift.measured), figure(drift.expected),
                   percent(drift.change_fraction), percent(drift.spread_fraction), figure(drift.planned),
                   percent(drift.off_plan_fraction), drift.drifted ? "yes" : "no", hour_text(drift.first_hour),
                   hour_text(drift.last_hour)});
    }
    return table.text() +
           (answer.drifted ? fmt::format("\n  it drifts: {}\n", words_of_name(model::name_of(answer.cause))) : "\n") +
           notes_text(answer.notes);
}

std::string text_of(const TenantCostsAnswer& answer) {
    Table table;
    table.row({fmt::format("{} to {}, {}", model::to_text(answer.from), model::to_text(answer.to), answer.currency), "planned",
               "tokens in", "out", "by tokens", "a million", "device-hours", "by device-hours", "a million"});
    std::string_view before;
    for (const actuals::TenantRow& row : answer.tenants) {
        const std::string_view key = model::name_of(row.key);
        if (key != before) {
            table.row({std::string(key), "", "", "", "", "", "", "", ""});
            before = key;
        }
        table.row({"  " + row.tenant, money(row.planned_cost), figure(row.input_tokens), figure(row.output_tokens),
                   money(row.by_tokens.cost), money(row.by_tokens.cost_per_million_tokens), figure(row.device_hours),
                   money(row.by_device_hours.cost), money(row.by_device_hours.cost_per_million_tokens)});
    }
    const actuals::TenantTotal& total = answer.total;
    table.row({"total", "", figure(total.input_tokens), figure(total.output_tokens), money(total.cost),
               money(total.cost_per_million_tokens), figure(total.device_hours),
               money(total.device_hours ? total.cost : std::nullopt), ""});
    return table.text() + notes_text(answer.notes);
}

/// Answers the request that the text is, or that `state` makes of it as a scenario.
template <class R, class Answer, class State>
int ask_runs(const RunsOptions& options, bool is_scenario, const State& state,
             model::Result<Answer> (*ask)(const R&, const model::ScenarioDocument&, const storage::Store&)) {
    const std::optional<std::string> file = read_file(options.file);
    if (!file) {
        fmt::print(stderr, "{}: can't be read; is the path right?\n", options.file);
        return kWorldFailed;
    }
    std::string text = *file;
    if (is_scenario) {
        if (const auto scenario = answers::parse_body(text); !scenario) {
            return refuse(scenario.error());
        }
        JsonWriter out;
        out.begin_object().key("scenario").raw(text);
        if (!state(out)) {
            return kWorldFailed;
        }
        out.end_object();
        text = out.take();
    }
    return with_store(options.database.path, [&](const storage::Store* store) -> int {
        documents::Source source(*store, std::nullopt);
        const auto question = actuals::parse_question<R>(text, source);
        if (!question) {
            return refuse(question.error());
        }
        const auto answer = ask(question->request, question->scenario, *store);
        if (!answer) {
            return refuse(answer.error());
        }
        fmt::print("{}", options.format == "json" ? answers::encode_answer(*answer) + "\n" : printable(text_of(*answer)));
        return kDone;
    });
}

void member_if_any(JsonWriter& out, const char* name, const std::string& text) {
    if (!text.empty()) {
        out.member(name, text);
    }
}

int forecast(const ForecastOptions& options) {
    const auto state = [&](JsonWriter& out) {
        out.member("month", options.month).member("interval", options.interval).member("history_days", options.history_days);
        member_if_any(out, "through", options.through);
        return true;
    };
    return ask_runs<ForecastRequest, ForecastAnswer>(options, !options.month.empty(), state, actuals::forecast);
}

int drift(const DriftOptions& options) {
    const auto state = [&](JsonWriter& out) {
        out.member("pool", options.pool).member("threshold_fraction", options.terms.threshold_fraction);
        out.member("reference_days", options.terms.reference_days);
        member_if_any(out, "until", options.until);
        if (!options.device.empty() || !options.sources.empty()) {
            out.key("telemetry").begin_object();
            member_if_any(out, "device", options.device);
            if (!options.sources.empty()) {
                out.key("sources").begin_array();
                for (const std::string& source : options.sources) {
                    out.value(source);
                }
                out.end_array();
            }
            out.end_object();
        }
        if (options.bill) {
            out.key("bill").begin_object();
            member_if_any(out, "device", options.device);
            out.end_object();
        }
        return true;
    };
    return ask_runs<DriftRequest, DriftAnswer>(options, !options.pool.empty(), state, actuals::drift);
}

// A scrape's text as a member; false, with a message, where the file can't be read.
bool add_scrape(JsonWriter& out, const char* name, const std::string& path) {
    if (path.empty()) {
        return true;
    }
    const std::optional<std::string> text = read_file(path);
    if (!text) {
        fmt::print(stderr, "{}: can't be read; is the path right?\n", path);
        return false;
    }
    out.member(name, *text);
    return true;
}

int tenant_costs(const TenantCostsOptions& options) {
    const auto state = [&](JsonWriter& out) {
        out.member("from", options.from).member("to", options.to.empty() ? options.from : options.to);
        out.key("metrics").begin_object();
        const bool is_read = add_scrape(out, "begin", options.begin) && add_scrape(out, "end", options.end);
        out.key("labels").begin_object();
        member_if_any(out, "team", options.team_label);
        member_if_any(out, "user", options.user_label);
        member_if_any(out, "model", options.model_label);
        out.end_object().end_object();
        if (options.cost) {
            out.member("cost", *options.cost);
        }
        if (options.device_hours) {
            out.member("device_hours", *options.device_hours);
        }
        return is_read;
    };
    return ask_runs<TenantCostsRequest, TenantCostsAnswer>(options, !options.from.empty(), state, actuals::tenant_costs);
}

// The verb with what the three have; its options live as long as the parser writes them.
template <class O>
std::pair<CLI::App&, O&> add_runs_verb(Verbs& verbs, const char* name, const char* help, const char* file, int (*ask)(const O&)) {
    const auto options = std::make_shared<O>();
    CLI::App& verb = add(verbs, verbs.app, name, help, [options, ask, &database = verbs.database] {
        options->database = database;
        return ask(*options);
    });
    add_database(verb, verbs.database);
    verb.add_option("FILE", options->file, file)->required();
    add_format(verb, options->format, "table or json", {"table", "json"});
    return {verb, *options};
}

} // namespace

void add_runs(Verbs& verbs) {
    const auto [month, forecasted] =
        add_runs_verb(verbs, "forecast", "a month's bill: what is billed so far and the rest as what runs",
                      "a scenario document, with --month; else a JSON file of POST /v1/forecast; - is standard input", forecast);
    CLI::Option* const of_month = month.add_option("--month", forecasted.month, "whose bill, YYYY-MM");
    month.add_option("--through", forecasted.through, "the last whole day of the bill; the one before its newest where absent")
        ->needs(of_month);
    add_member<ForecastRequest>(month, "--interval", "interval", forecasted.interval)->capture_default_str();
    add_member<ForecastRequest>(month, "--history-days", "history_days", forecasted.history_days)->capture_default_str();
    const auto [day, drifted] =
        add_runs_verb(verbs, "drift", "a pool's last day against the days before and the plan, at the same load",
                      "a scenario document, with --pool; else a JSON file of POST /v1/drift; - is standard input", drift);
    day.add_option("--pool", drifted.pool, "the id of a pool of the scenario");
    day.add_option("--device", drifted.device, "telemetry and lines of this device");
    day.add_option("--source", drifted.sources, "telemetry of these sources");
    day.add_flag("--bill", drifted.bill, "the price of a device-hour of imported bills, too");
    day.add_option("--until", drifted.until, "the end of the last day, RFC 3339; else now");
    add_member<DriftRequest>(day, "--threshold", "threshold_fraction", drifted.terms.threshold_fraction)->capture_default_str();
    add_member<DriftRequest>(day, "--reference-days", "reference_days", drifted.terms.reference_days)->capture_default_str();
    const auto [tenants, divided] = add_runs_verb(
        verbs, "tenant-costs", "cost a million tokens by team, user and model",
        "a scenario document, with --from and --metrics; else a JSON file of POST /v1/tenant-costs; - is standard input",
        tenant_costs);
    CLI::Option* const from = tenants.add_option("--from", divided.from, "the first month, YYYY-MM");
    tenants.add_option("--to", divided.to, "the last month, YYYY-MM; the first one where it isn't given")->needs(from);
    CLI::Option* const end =
        tenants.add_option("--metrics", divided.end, "a file: the counters at the end, as /metrics prints them");
    from->needs(end);
    tenants.add_option("--metrics-begin", divided.begin, "a file: those at the beginning; else they count from 0")->needs(end);
    add_member<TenantCostsRequest>(tenants, "--cost", "cost", divided.cost);
    add_member<TenantCostsRequest>(tenants, "--device-hours", "device_hours", divided.device_hours);
    tenants.add_option("--team-label", divided.team_label, "the label that names a team, such as namespace");
    tenants.add_option("--user-label", divided.user_label, "the label that names a user");
    tenants.add_option("--model-label", divided.model_label, "the label that names a model");
}

} // namespace costcurve::commands
