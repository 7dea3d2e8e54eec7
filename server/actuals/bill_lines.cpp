// Lines of bills that a question compares: by its filters, their currency and their category.
#include "server/actuals/bill_lines.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/categories/exchange.hpp"
#include "server/actuals/telemetry_selection.hpp"
#include "server/documents/json/json_text.hpp"

namespace costcurve::actuals {

using model::Code;

void check_categories(const std::vector<BillCategory>& categories, model::Failure& issues) {
    if (categories.size() > 1 && std::ranges::find(categories, BillCategory::allocation) != categories.end()) {
        issues.push_back(
            {"/categories", Code::inconsistent, "allocation divides what charges of the other categories cost: ask for it alone"});
    }
}

void check_bill_filters(std::vector<PoolBill>& pools, std::optional<BillMatch>& bill, model::Failure& issues) {
    if (bill) {
        bill->device = device_id(bill->device);
    }
    for (std::size_t i = 0; i < pools.size(); ++i) {
        PoolBill& pool = pools[i];
        bool is_any = !pool.resources.empty() || !pool.tags.empty();
        for (const auto text : {&BillMatch::provider, &BillMatch::account, &BillMatch::region, &BillMatch::sku,
                                &BillMatch::purchase, &BillMatch::device, &BillMatch::commitment}) {
            is_any = is_any || !(pool.*text).empty();
        }
        if (!is_any) {
            issues.push_back({fmt::format("/pools/{}", i), Code::missing,
                              "say which lines are the pool's: give its provider, sku, resources, tags or another of their names"});
        }
        pool.device = device_id(pool.device);
    }
}

void check_pools(const std::vector<PoolBill>& pools, const model::ScenarioDocument& scenario, model::Failure& issues) {
    for (std::size_t i = 0; i < pools.size(); ++i) {
        const std::string& id = pools[i].pool;
        if (std::ranges::find(scenario.pools, id, &model::Pool::id) == scenario.pools.end()) {
            issues.push_back({fmt::format("/pools/{}/pool", i), Code::unknown_reference,
                              fmt::format("pool is {}; the scenario has no such pool", shortened(id, 60))});
        }
    }
}

BillLines::BillLines(const model::ScenarioDocument& scenario, const std::optional<BillMatch>& bill,
                     const std::vector<BillCategory>& categories)
    : scenario_(scenario), bill_(bill) {
    for (const BillCategory category : categories) {
        categories_.emplace(model::name_of(category));
    }
    if (categories_.empty()) {
        categories_.emplace(model::name_of(BillCategory::usage));
    }
}

LineUse BillLines::use_of(const BillLine& line) {
    LineUse use{.tags = tags_of_line(line)};
    if (bill_ && !fits(*bill_, line, use.tags)) {
        return use;
    }
    const std::optional<double> rate = model::exchange_rate(line.currency, scenario_);
    if (!rate) {
        without_rate_.insert(line.currency);
        use.of = LineUse::Of::without_rate;
        return use;
    }
    use.rate = *rate;
    const bool is_commitment = line.category == "purchase" && !line.commitment.empty();
    use.of = is_commitment || !categories_.contains(line.category) ? LineUse::Of::apart : LineUse::Of::compared;
    return use;
}

model::Failure BillLines::without_rate() const {
    model::Failure failure;
    if (!without_rate_.empty()) {
        failure.push_back(
            {"/scenario/exchange_rates", Code::missing_exchange_rate,
             fmt::format("the bill has lines in {}; give its rate in the scenario's exchange_rates, or compare others with bill",
                         *without_rate_.begin())});
    }
    return failure;
}

} // namespace costcurve::actuals
