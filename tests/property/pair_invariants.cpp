// What must hold of prompts that are read on one pool and answered on another.
#include "model/pairs/pair_work.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tests/property/invariants.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::tests {

using namespace costcurve::model;

namespace {

constexpr double kPairRounding = 1e-9;

double units_of_entry(const Answer& answer, std::size_t e) {
    double units = 0.0;
    for (std::size_t m = 0; m < answer.ledger.months; ++m) {
        units += answer.ledger.served(m, e);
    }
    return units;
}

} // namespace

bool has_pair(const ScenarioDocument& document) { return std::ranges::any_of(document.workloads, is_pair); }

Breaches answers_follow_their_prompts(const ScenarioDocument& document) {
    if (!has_pair(document)) {
        return {};
    }
    Breaches breaches;
    const Answer answer = evaluate_document(document);
    for (std::size_t w = 0; w < document.workloads.size(); ++w) {
        const CompiledWorkload& workload = answer.compiled.workloads[w];
        const WorkloadSummary& summary = answer.summary.workloads[w];
        if (!workload.is_pair) {
            continue;
        }
        const double read = units_of_entry(answer, workload.first_entry);
        const double answered = units_of_entry(answer, workload.first_answer);
        if (answered > read + kPairRounding * summary.units_demanded || answered != summary.units_served) {
            breaches.push_back(fmt::format("{}: {} units read, {} answered, {} served", document.workloads[w].id, read, answered,
                                           summary.units_served));
        }
    }
    return breaches;
}

Breaches a_wider_link_serves_no_less(const ScenarioDocument& document) {
    Breaches breaches;
    const ScenarioDocument whole = without_failures(document);
    for (std::size_t w = 0; w < whole.workloads.size(); ++w) {
        const auto transfer =
            is_pair(whole.workloads[w]) ? cache_transfer(whole.workloads[w], whole.pools) : std::optional<CacheTransfer>();
        if (!transfer) {
            continue;
        }
        ScenarioDocument wider = whole;
        wider.workloads[w].runs_on[0].link_gb_per_s = 2 * transfer->gb_per_s;
        const WorkloadSummary before = evaluate_document(whole).summary.workloads[w];
        const WorkloadSummary after = evaluate_document(wider).summary.workloads[w];
        if (after.units_served < before.units_served - kPairRounding * before.units_demanded) {
            breaches.push_back(fmt::format("{}: {} units served, {} with twice the link", whole.workloads[w].id,
                                           before.units_served, after.units_served));
        }
    }
    return breaches;
}

} // namespace costcurve::tests
