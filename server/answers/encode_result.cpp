// Encodes summaries and ledgers as JSON. Missing values are null, never 0; categories without money are left out.
#include <set>
#include <tuple>

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

// The used documents that have an id, each revision once.
std::vector<DocumentUsed> documents_used(const ScenarioDocument& scenario) {
    std::vector<DocumentUsed> used;
    std::set<std::tuple<std::string_view, std::string_view, std::int64_t>> seen;
    std::string pointer;
    const auto use = [&](std::string_view kind, const auto& document) {
        const std::int64_t revision = document.stored.revision;
        if (!document.id.empty() && seen.emplace(kind, document.id, revision).second) {
            used.push_back({kind, document.id, revision > 0 ? std::optional(revision) : std::nullopt, document.source});
        }
    };
    walk(scenario, pointer, {}, [&]<class T>(const T& document, const std::string& /*where*/, const FieldSpec& /*spec*/) {
        if constexpr (is_stored<T>) {
            use(document_name<T>, document);
        }
        if constexpr (std::is_same_v<T, Performance>) {
            for (const Origin& origin : document.rated_by) {
                use(origin.kind, origin);
            }
        }
    });
    return used;
}

} // namespace

std::vector<InfeasibleAnswer> ResultAnswer::infeasible_because() const {
    std::vector<InfeasibleAnswer> reasons;
    for (const Infeasibility& reason : summary.infeasible_because) {
        InfeasibleAnswer& answer = reasons.emplace_back(InfeasibleAnswer{{}, {}, reason.code, reason.value, reason.limit});
        if (reason.code != InfeasibleCode::over_power) {
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

} // namespace costcurve::answers
