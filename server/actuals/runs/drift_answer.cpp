// The answer of drift: each measure, the cost of both periods, and the cause.
#include "server/actuals/runs/drift_answer.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "server/actuals/runs/whole_hours.hpp"
#include "server/actuals/samples.hpp"
#include "server/actuals/statistics.hpp"
#include "server/answers/evaluate.hpp"

namespace costcurve::actuals {

namespace {

using model::Code;

constexpr std::int64_t kHoursOfDay = 24;
constexpr std::int64_t kDaysOfLast = 3; // in which a bill's newest day may lie
constexpr double kMillion = 1e6;
constexpr double kJoulesOfKwh = 3.6e6;
constexpr double kNormalSpread = 1.4826; // of a normal distribution: sd / MAD

std::optional<double> ratio(const std::optional<double>& a, const std::optional<double>& b, double factor = 1.0) {
    return a && b && *b > 0.0 ? std::optional(*a / *b * factor) : std::nullopt;
}

std::optional<std::string> text_of_hour(const std::optional<std::int64_t>& hour) {
    return hour ? std::optional(storage::format_time(*hour * kMicrosecondsPerHour)) : std::nullopt;
}

MeasureDrift measure_of(DriftMeasure measure, const LoadDrift& found, double threshold_fraction) {
    MeasureDrift drift;
    drift.measure = measure;
    drift.measured = found.measured;
    drift.expected = found.change ? std::optional(*found.measured / (1.0 + *found.change)) : std::nullopt; // as the median has it
    drift.change_fraction = found.change;
    drift.spread_fraction = found.spread;
    drift.hours = found.hours;
    drift.reference_hours = found.reference_hours;
    drift.first_hour = text_of_hour(found.first_hour);
    drift.last_hour = text_of_hour(found.last_hour);
    drift.drifted = is_drift(found, threshold_fraction);
    return drift;
}

std::vector<LoadPoint> points_of(const std::vector<PoolHour>& hours, std::optional<double> PoolHour::*load,
                                 std::optional<double> PoolHour::*figure, double factor) {
    std::vector<LoadPoint> points;
    for (const PoolHour& hour : hours) {
        if (hour.*load && hour.*figure && *(hour.*load) > 0.0) {
            points.push_back({hour.hour, *(hour.*load), *(hour.*figure) * factor});
        }
    }
    return points;
}

// A last day that was measured less than half as long as usual: what is compared is older.
void note_last_day(DriftMeasure measure, const LoadDrift& found, std::int64_t until, std::vector<std::string>& notes) {
    if (found.last_day_hours * 2 < found.usual_day_hours) {
        notes.push_back(
            fmt::format("{} of the 24 hours before {} are measured whole for {}, of {} that a day usually has{}",
                        found.last_day_hours == 0 ? "none" : std::to_string(found.last_day_hours),
                        storage::format_time(until * kMicrosecondsPerHour), model::name_of(measure), found.usual_day_hours,
                        found.last_hour ? "; the newest that is compared begins at " + *text_of_hour(found.last_hour) : ""));
    }
}

// Joules at a load of tokens are found, and turned: tokens a joule.
MeasureDrift energy_drift(const std::vector<PoolHour>& hours, const DriftRequest& request, std::int64_t until,
                          std::vector<std::string>& notes) {
    LoadDrift found = load_drift(points_of(hours, &PoolHour::tokens, &PoolHour::joules, 1.0), until, request.reference_days);
    note_last_day(DriftMeasure::tokens_per_joule, found, until, notes);
    if (found.change) {
        found.change = 1.0 / (1.0 + *found.change) - 1.0;
        found.measured = *found.load / *found.measured;
    }
    return measure_of(DriftMeasure::tokens_per_joule, found, request.threshold_fraction);
}

MeasureDrift rate_drift(const std::vector<PoolHour>& hours, const DriftRequest& request, std::int64_t until,
                        std::vector<std::string>& notes) {
    const auto seconds = static_cast<double>(model::kHour);
    const LoadDrift found =
        load_drift(points_of(hours, &PoolHour::batch, &PoolHour::output_tokens, 1.0 / seconds), until, request.reference_days);
    note_last_day(DriftMeasure::output_tokens_per_s, found, until, notes);
    return measure_of(DriftMeasure::output_tokens_per_s, found, request.threshold_fraction);
}

// The bill's price of a device-hour by day, in the scenario's currency; days without device-hours have none.
model::Result<std::vector<LoadPoint>> daily_prices(const storage::Store& store, const model::ScenarioDocument& scenario,
                                                   storage::BillQuery query, std::int64_t from_day, std::int64_t to_day) {
    std::vector<LoadPoint> prices;
    for (std::int64_t day = from_day; day < to_day; ++day) {
        query.from_day = day;
        query.to_day = day + 1;
        double cost = 0.0;
        double device_hours = 0.0;
        for (const storage::BillTotal& total : store.bill(query)) {
            const auto rate = scenario.exchange_rates.find(total.currency);
            if (total.currency != scenario.currency && rate == scenario.exchange_rates.end()) {
                return tl::unexpected(model::Failure{
                    {"/bill", Code::missing_exchange_rate,
                     fmt::format("the bill has lines in {}; give its rate in the scenario's exchange_rates", total.currency)}});
            }
            cost += total.effective_cost * (total.currency == scenario.currency ? 1.0 : rate->second);
            device_hours += total.device_hours;
        }
        if (device_hours > 0.0 && cost > 0.0) {
            prices.push_back({day, 0.0, cost / device_hours});
        }
    }
    return prices;
}

// The newest day against the median of those before it.
LoadDrift price_change(std::vector<LoadPoint> prices, std::int64_t today) {
    constexpr std::size_t kMinDaysBefore = 3;
    LoadDrift drift;
    if (prices.size() <= kMinDaysBefore || prices.back().hour < today - kDaysOfLast) {
        return drift;
    }
    drift.measured = prices.back().figure;
    drift.first_hour = prices.back().hour * kHoursOfDay; // a point's hour is a day here
    drift.last_hour = *drift.first_hour + kHoursOfDay - 1;
    prices.pop_back();
    std::vector<double> before;
    before.reserve(prices.size());
    for (const LoadPoint& price : prices) {
        before.push_back(price.figure);
    }
    drift.expected = median(before);
    for (double& price : before) {
        price = std::abs(price / *drift.expected - 1.0);
    }
    drift.hours = 1;
    drift.reference_hours = prices.size();
    drift.spread = kNormalSpread * median(std::move(before));
    drift.change = *drift.measured / *drift.expected - 1.0;
    return drift;
}

// Drift of cost; from the price alone if the rate is unknown, and vice versa.
MeasureDrift cost_drift(const MeasureDrift& price, const MeasureDrift& rate, const std::optional<double>& measured,
                        double threshold_fraction) {
    LoadDrift found;
    if (measured && (price.change_fraction || rate.change_fraction)) {
        found.change = (1.0 + price.change_fraction.value_or(0.0)) / (1.0 + rate.change_fraction.value_or(0.0)) - 1.0;
        found.spread = std::hypot(price.spread_fraction.value_or(0.0), rate.spread_fraction.value_or(0.0));
        found.measured = measured;
        found.hours = rate.hours;
        found.reference_hours = rate.reference_hours;
    }
    MeasureDrift cost = measure_of(DriftMeasure::cost_per_million_tokens, found, threshold_fraction);
    if (cost.change_fraction) {
        const MeasureDrift& timed = rate.change_fraction ? rate : price;
        cost.first_hour = timed.first_hour;
        cost.last_hour = timed.last_hour;
    }
    return cost;
}

// Tokens of a device-hour in the last two days.
std::optional<double> tokens_per_device_hour(const std::vector<PoolHour>& hours, std::int64_t until) {
    double tokens = 0.0;
    double devices = 0.0;
    for (const PoolHour& hour : hours) {
        if (hour.hour >= until - 2 * kHoursOfDay && hour.tokens && hour.devices) {
            tokens += *hour.tokens;
            devices += *hour.devices;
        }
    }
    return tokens > 0.0 && devices > 0.0 ? std::optional(tokens / devices) : std::nullopt;
}

DriftCause cause_of(const MeasureDrift& energy, const MeasureDrift& rate, const MeasureDrift& price, const MeasureDrift& cost) {
    if (price.drifted && rate.drifted) {
        return DriftCause::price_and_rate;
    }
    const DriftCause of_cost = !price.change_fraction  ? DriftCause::rate
                               : !rate.change_fraction ? DriftCause::price
                                                       : DriftCause::price_and_rate;
    return price.drifted    ? DriftCause::price
           : rate.drifted   ? DriftCause::rate
           : energy.drifted ? DriftCause::energy
           : cost.drifted   ? of_cost
                            : DriftCause::none;
}

// The month of a moment, where the scenario has it.
std::optional<MonthsOf> month_of_hour(const model::ScenarioDocument& scenario, std::int64_t hour) {
    for (int m = 0; m < scenario.months; ++m) {
        const model::YearMonth month = model::add_months(scenario.start, m);
        const auto [begin, end] = days_of_months({month, month});
        if (hour >= begin * kHoursOfDay && hour < end * kHoursOfDay) {
            return MonthsOf{month, month};
        }
    }
    return std::nullopt;
}

void set_planned(MeasureDrift& drift, const std::optional<double>& planned) {
    drift.planned = planned;
    const std::optional<double> off = ratio(drift.measured, planned);
    drift.off_plan_fraction = off ? std::optional(*off - 1.0) : std::nullopt;
}

// Whether a price crossed its threshold from the plan by small steps, none of which counts as drift.
bool crossed_plan(const MeasureDrift& price, double threshold_fraction) {
    return price.off_plan_fraction && price.expected && std::abs(*price.off_plan_fraction) >= threshold_fraction &&
           std::abs(*price.expected / *price.planned - 1.0) < threshold_fraction;
}

void write_drift_notes(const DriftRequest& request, DriftAnswer& answer) {
    for (const MeasureDrift& drift : answer.measures) {
        const bool is_wanted = drift.measure == DriftMeasure::price_per_device_hour
                                   ? request.bill.has_value()
                                   : drift.measure != DriftMeasure::cost_per_million_tokens && request.telemetry.has_value();
        if (is_wanted && !drift.change_fraction) {
            const std::string_view name = model::name_of(drift.measure);
            answer.notes.push_back(
                drift.measure == DriftMeasure::price_per_device_hour
                    ? fmt::format("{} is not known: it takes a day with device-hours in the last three, and three before", name)
                    : fmt::format("{} is not known: {} whole hours of the last day and {} before are at loads that both have; it "
                                  "takes 6, and 24 of three days",
                                  name, drift.hours, drift.reference_hours));
        }
    }
}

} // namespace

void check(DriftRequest& request, const answers::QuestionLimits& /*limits*/, model::Failure& issues) {
    if (!request.telemetry && !request.bill) {
        issues.push_back({"/telemetry", Code::missing, "give telemetry or bill: there is nothing to look at"});
    }
    if (request.telemetry) {
        check_filter(*request.telemetry, "/telemetry", issues);
    }
    if (request.bill) {
        request.bill->device = device_id(request.bill->device);
    }
    if (request.until && !storage::parse_time(*request.until)) {
        issues.push_back({"/until", Code::bad_format, "until is no time; give RFC 3339, such as 2026-11-29T00:00:00Z"});
    }
}

model::Result<DriftAnswer> drift(const DriftRequest& request, const model::ScenarioDocument& scenario,
                                 const storage::Store& store) {
    const std::int64_t moment = request.until ? storage::parse_time(*request.until).value_or(0) : store.now();
    const std::int64_t until = moment / kMicrosecondsPerHour;
    DriftAnswer answer;
    answer.pool = request.pool;
    answer.currency = scenario.currency;
    answer.until = storage::format_time(until * kMicrosecondsPerHour);
    answer.threshold_fraction = request.threshold_fraction;
    answer.reference_days = request.reference_days;
    VarianceOf of;
    of.pool = request.pool;
    static_cast<MonthsOf&>(of) =
        month_of_hour(scenario, until - 1).value_or(MonthsOf{scenario.start, scenario.start}); // a pool that isn't there is refused
    const auto planned = predict(scenario, of, answer.notes);
    if (!planned) {
        return tl::unexpected(planned.error());
    }
    std::vector<PoolHour> hours;
    if (request.telemetry) {
        auto found = whole_hours(store, *request.telemetry, until - (request.reference_days + 2) * kHoursOfDay, until);
        if (!found) {
            return tl::unexpected(std::move(found.error()));
        }
        hours = std::move(*found);
    }
    MeasureDrift energy = energy_drift(hours, request, until, answer.notes);
    const MeasureDrift rate = rate_drift(hours, request, until, answer.notes);
    MeasureDrift price;
    price.measure = DriftMeasure::price_per_device_hour;
    if (request.bill) {
        const std::int64_t today = until / kHoursOfDay;
        auto prices = daily_prices(store, scenario, *request.bill, today - request.reference_days - kDaysOfLast, today);
        if (!prices) {
            return tl::unexpected(std::move(prices.error()));
        }
        price = measure_of(price.measure, price_change(std::move(*prices), today), request.threshold_fraction);
    }
    const bool has_month = month_of_hour(scenario, until - 1).has_value();
    const Side plan = has_month ? *planned : Side{};
    if (!has_month) {
        answer.notes.emplace_back("the scenario doesn't reach over the last day: there is no plan of it");
    }
    set_planned(price, ratio(plan.cost, plan.device_hours));
    price.drifted = price.drifted || crossed_plan(price, request.threshold_fraction);
    const std::optional<double> paid = price.measured ? price.measured : price.planned;
    const std::optional<double> a_million = ratio(paid, tokens_per_device_hour(hours, until), kMillion);
    MeasureDrift cost = cost_drift(price, rate, a_million, request.threshold_fraction);
    const bool is_in_tokens =
        std::ranges::all_of(scenario.workloads, [](const auto& workload) { return workload.unit == "token"; });
    if (is_in_tokens) {
        set_planned(energy, ratio(plan.units, plan.device_energy_kwh, 1.0 / kJoulesOfKwh));
        set_planned(cost, ratio(plan.cost, plan.units, kMillion));
    }
    answer.cause = cause_of(energy, rate, price, cost);
    answer.drifted = answer.cause != DriftCause::none;
    answer.measures = {energy, rate, price, cost};
    write_drift_notes(request, answer);
    return answer;
}

model::Result<std::string> answer(const DriftRequest& request, const model::ScenarioDocument& scenario,
                                  const storage::Store& store) {
    return drift(request, scenario, store).map([](const DriftAnswer& found) { return answers::encode_answer(found); });
}

} // namespace costcurve::actuals
