// Summaries and ledgers to JSON and CSV. Missing is null, never 0; categories without money are left out of parts.
#include <fmt/format.h>

#include "model/calendar.hpp"
#include "model/figures.hpp"
#include "model/version.hpp"
#include "server/api/encode.hpp"
#include "server/api/json_text.hpp"

namespace costcurve::api {

namespace {

using namespace costcurve::model;

template <class Part> void write_figures(JsonWriter& out, const auto& table, const Part& part) {
    for (const Figure<Part>& figure : table) {
        out.member(figure.name, figure.read(part));
    }
}

template <class Part, class Document>
void write_figures(JsonWriter& out, const auto& table, const Part& part, const Document& document) {
    for (const FigureOfSome<Part, Document>& row : table) {
        if (row.applies(document)) {
            out.member(row.figure.name, row.figure.read(part));
        }
    }
}

void write_amounts(JsonWriter& out, const Amounts& amounts) {
    out.begin_object();
    write_figures(out, kAmountFigures, amounts);
    out.end_object();
}

void write_categories(JsonWriter& out, const AmountsByCategory& categories, bool all) {
    out.begin_object();
    for (std::size_t c = 0; c < kCategories; ++c) {
        if (!all && categories[c].cost == 0.0 && categories[c].cash == 0.0) {
            continue;
        }
        out.key(name_of(static_cast<Category>(c)));
        write_amounts(out, categories[c]);
    }
    out.end_object();
}

void write_pool(JsonWriter& out, const Pool& pool, const PoolSummary& summary) {
    out.begin_object().member("kind", name_of(pool.kind));
    write_figures(out, kPoolFigures, summary, pool);
    out.key("by_category");
    write_categories(out, summary.by_category, false);
    out.end_object();
}

// {pool: number} for the pools that have one.
template <class T>
void write_by_pool(JsonWriter& out, const std::vector<Pool>& pools, const std::vector<std::optional<T>>& values) {
    out.begin_object();
    for (std::size_t p = 0; p < values.size(); ++p) {
        if (values[p]) {
            out.member(pools[p].id, *values[p]);
        }
    }
    out.end_object();
}

void write_workload(JsonWriter& out, const Workload& workload, const std::vector<Pool>& pools, const WorkloadSummary& summary) {
    out.begin_object().member("kind", name_of(workload.kind)).member("unit", workload.unit);
    write_figures(out, kWorkloadFigures, summary, workload);
    out.key("evidence");
    if (summary.evidence) {
        out.value(name_of(*summary.evidence));
    } else {
        out.null();
    }
    write_figures(out, kQuantityFigures, summary, workload);
    if (workload.kind == WorkloadKind::training) {
        out.key("hours_per_epoch");
        if (summary.units_served > 0) {
            write_by_pool(out, pools, summary.hours_per_epoch);
        } else {
            out.null();
        }
    }
    out.key("batch");
    write_by_pool(out, pools, summary.batch);
    out.end_object();
}

void write_month(JsonWriter& out, const std::vector<Pool>& pools, const std::string& name, const MonthSummary& month) {
    out.begin_object().member("month", name);
    write_figures(out, kMonthFigures, month);
    out.key("by_category");
    write_categories(out, month.by_category, false);
    out.key("by_pool").begin_object();
    for (std::size_t p = 0; p < pools.size(); ++p) {
        out.key(pools[p].id);
        write_amounts(out, month.by_pool[p]);
    }
    out.end_object().end_object();
}

std::optional<std::string> id_at(std::size_t index, const auto& documents) {
    return index == LedgerRow::kNone ? std::nullopt : std::optional<std::string>(documents[index].id);
}

void write_ledger(JsonWriter& out, const ScenarioDocument& scenario, const Ledger& ledger) {
    out.key("ledger").begin_array();
    for (const LedgerRow& row : ledger_rows(ledger)) {
        out.begin_object().member("month", to_text(add_months(scenario.start, static_cast<int>(row.month))));
        out.member("pool", id_at(row.pool, scenario.pools)).member("workload", id_at(row.workload, scenario.workloads));
        out.member("category", name_of(row.category)).member("cost", row.cost).member("cash", row.cash).end_object();
    }
    out.end_array();
}

// A text that a spreadsheet would run as a formula begins with an apostrophe instead (OWASP, CSV injection).
std::string csv_field(std::string_view content) {
    const bool formula = !content.empty() && std::string_view("=+-@\t").find(content.front()) != std::string_view::npos;
    std::string text = (formula ? "'" : "") + std::string(content);
    if (text.find_first_of(",\"\r\n") == std::string::npos) {
        return text;
    }
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') {
            quoted += '"';
        }
        quoted += c;
    }
    return quoted + "\"";
}

} // namespace

std::string encode_result(const Evaluated& evaluated, bool with_ledger) {
    const ScenarioDocument& scenario = evaluated.scenario.document();
    const Summary& summary = evaluated.summary;
    JsonWriter out;
    out.begin_object();
    if (!scenario.name.empty()) {
        out.member("name", scenario.name);
    }
    out.member("currency", scenario.currency).member("start", to_text(scenario.start)).member("months", scenario.months);
    out.key("total").begin_object();
    write_figures(out, kTotalFigures, summary);
    out.end_object();
    out.key("by_category");
    write_categories(out, summary.by_category, true);
    out.key("by_pool").begin_object();
    for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
        out.key(scenario.pools[p].id);
        write_pool(out, scenario.pools[p], summary.pools[p]);
    }
    out.end_object().key("by_workload").begin_object();
    for (std::size_t w = 0; w < scenario.workloads.size(); ++w) {
        out.key(scenario.workloads[w].id);
        write_workload(out, scenario.workloads[w], scenario.pools, summary.workloads[w]);
    }
    out.end_object().key("by_month").begin_array();
    for (std::size_t m = 0; m < summary.months.size(); ++m) {
        write_month(out, scenario.pools, to_text(add_months(scenario.start, static_cast<int>(m))), summary.months[m]);
    }
    out.end_array().member("unallocated_cost", summary.unallocated_cost);
    out.key("warnings").begin_array();
    for (const Issue& warning : summary.warnings) {
        out.begin_object().member("pointer", warning.pointer).member("code", code_name(warning.code));
        out.member("message", warning.message).end_object();
    }
    out.end_array();
    out.key("provenance").begin_object().member("model_version", kModelVersion).member("inputs_hash", evaluated.inputs_hash);
    out.key("as_of");
    if (evaluated.as_of.empty()) {
        out.null();
    } else {
        out.value(evaluated.as_of);
    }
    out.key("documents").raw(encode_documents_used(scenario)).end_object();
    if (with_ledger) {
        write_ledger(out, scenario, evaluated.ledger);
    }
    out.end_object();
    return out.take();
}

std::string encode_ledger_csv(const Evaluated& evaluated, bool with_header) {
    const ScenarioDocument& scenario = evaluated.scenario.document();
    std::string csv;
    if (with_header) {
        csv = "BillingPeriodStart,BillingPeriodEnd,BillingCurrency,ProviderName,RegionId,ChargeCategory,ResourceId,ServiceName,"
              "BilledCost,EffectiveCost,x_Scenario,x_Workload,x_Category\r\n";
    }
    for (const LedgerRow& row : ledger_rows(evaluated.ledger)) {
        const auto month = static_cast<int>(row.month);
        const Pool* const pool = row.pool == LedgerRow::kNone ? nullptr : &scenario.pools[row.pool];
        const Offer* const offer = pool != nullptr && pool->offer ? &*pool->offer : nullptr;
        const bool upfront = row.category == Category::commitment || row.category == Category::hardware;
        fmt::format_to(
            std::back_inserter(csv), "{}-01T00:00:00Z,{}-01T00:00:00Z,{},{},{},{},{},{},{},{},{},{},{}\r\n",
            to_text(add_months(scenario.start, month)), to_text(add_months(scenario.start, month + 1)), scenario.currency,
            csv_field(offer != nullptr  ? offer->provider
                      : pool != nullptr ? pool->provider
                                        : ""),
            csv_field(offer != nullptr ? offer->region : ""), upfront ? "Purchase" : "Usage", pool != nullptr ? pool->id : "",
            pool != nullptr ? name_of(pool->kind) : "", row.cash, row.cost, csv_field(scenario.name),
            row.workload == LedgerRow::kNone ? "" : scenario.workloads[row.workload].id, name_of(row.category));
    }
    return csv;
}

} // namespace costcurve::api
