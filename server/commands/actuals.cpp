// `costcurve actuals FILE`: a scenario's pools and tags as planned against the bills in the database.
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/documents/calendar.hpp"
#include "server/actuals/actuals.hpp"
#include "server/actuals/parsed_question.hpp"
#include "server/answers/evaluate.hpp"
#include "server/commands/commands.hpp"
#include "server/commands/input.hpp"
#include "server/commands/scenarios.hpp"
#include "server/commands/text_table.hpp"

namespace costcurve::commands {

namespace {

std::string signed_amount(std::optional<double> amount) { return (amount && *amount > 0 ? "+" : "") + money(amount); }

void add_spend(Table& table, const std::string& name, const actuals::Spend& planned, const actuals::BilledSpend& billed,
               const actuals::Spend& difference) {
    table.row({name, money(planned.cost), money(billed.cost), signed_amount(difference.cost), figure(planned.device_hours),
               figure(billed.device_hours), figure(planned.tokens), figure(billed.tokens)});
}

std::string pools_text(const actuals::ActualsAnswer& answer) {
    Table table;
    table.row({fmt::format("{} to {}, {}", model::to_text(answer.from), model::to_text(answer.to), answer.currency), "planned",
               "billed", "difference", "device-hours planned", "billed", "tokens planned", "billed"});
    for (const actuals::PoolActuals& pool : answer.pools) {
        add_spend(table, pool.pool, pool.planned, pool.billed, pool.difference);
    }
    if (answer.total.planned_outside_pools.value_or(0.0) != 0.0) {
        table.row({"outside pools", money(answer.total.planned_outside_pools), "", "", "", "", "", ""});
    }
    add_spend(table, "total", answer.total.planned, answer.total.billed, answer.total.difference);
    for (const auto& [name, left] : {std::pair{"unmatched", &answer.unmatched}, std::pair{"ambiguous", &answer.ambiguous}}) {
        if (left->billed.lines > 0) {
            add_spend(table, name, {}, left->billed, {});
        }
    }
    for (const actuals::ApartActuals& apart : answer.apart) {
        table.row({apart.category + ", apart", "", money(apart.billed_cost), "", "", "", "", ""});
    }
    return table.text();
}

std::string tags_text(const actuals::ActualsAnswer& answer) {
    std::string text;
    for (const auto& [key, values] : answer.by_tag) {
        Table table;
        table.row({key, "planned", "billed", "difference"});
        for (const auto& [value, figures] : values) {
            table.row({"  " + value, money(figures.planned_cost), money(figures.billed_cost), signed_amount(figures.difference)});
        }
        text += "\n" + table.text();
    }
    return text;
}

std::string left_text(const char* name, const actuals::LeftLines& left) {
    constexpr std::size_t kMaxRows = 5;
    std::string text;
    for (std::size_t i = 0; i < std::min(left.largest.size(), kMaxRows); ++i) {
        const actuals::BilledItem& item = left.largest[i];
        text += fmt::format("  {}: {} {} {} {}{}{}\n", name, money(item.cost), item.provider, item.sku, item.resource,
                            item.pools.empty() ? "" : ", fits ", fmt::join(item.pools, " and "));
    }
    return text;
}

std::string actuals_text(const actuals::ActualsAnswer& answer) {
    std::string text = pools_text(answer) + tags_text(answer);
    const std::string left = left_text("unmatched", answer.unmatched) + left_text("ambiguous", answer.ambiguous);
    text += (left.empty() ? "" : "\n") + left;
    for (const std::string& note : answer.notes) {
        text += fmt::format("  {}\n", note);
    }
    return text;
}

// nullopt if the text is no month.
std::optional<model::YearMonth> month_of(const std::string& text) {
    constexpr std::size_t kMonth = 5; // where it begins
    double day = 0.0;
    if (!model::parse_date(text + "-01", day)) {
        return std::nullopt;
    }
    model::YearMonth month;
    std::from_chars(text.data(), text.data() + kMonth - 1, month.year);
    std::from_chars(text.data() + kMonth, text.data() + text.size(), month.month);
    return month;
}

// The file as a scenario, where months are named; else as a request.
model::Result<actuals::ParsedQuestion<actuals::ActualsRequest>> read_actuals(const ActualsOptions& options, const std::string& text,
                                                                             documents::Source& source) {
    if (options.from.empty()) {
        return actuals::parse_question<actuals::ActualsRequest>(text, source);
    }
    const auto from = month_of(options.from);
    const auto to = month_of(options.to.empty() ? options.from : options.to);
    if (!from || !to) {
        return tl::unexpected(model::Failure{{from ? "--to" : "--from", model::Code::bad_format, "give a month as YYYY-MM"}});
    }
    actuals::ActualsRequest request;
    request.from = *from;
    request.to = *to;
    model::Failure issues;
    answers::check(request, {}, issues);
    if (!issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    return answers::resolve_text(text, source).map([&](model::ScenarioDocument scenario) {
        return actuals::ParsedQuestion<actuals::ActualsRequest>{request, std::move(scenario)};
    });
}

} // namespace

int actuals(const ActualsOptions& options) {
    const std::optional<std::string> text = read_file(options.file);
    if (!text) {
        fmt::print(stderr, "{}: can't be read; is the path right?\n", options.file);
        return kWorldFailed;
    }
    return with_store(options.database.path, [&](const storage::Store* store) -> int {
        documents::Source source(*store, std::nullopt);
        const auto resolved = read_actuals(options, *text, source);
        if (!resolved) {
            return refuse(resolved.error());
        }
        const auto answer = actuals::actuals(resolved->request, resolved->scenario, *store);
        if (!answer) {
            return refuse(answer.error());
        }
        fmt::print("{}", options.format == "json" ? answers::encode_answer(*answer) + "\n" : printable(actuals_text(*answer)));
        return kDone;
    });
}

} // namespace costcurve::commands
