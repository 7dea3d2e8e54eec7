// The answer of a forecast: bills by day and pool beside the month's plan, then each pool's remaining days.
#include "server/actuals/runs/forecast_answer.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "server/actuals/planned.hpp"
#include "server/actuals/runs/forecast.hpp"
#include "server/answers/evaluate.hpp"

namespace costcurve::actuals {

namespace {

using model::Code;

constexpr std::int64_t kDaysBehind = 3; // of the month, in which a line shows that the month is over

std::optional<std::int64_t> day_of(const std::string& text) {
    double days = 0.0;
    return model::parse_date(text, days) ? std::optional(std::llround(days)) : std::nullopt;
}
std::string text_of_day(std::int64_t day) { return model::date_text(static_cast<double>(day)); }

// Billed cost by day for each pool; the last entry is for lines without a pool.
struct BilledDays {
    std::map<std::int64_t, std::vector<double>> by_day;
    std::vector<std::optional<std::int64_t>> first; // day with a line, one a pool and last of nobody
};

model::Result<BilledDays> billed_days(const ForecastRequest& request, const model::ScenarioDocument& scenario,
                                      const storage::Store& store, std::int64_t from, std::int64_t to) {
    BillLines lines(scenario, request.bill, request.categories);
    const BillMatcher matcher(scenario, request.pools);
    const std::size_t nobody = scenario.pools.size();
    BilledDays billed{{}, std::vector<std::optional<std::int64_t>>(nobody + 1)};
    for (std::int64_t day = from; day < to; ++day) {
        store.visit_bill(day, day + 1, [&](const storage::BillSum& sum) {
            const LineUse use = lines.use_of(sum.line);
            if (use.of != LineUse::Of::compared) {
                return;
            }
            const std::vector<std::size_t> pools = matcher.match(sum.line, use.tags).pools;
            const std::size_t pool = pools.size() == 1 ? pools.front() : nobody;
            const auto place = billed.by_day.try_emplace(day, nobody + 1, 0.0).first;
            place->second[pool] += sum.line.effective_cost * use.rate;
            billed.first[pool] = billed.first[pool].value_or(day);
        });
    }
    if (model::Failure failure = lines.without_rate(); !failure.empty()) {
        return tl::unexpected(std::move(failure));
    }
    return billed;
}

// The month's days and what is known of them.
struct Month {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::optional<std::int64_t> through; // nothing without a line
    std::vector<std::int64_t> to_come;
};

Month month_of(const ForecastRequest& request, const BilledDays& billed) {
    Month month;
    std::tie(month.begin, month.end) = days_of_months({request.month, request.month});
    if (request.through) {
        month.through = std::min(day_of(*request.through).value_or(0), month.end - 1);
    } else if (!billed.by_day.empty()) {
        month.through = std::min(billed.by_day.rbegin()->first, month.end) - 1; // of the newest day more may come
    }
    for (std::int64_t day = month.begin; day < month.end; ++day) {
        if (!month.through || day > *month.through || !billed.by_day.contains(day)) {
            month.to_come.push_back(day);
        }
    }
    return month;
}

// The planned cost of a day of each pool by month; of nobody, the last, it is 0.
class PlannedDays {
public:
    // For the scenario's months up to and including `last`.
    PlannedDays(const answers::Evaluated& evaluated, std::size_t last) {
        const model::YearMonth start = evaluated.scenario.document().start;
        begin_ = days_of_months({start, start}).first;
        for (std::size_t m = 0; m <= last; ++m) {
            const model::YearMonth month = model::add_months(start, static_cast<int>(m));
            const auto [begin, end] = days_of_months({month, month});
            ends_.push_back(end);
            std::vector<double>& costs = days_.emplace_back();
            for (const PlannedPool& pool : planned_by_pool(evaluated, {m, m})) {
                costs.push_back(pool.cost / static_cast<double>(end - begin));
            }
            costs.back() = 0.0;
        }
    }
    // Planned cost by pool on a day; null outside of these months.
    [[nodiscard]] const std::vector<double>* at(std::int64_t day) const {
        const auto found = std::ranges::upper_bound(ends_, day);
        return day >= begin_ && found != ends_.end() ? &days_[static_cast<std::size_t>(found - ends_.begin())] : nullptr;
    }
    [[nodiscard]] const std::vector<double>& last() const { return days_.back(); }

private:
    std::int64_t begin_ = 0;
    std::vector<std::int64_t> ends_; // the day behind each month
    std::vector<std::vector<double>> days_;
};

// Scales a pool's known day to the current month's plan.
double scaled(double cost, double planned_here, double planned_there) {
    return planned_there > 0.0 && planned_here > 0.0 ? cost * (planned_here / planned_there) : cost;
}

struct KnownDays {
    std::vector<std::vector<DayCost>> of_pool; // from its first line on; last of nobody
    std::vector<DayCost> of_all;
};

KnownDays known_days(const ForecastRequest& request, const BilledDays& billed, const Month& month, const PlannedDays& planned) {
    KnownDays known{std::vector<std::vector<DayCost>>(billed.first.size()), {}};
    const std::vector<double>& here = planned.last();
    for (const auto& [day, costs] : billed.by_day) {
        const std::vector<double>* const there = planned.at(day);
        if (!month.through || day > *month.through || day <= *month.through - request.history_days || there == nullptr) {
            continue;
        }
        double sum = 0.0;
        for (std::size_t p = 0; p < costs.size(); ++p) {
            const double cost = scaled(costs[p], here[p], (*there)[p]);
            sum += cost;
            if (billed.first[p] && *billed.first[p] <= day) {
                known.of_pool[p].push_back({day, cost});
            }
        }
        known.of_all.push_back({day, sum});
    }
    return known;
}

class Forecasting {
public:
    Forecasting(const ForecastRequest& request, const BilledDays& billed, const Month& month, const KnownDays& known,
                const std::vector<double>& planned)
        : request_(request), billed_(billed), month_(month), known_(known), planned_(planned), expected_(month.to_come.size()) {}

    void write(const model::ScenarioDocument& scenario, ForecastAnswer& answer) {
        const auto days = static_cast<double>(month_.end - month_.begin);
        double plan = 0.0; // of pools without lines
        answer.total.so_far = month_.through ? std::optional(0.0) : std::nullopt;
        answer.total.remainder = 0.0;
        for (std::size_t p = 0; p <= scenario.pools.size(); ++p) {
            const bool is_pool = p < scenario.pools.size();
            MonthForecast row;
            if (!known_.of_pool[p].empty()) {
                row = forecast_of(p);
                answer.total.so_far = answer.total.so_far.value_or(0.0) + *row.so_far;
            } else if (is_pool) {
                row.forecast = row.remainder = planned_[p] * days;
                plan += planned_[p] * days;
            }
            answer.total.remainder = *answer.total.remainder + row.remainder.value_or(0.0);
            if (is_pool) {
                answer.pools.push_back({row, scenario.pools[p].id,
                                        known_.of_pool[p].empty() ? ForecastBasis::plan : ForecastBasis::bill, planned_[p] * days});
                answer.total.planned += planned_[p] * days;
            } else {
                answer.unmatched = row;
            }
        }
        write_total(plan, answer);
        write_days(answer);
    }

private:
    [[nodiscard]] double so_far(std::size_t pool) const {
        double sum = 0.0;
        for (const auto& [day, costs] : billed_.by_day) {
            sum += day >= month_.begin && day <= *month_.through ? costs[pool] : 0.0;
        }
        return sum;
    }

    // What a deviation makes of a forecast; of costs that never fall below 0 the rest doesn't either.
    void set_interval(std::optional<double> deviation, std::span<const DayCost> known, double least, MonthForecast& row) const {
        if (deviation) {
            const bool is_cost = std::ranges::all_of(known, [](const DayCost& day) { return day.cost >= 0.0; });
            row.low = is_cost ? std::max(*row.forecast - *deviation, least) : *row.forecast - *deviation;
            row.high = *row.forecast + *deviation;
        }
    }

    MonthForecast forecast_of(std::size_t pool) {
        const DaysForecast rest = forecast_days(known_.of_pool[pool], month_.to_come, request_.interval);
        for (std::size_t i = 0; i < rest.by_day.size(); ++i) {
            expected_[i] += rest.by_day[i];
        }
        MonthForecast row;
        row.so_far = so_far(pool);
        row.remainder = rest.cost;
        row.forecast = *row.so_far + rest.cost;
        set_interval(rest.deviation, known_.of_pool[pool], *row.so_far, row);
        return row;
    }

    void write_total(double plan, ForecastAnswer& answer) const {
        TotalForecast& total = answer.total;
        total.forecast = total.so_far.value_or(0.0) + *total.remainder;
        total.difference = *total.forecast - total.planned;
        const DaysForecast all = forecast_days(known_.of_all, month_.to_come, request_.interval);
        answer.by_weekday = all.by_weekday;
        answer.known_days = known_.of_all.size() - all.left_out.size();
        answer.days_to_come = month_.to_come.size();
        if (!known_.of_all.empty()) {
            set_interval(all.deviation, known_.of_all, total.so_far.value_or(0.0) + plan, total);
        }
        for (const std::int64_t day : all.left_out) {
            answer.notes.push_back(fmt::format(
                "{} is no measure of the days to come, it stands alone: a charge for more than a day", text_of_day(day)));
        }
    }

    void write_days(ForecastAnswer& answer) const {
        double planned = 0.0;
        double plan = 0.0; // a day, of pools without lines
        for (std::size_t p = 0; p + 1 < planned_.size(); ++p) {
            planned += planned_[p];
            plan += known_.of_pool[p].empty() ? planned_[p] : 0.0;
        }
        for (std::int64_t day = month_.begin; day < month_.end; ++day) {
            DayForecast& row = answer.days.emplace_back(DayForecast{text_of_day(day), planned, {}, {}});
            const auto found = std::ranges::find(month_.to_come, day);
            if (found != month_.to_come.end()) {
                row.forecast = plan + expected_[static_cast<std::size_t>(found - month_.to_come.begin())];
                continue;
            }
            row.billed = 0.0;
            for (const double cost : billed_.by_day.at(day)) {
                row.billed = *row.billed + cost;
            }
        }
    }

    const ForecastRequest& request_;
    const BilledDays& billed_;
    const Month& month_;
    const KnownDays& known_;
    const std::vector<double>& planned_; // a day of the month, by pool
    std::vector<double> expected_;       // one a day to come, of what has lines
};

void write_notes(const Month& month, const KnownDays& known, ForecastAnswer& answer) {
    if (!month.through) {
        answer.notes.emplace_back("there is no line of a bill up to this month that fits: all is as planned");
        return;
    }
    std::string plan;
    for (const PoolForecast& pool : answer.pools) {
        plan += pool.basis == ForecastBasis::plan ? (plan.empty() ? "" : ", ") + pool.pool : "";
    }
    if (!plan.empty()) {
        answer.notes.push_back(fmt::format("no line is of {}: as planned, outside of the interval", plan));
    }
    const auto gaps = std::ranges::count_if(month.to_come, [&](std::int64_t day) { return day <= *month.through; });
    if (gaps > 0) {
        answer.notes.push_back(fmt::format("{} days up to {} have no line: they count as days to come", gaps, answer.through));
    }
    if (!known.of_all.empty() && !answer.total.low) {
        answer.notes.push_back(fmt::format("{} days are known: an interval takes 7", answer.known_days));
    }
}

} // namespace

void check(ForecastRequest& request, const answers::QuestionLimits& /*limits*/, model::Failure& issues) {
    check_categories(request.categories, issues);
    check_bill_filters(request.pools, request.bill, issues);
    if (request.through && !day_of(*request.through)) {
        issues.push_back({"/through", Code::bad_format, "through is no day; give YYYY-MM-DD"});
    }
}

model::Result<ForecastAnswer> forecast(const ForecastRequest& request, const model::ScenarioDocument& scenario,
                                       const storage::Store& store) {
    model::Failure issues;
    check_pools(request.pools, scenario, issues);
    if (const auto months = months_of(scenario, {request.month, request.month}); !months) {
        for (model::Issue issue : months.error()) {
            issue.pointer = "/month";
            issues.push_back(std::move(issue));
        }
    }
    if (!issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    const auto evaluated = answers::evaluate_resolved(scenario, "/scenario");
    return evaluated ? forecast(request, *evaluated, store) : tl::unexpected(evaluated.error());
}

model::Result<ForecastAnswer> forecast(const ForecastRequest& request, const answers::Evaluated& evaluated,
                                       const storage::Store& store) {
    const model::ScenarioDocument& scenario = evaluated.scenario.document();
    const auto months = months_of(scenario, {request.month, request.month});
    if (!months) {
        return tl::unexpected(months.error());
    }
    const auto [begin, end] = days_of_months({request.month, request.month});
    const auto billed = billed_days(request, scenario, store, begin - request.history_days, end + kDaysBehind);
    if (!billed) {
        return tl::unexpected(billed.error());
    }
    const Month month = month_of(request, *billed);
    const PlannedDays planned(evaluated, months->first);
    const KnownDays known = known_days(request, *billed, month, planned);
    ForecastAnswer answer;
    answer.month = request.month;
    answer.currency = scenario.currency;
    answer.through = month.through ? text_of_day(*month.through) : "";
    answer.interval = request.interval;
    Forecasting(request, *billed, month, known, planned.last()).write(scenario, answer);
    write_notes(month, known, answer);
    return answer;
}

model::Result<std::string> answer(const ForecastRequest& request, const model::ScenarioDocument& scenario,
                                  const storage::Store& store) {
    return forecast(request, scenario, store).map([](const ForecastAnswer& found) { return answers::encode_answer(found); });
}

} // namespace costcurve::actuals
