// Profiles: means by hour of the week, from Monday 0:00 in the scenario's time zone.
#include "server/answers/profile.hpp"

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "server/answers/evaluate.hpp"

namespace costcurve::answers {

namespace {

ProfileAnswer answer_of(const model::ScenarioDocument& scenario, int month, const model::Profile& profile) {
    ProfileAnswer answer{.month = add_months(scenario.start, month),
                         .time_zone = scenario.time_zone,
                         .currency = scenario.currency,
                         .months = {},
                         .served = {},
                         .hours = profile.hours,
                         .workloads = {},
                         .pools = {}};
    for (int m = 0; m < scenario.months; ++m) {
        answer.months.push_back(add_months(scenario.start, m));
    }
    for (const model::Profile::Served& served : profile.served) {
        const model::Workload& workload = scenario.workloads[served.workload];
        answer.served.push_back({workload.id, workload.unit, scenario.pools[served.pool].id, served.units});
    }
    for (std::size_t w = 0; w < scenario.workloads.size(); ++w) {
        answer.workloads.push_back({scenario.workloads[w].id, scenario.workloads[w].unit, profile.demand[w]});
    }
    for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
        const model::Profile::PoolWeek& pool = profile.pools[p];
        answer.pools.push_back({scenario.pools[p].id, scenario.pools[p].kind, pool.busy_devices, pool.available_devices,
                                pool.power_kw, pool.energy_price});
    }
    return answer;
}

} // namespace

model::Result<std::string> answer(const ProfileRequest& request, const std::vector<model::Placed>& scenarios) {
    const auto evaluated = evaluate_resolved(scenarios.front().document, "/scenario");
    if (!evaluated) {
        return tl::unexpected(evaluated.error());
    }
    const model::ScenarioDocument& document = evaluated->scenario.document();
    const model::YearMonth start = document.start;
    const model::YearMonth wanted = request.month.value_or(start);
    const int month = 12 * (wanted.year - start.year) + wanted.month - start.month;
    if (month < 0 || month >= document.months) {
        return tl::unexpected(model::Failure{{"/month", model::Code::out_of_range,
                                              fmt::format("month is {}; allowed {} to {}, the scenario's horizon", to_text(wanted),
                                                          to_text(start), to_text(add_months(start, document.months - 1)))}});
    }
    return encode_answer(answer_of(document, month, model::profile(evaluated->scenario, static_cast<std::size_t>(month))));
}

} // namespace costcurve::answers
