// Bills beside a plan: each line is compared once, by pool and tag, or listed apart.
#include "server/actuals/actuals.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "server/actuals/planned.hpp"
#include "server/actuals/variance.hpp"
#include "server/answers/evaluate.hpp"
#include "server/documents/json/json_text.hpp"

namespace costcurve::actuals {

namespace {

using model::Code;

constexpr std::size_t kMaxLargest = 20;
constexpr std::string_view kIdleResource = "__idle__"; // OpenCost's name of what no workload used

// Sums of lines. Hours and tokens are empty if no line states them.
struct LineSums {
    double cost = 0.0;
    double hours = 0.0;
    double device_hours = 0.0;
    double tokens = 0.0;
    double unused_cost = 0.0;
    std::size_t lines = 0;

    void add(const storage::BillSum& sum, double rate) {
        const BillLine& line = sum.line;
        cost += line.effective_cost * rate;
        hours += line.hours;
        device_hours += line.device_hours;
        tokens += line.tokens;
        unused_cost += line.commitment_status == "unused" ? line.effective_cost * rate : 0.0;
        lines += static_cast<std::size_t>(sum.lines);
    }
    [[nodiscard]] BilledSpend spend() const {
        const auto known = [&](double figure) { return figure > 0.0 ? std::optional(figure) : std::nullopt; };
        BilledSpend billed;
        billed.lines = lines;
        if (lines > 0) {
            billed.cost = cost;
            billed.unused_cost = unused_cost;
            billed.hours = known(hours);
            billed.device_hours = known(device_hours);
            billed.tokens = known(tokens);
        }
        return billed;
    }
};

// Lines that match no pool, with the largest ones.
struct LeftSums : LineSums {
    std::vector<BilledItem> largest;

    void add_item(const storage::BillSum& sum, double rate, const model::Tags& tags, std::vector<std::string> pools) {
        const BillLine& line = sum.line;
        const double amount = line.effective_cost * rate;
        const auto place = std::find_if(largest.begin(), largest.end(),
                                        [&](const BilledItem& item) { return std::abs(item.cost) < std::abs(amount); });
        if (place == largest.end() && largest.size() == kMaxLargest) {
            return;
        }
        largest.insert(place, {line.provider, line.account, line.region, line.sku, line.purchase, line.device, line.category,
                               line.resource, tags, amount, static_cast<std::size_t>(sum.lines), std::move(pools)});
        if (largest.size() > kMaxLargest) {
            largest.pop_back();
        }
    }
    [[nodiscard]] LeftLines left() const { return {spend(), largest}; }
};

// All that one pass over the lines gives.
class Compared {
public:
    Compared(const ActualsRequest& request, const model::ScenarioDocument& scenario)
        : request_(request), scenario_(scenario), lines_(scenario, request.bill, request.categories),
          matcher_(scenario, request.pools), pools_(scenario.pools.size()), matched_by_(scenario.pools.size()) {
        keys_ = request.tag_keys.empty() ? actuals::tag_keys(scenario) : request.tag_keys;
        by_tag_.resize(keys_.size());
    }

    void add(const storage::BillSum& sum) {
        const BillLine& line = sum.line;
        const LineUse use = lines_.use_of(line);
        const auto& [of, rate, tags] = use;
        if (of == LineUse::Of::apart) {
            stand_apart(sum, rate);
        }
        if (of != LineUse::Of::compared) {
            return;
        }
        first_day_ = total_.lines == 0 ? line.day : std::min(first_day_, line.day);
        last_day_ = total_.lines == 0 ? sum.last_day : std::max(last_day_, sum.last_day);
        total_.add(sum, rate);
        give_to_pool(sum, rate, tags);
        const bool is_idle = std::string_view(line.resource).ends_with(kIdleResource);
        for (std::size_t k = 0; k < keys_.size(); ++k) {
            const auto tag = tags.find(keys_[k]);
            const std::string_view value = tag != tags.end() ? std::string_view(tag->second)
                                           : is_idle         ? std::string_view(model::kIdle)
                                                             : std::string_view(model::kUntagged);
            by_tag_[k][std::string(value)] += line.effective_cost * rate;
        }
    }

    [[nodiscard]] model::Failure without_rate() const { return lines_.without_rate(); }
    void write(const answers::Evaluated& evaluated, MonthRange months, ActualsAnswer& answer) const;

private:
    void stand_apart(const storage::BillSum& sum, double rate) {
        const BillLine& line = sum.line;
        if (line.category == "allocation") { // divides what other lines charge
            allocations_ += static_cast<std::size_t>(sum.lines);
            return;
        }
        ApartActuals& apart = apart_[line.category];
        apart.category = line.category;
        apart.billed_cost += line.billed_cost * rate;
        apart.effective_cost += line.effective_cost * rate;
        apart.lines += static_cast<std::size_t>(sum.lines);
    }

    void give_to_pool(const storage::BillSum& sum, double rate, const model::Tags& tags) {
        const BillMatcher::Match match = matcher_.match(sum.line, tags);
        if (match.pools.size() == 1) {
            pools_[match.pools.front()].add(sum, rate);
            matched_by_[match.pools.front()][match.by] += sum.line.effective_cost * rate;
            return;
        }
        std::vector<std::string> names;
        for (const std::size_t pool : match.pools) {
            names.push_back(scenario_.pools[pool].id);
        }
        LeftSums& left = names.empty() ? unmatched_ : ambiguous_;
        left.add(sum, rate);
        left.add_item(sum, rate, tags, std::move(names));
    }

    void write_tags(const answers::Evaluated& evaluated, MonthRange months, ActualsAnswer& answer) const;
    void write_notes(ActualsAnswer& answer) const;

    const ActualsRequest& request_;
    const model::ScenarioDocument& scenario_;
    BillLines lines_;
    BillMatcher matcher_;
    std::vector<std::string> keys_;
    LineSums total_; // compared
    std::vector<LineSums> pools_;
    std::vector<std::map<MatchedBy, double>> matched_by_;
    LeftSums unmatched_;
    LeftSums ambiguous_;
    std::vector<std::map<std::string, double>> by_tag_; // by key, by value
    std::map<std::string, ApartActuals> apart_;
    std::size_t allocations_ = 0;
    std::int64_t first_day_ = 0;
    std::int64_t last_day_ = 0;
};

std::optional<double> less(const std::optional<double>& a, const std::optional<double>& b) {
    return a && b ? std::optional(*a - *b) : std::nullopt;
}
Spend difference_of(const Spend& billed, const Spend& planned) {
    return {less(billed.cost, planned.cost), less(billed.device_hours, planned.device_hours), less(billed.tokens, planned.tokens)};
}

// For a pool without devices, tokens replace device-hours.
CostVarianceAnswer variance_of(const Spend& planned, const Spend& billed) {
    const bool has_devices = planned.device_hours.has_value();
    const auto side = [&](const Spend& spend) {
        return has_devices ? Performed{spend.cost, spend.device_hours, spend.tokens}
                           : Performed{spend.cost, spend.tokens, std::nullopt};
    };
    const CostVariance variance = cost_variance(side(planned), side(billed));
    return {variance.total, variance.price, variance.volume, variance.efficiency};
}

void add_known(std::optional<double>& sum, const std::optional<double>& part) {
    if (part) {
        sum = sum.value_or(0.0) + *part;
    }
}

void Compared::write(const answers::Evaluated& evaluated, MonthRange months, ActualsAnswer& answer) const {
    const std::vector<PlannedPool> planned = planned_by_pool(evaluated, months);
    LineSums matched;
    answer.total.planned.cost = answer.total.planned_outside_pools = planned.back().cost;
    for (std::size_t p = 0; p < pools_.size(); ++p) {
        PoolActuals& pool = answer.pools.emplace_back();
        pool.pool = scenario_.pools[p].id;
        pool.planned = {planned[p].cost, planned[p].device_hours, planned[p].tokens};
        pool.billed = pools_[p].spend();
        pool.difference = difference_of(pool.billed, pool.planned);
        pool.cost_variance = variance_of(pool.planned, pool.billed);
        for (const auto& [by, cost] : matched_by_[p]) {
            pool.matched_by.emplace_back(model::name_of(by), cost);
        }
        *answer.total.planned.cost += planned[p].cost;
        add_known(answer.total.planned.device_hours, planned[p].device_hours);
        add_known(answer.total.planned.tokens, planned[p].tokens);
        for (const auto figure : {&Spend::cost, &Spend::device_hours, &Spend::tokens}) {
            add_known(answer.total.difference.*figure, pool.difference.*figure);
        }
        matched.cost += pools_[p].cost;
        matched.hours += pools_[p].hours;
        matched.device_hours += pools_[p].device_hours;
        matched.tokens += pools_[p].tokens;
        matched.unused_cost += pools_[p].unused_cost;
        matched.lines += pools_[p].lines;
    }
    answer.total.billed = matched.spend();
    answer.unmatched = unmatched_.left();
    answer.ambiguous = ambiguous_.left();
    for (const auto& [category, apart] : apart_) {
        answer.apart.push_back(apart);
    }
    if (total_.lines > 0) {
        answer.first_day = model::date_text(static_cast<double>(first_day_));
        answer.last_day = model::date_text(static_cast<double>(last_day_));
    }
    write_tags(evaluated, months, answer);
    write_notes(answer);
}

void Compared::write_tags(const answers::Evaluated& evaluated, MonthRange months, ActualsAnswer& answer) const {
    for (std::size_t k = 0; k < keys_.size(); ++k) {
        std::map<std::string, TagActuals> by_value;
        for (const auto& [value, cost] : planned_by_tag(evaluated, months, keys_[k])) {
            by_value[value].planned_cost = cost;
        }
        for (const auto& [value, cost] : by_tag_[k]) {
            by_value[value].billed_cost = cost;
        }
        answers::ByName<TagActuals>& values = answer.by_tag.emplace_back(keys_[k], answers::ByName<TagActuals>{}).second;
        for (auto& [value, figures] : by_value) {
            figures.planned_cost = figures.planned_cost.value_or(0.0);
            if (total_.lines > 0) {
                figures.billed_cost = figures.billed_cost.value_or(0.0);
            }
            figures.difference = less(figures.billed_cost, figures.planned_cost);
            values.emplace_back(value, figures);
        }
    }
}

void Compared::write_notes(ActualsAnswer& answer) const {
    const auto [begin, end] = days_of_months(request_);
    if (total_.lines == 0) {
        answer.notes.emplace_back("there is no line of a bill of these months and categories that fits");
    } else if (first_day_ > begin || last_day_ + 1 < end) {
        answer.notes.push_back(fmt::format("the lines begin on {} and end on {}; the months are {} to {}", answer.first_day,
                                           answer.last_day, model::date_text(static_cast<double>(begin)),
                                           model::date_text(static_cast<double>(end - 1))));
    }
    for (std::size_t p = 0; p < scenario_.pools.size(); ++p) {
        if (!matcher_.can_match(p)) {
            answer.notes.push_back(
                fmt::format("pool {} has no tags, and no offer with a provider and an SKU or device: name its lines "
                            "in pools, such as {{\"pool\": \"{}\", \"tags\": {{\"team\": \"search\"}}}}",
                            scenario_.pools[p].id, scenario_.pools[p].id));
        }
    }
    if (ambiguous_.lines > 0) {
        answer.notes.push_back(fmt::format("{} lines fit several pools equally well and are of none: tag the pools, or name their "
                                           "lines in pools",
                                           ambiguous_.lines));
    }
    if (allocations_ > 0) {
        answer.notes.push_back(
            fmt::format("{} lines of allocations divide what others charge and are not compared: ask for categories "
                        "[\"allocation\"]",
                        allocations_));
    }
}

} // namespace

void check(ActualsRequest& request, const answers::QuestionLimits& /*limits*/, model::Failure& issues) {
    check_months(request, issues);
    answers::check_each_once(request.tag_keys, "/tag_keys", issues);
    check_categories(request.categories, issues);
    check_bill_filters(request.pools, request.bill, issues);
}

model::Result<ActualsAnswer> actuals(const ActualsRequest& request, const model::ScenarioDocument& scenario,
                                     const storage::Store& store) {
    model::Failure issues;
    check_pools(request.pools, scenario, issues);
    const auto months = months_of(scenario, request);
    if (!months) {
        issues.add_all(months.error());
    }
    if (!issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    const auto evaluated = answers::evaluate_resolved(scenario, "/scenario");
    if (!evaluated) {
        return tl::unexpected(evaluated.error());
    }
    Compared compared(request, scenario);
    const auto [begin, end] = days_of_months(request);
    store.visit_bill(begin, end, [&](const storage::BillSum& sum) { compared.add(sum); });
    if (model::Failure failure = compared.without_rate(); !failure.empty()) {
        return tl::unexpected(std::move(failure));
    }
    ActualsAnswer answer;
    answer.from = request.from;
    answer.to = request.to;
    answer.currency = scenario.currency;
    compared.write(*evaluated, *months, answer);
    return answer;
}

model::Result<std::string> answer(const ActualsRequest& request, const model::ScenarioDocument& scenario,
                                  const storage::Store& store) {
    return actuals(request, scenario, store).map([](const ActualsAnswer& found) { return answers::encode_answer(found); });
}

} // namespace costcurve::actuals
