// Summaries and ledgers to JSON and CSV. Missing is null, never 0; categories without money are left out of parts.
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "model/documents/prices.hpp"
#include "model/documents/walk.hpp"
#include "server/answers/result.hpp"

namespace costcurve::answers {

namespace {

using namespace costcurve::model;

std::optional<std::string_view> id_at(std::size_t index, const auto& documents) {
    return index == LedgerRow::kNone ? std::nullopt : std::optional<std::string_view>(documents[index].id);
}

// Those with an id, each revision once.
std::vector<DocumentUsed> documents_used(const ScenarioDocument& scenario) {
    std::vector<DocumentUsed> used;
    std::set<std::tuple<std::string_view, std::string_view, std::int64_t>> seen;
    std::string pointer;
    walk(scenario, pointer, {}, [&]<class T>(const T& document, const std::string& /*where*/, const FieldSpec& /*spec*/) {
        if constexpr (is_stored<T>) {
            const std::int64_t revision = document.stored.revision;
            if (!document.id.empty() && seen.emplace(document_name<T>, document.id, revision).second) {
                used.push_back(
                    {document_name<T>, document.id, revision > 0 ? std::optional(revision) : std::nullopt, document.source});
            }
        }
    });
    return used;
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

// As FOCUS has them: a JSON object, nothing where there are none.
std::string tags_text(const Tags& tags) {
    if (tags.empty()) {
        return "";
    }
    return encode_answer(tags);
}

// What FOCUS' columns say of a pool.
struct PoolColumns {
    std::string_view provider, region, id, kind;
    std::string tags;
};

PoolColumns pool_columns(const Pool& pool) {
    PoolColumns columns{
        .provider = hosted(pool).provider, .region = {}, .id = pool.id, .kind = name_of(pool.kind), .tags = tags_text(pool.tags)};
    if (pool.offer) {
        columns.provider = pool.offer->provider;
        columns.region = pool.offer->region;
    } else if (pool.endpoint) {
        columns.region = pool.endpoint->region;
    }
    return columns;
}

} // namespace

std::vector<InfeasibleAnswer> ResultAnswer::infeasible_because() const {
    std::vector<InfeasibleAnswer> reasons;
    for (const Infeasibility& reason : summary.infeasible_because) {
        InfeasibleAnswer& answer = reasons.emplace_back(InfeasibleAnswer{{}, {}, reason.code, reason.value, reason.limit});
        if (reason.code == InfeasibleCode::unserved) {
            answer.workload = reason.id;
        } else {
            answer.site = reason.id.empty() ? std::nullopt : std::optional(reason.id);
        }
    }
    return reasons;
}

std::variant<InferenceResult, TrainingResult, BatchResult> ResultAnswer::workload_result(std::size_t w) const {
    const WorkloadResult result{scenario.workloads[w], summary.workloads[w], scenario.pools};
    switch (result.document.kind) {
    case WorkloadKind::inference:
        return InferenceResult{{result}};
    case WorkloadKind::training:
        return TrainingResult{result};
    case WorkloadKind::batch:
        break;
    }
    return BatchResult{{result}};
}

std::vector<MonthResult> ResultAnswer::by_month() const {
    std::vector<MonthResult> months;
    months.reserve(summary.months.size());
    for (std::size_t m = 0; m < summary.months.size(); ++m) {
        months.push_back({add_months(scenario.start, static_cast<int>(m)), scenario.pools, summary.months[m]});
    }
    return months;
}

ProvenanceAnswer ResultAnswer::provenance() const {
    return {.inputs_hash = evaluated.inputs_hash,
            .oldest_price = oldest_price(scenario),
            .as_of = evaluated.as_of,
            .documents = documents_used(scenario)};
}

std::optional<std::vector<LedgerLine>> ResultAnswer::ledger() const {
    if (!with_ledger) {
        return std::nullopt;
    }
    std::vector<LedgerLine> lines;
    for (const LedgerRow& row : ledger_rows(scenario, evaluated.ledger)) {
        lines.push_back({add_months(scenario.start, static_cast<int>(row.month)), id_at(row.pool, scenario.pools),
                         id_at(row.workload, scenario.workloads), row.category, row.cost, row.cash});
    }
    return lines;
}

std::string encode_result(const Evaluated& evaluated, bool with_ledger) {
    return encode_answer(ResultAnswer{evaluated, evaluated.scenario.document(), evaluated.summary, with_ledger});
}

std::string encode_ledger_csv(const Evaluated& evaluated, bool with_header) {
    const ScenarioDocument& scenario = evaluated.scenario.document();
    std::string csv;
    if (with_header) {
        csv = "BillingPeriodStart,BillingPeriodEnd,BillingCurrency,ProviderName,RegionId,ChargeCategory,ResourceId,ServiceName,"
              "BilledCost,EffectiveCost,Tags,x_Scenario,x_Workload,x_Category\r\n";
    }
    for (const LedgerRow& row : ledger_rows(scenario, evaluated.ledger)) {
        const auto month = static_cast<int>(row.month);
        const PoolColumns pool = row.pool == LedgerRow::kNone ? PoolColumns{} : pool_columns(scenario.pools[row.pool]);
        const bool upfront = row.category == Category::commitment || row.category == Category::hardware;
        fmt::format_to(std::back_inserter(csv), "{}-01T00:00:00Z,{}-01T00:00:00Z,{},{},{},{},{},{},{},{},{},{},{},{}\r\n",
                       to_text(add_months(scenario.start, month)), to_text(add_months(scenario.start, month + 1)),
                       scenario.currency, csv_field(pool.provider), csv_field(pool.region), upfront ? "Purchase" : "Usage", pool.id,
                       pool.kind, row.cash, row.cost, csv_field(pool.tags), csv_field(scenario.name),
                       id_at(row.workload, scenario.workloads).value_or(""), name_of(row.category));
    }
    return csv;
}

} // namespace costcurve::answers
