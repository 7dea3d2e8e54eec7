// Counts in calendar days of the scenario's time zone; a day has 23 or 25 hours when daylight saving starts or ends.
#include "model/categories/day_terms.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "model/commitment.hpp"
#include "model/documents/calendar.hpp"

namespace costcurve::model {

namespace {

// The first instant of the local day that is `days_after` days after the first day of `month`.
std::int64_t start_of_day(YearMonth month, int days_after, const std::string& zone) {
    while (days_after >= days_in(month)) {
        days_after -= days_in(month);
        month = add_months(month, 1);
    }
    const std::vector<std::int64_t> starts = month_starts(month, 1, zone);
    const std::int64_t offset = offset_at(zone, starts[0]).seconds;
    const std::int64_t at = starts[0] + static_cast<std::int64_t>(days_after) * 24 * kHour;
    return at - (offset_at(zone, at).seconds - offset); // local midnight, by the UTC offset that is valid then
}

// The instant `days` days after the start of the pool's first day.
std::int64_t after_days(const Pool& pool, const ScenarioDocument& scenario, int days) {
    const YearMonth first = add_months(scenario.start, pool.from_month);
    if (const std::optional<double>& hour = pool.offer->begins_at_utc_hour) {
        return start_of_day(first, pool.from_day - 1 + days, "UTC") + std::llround(*hour * static_cast<double>(kHour));
    }
    return start_of_day(first, pool.from_day - 1 + days, scenario.time_zone);
}

std::vector<std::int64_t> starts_of(const ScenarioDocument& scenario, std::int64_t until) {
    std::vector<std::int64_t> starts = month_starts(scenario.start, scenario.months, scenario.time_zone);
    for (int months = scenario.months; starts.back() < until;) {
        starts.push_back(month_starts(add_months(scenario.start, ++months), 0, scenario.time_zone).front());
    }
    return starts;
}

// Adds the part of a term in month m, which may lie after the horizon.
void add_part(PaidTerm& term, std::size_t m, std::size_t months, double part) {
    (m < months ? term.in_month : term.after).push_back(part);
    term.left += m < months ? 0.0 : part;
}

std::vector<PaidTerm> terms_in_months(const Pool& pool, int horizon) {
    std::vector<PaidTerm> terms;
    for (const Window& window : terms_of(pool, horizon)) {
        if (window.from < 0) { // begun, and so paid, before the horizon
            continue;
        }
        PaidTerm& term = terms.emplace_back();
        term.begins = window.from;
        term.length = window.to - window.from;
        for (int m = 0; m < std::max(horizon, window.to); ++m) {
            add_part(term, static_cast<std::size_t>(m), static_cast<std::size_t>(horizon),
                     window.holds(static_cast<std::size_t>(m)) ? 1.0 : 0.0);
        }
    }
    return terms;
}

std::vector<PaidTerm> terms_in_days(const Pool& pool, const ScenarioDocument& scenario) {
    const Span days = days_of(pool, scenario);
    const int length = *pool.offer->term_days;
    const std::int64_t end = month_starts(scenario.start, scenario.months, scenario.time_zone).back();
    std::vector<Span> spans;
    for (int day = 0; days.from < end && (spans.empty() || spans.back().to < std::min(days.to, end)); day += length) {
        spans.push_back({after_days(pool, scenario, day), after_days(pool, scenario, day + length)});
    }
    const std::vector<std::int64_t> starts = starts_of(scenario, spans.empty() ? end : spans.back().to);
    std::vector<PaidTerm> terms;
    for (const Span& span : spans) {
        PaidTerm& term = terms.emplace_back();
        term.begins = static_cast<int>(std::ranges::upper_bound(starts, span.from) - starts.begin()) - 1;
        term.length = shared_hours(span, span);
        for (std::size_t m = 0; m + 1 < starts.size(); ++m) {
            add_part(term, m, static_cast<std::size_t>(scenario.months), shared_hours(span, {starts[m], starts[m + 1]}));
        }
    }
    return terms;
}

bool is_block(const Pool& pool) { return pool.offer->purchase == Purchase::block; }

} // namespace

double shared_hours(const Span& a, const Span& b) {
    const std::int64_t from = std::max(a.from, b.from);
    return static_cast<double>(std::max<std::int64_t>(0, std::min(a.to, b.to) - from)) / static_cast<double>(kHour);
}

bool has_day_terms(const Pool& pool) {
    return pool.kind == PoolKind::cloud && pool.offer && pool.offer->term_days && is_commitment(pool.offer->purchase);
}

Span days_of(const Pool& pool, const ScenarioDocument& scenario) {
    const std::optional<int> days = pool.days ? pool.days : is_block(pool) ? pool.offer->term_days : std::nullopt;
    const std::int64_t from = after_days(pool, scenario, 0);
    const std::int64_t end = month_starts(scenario.start, scenario.months, scenario.time_zone).back();
    return {from, days ? after_days(pool, scenario, *days) : std::max(from, end)};
}

std::vector<PaidTerm> terms_paid_ahead(const Pool& pool, const ScenarioDocument& scenario) {
    return has_day_terms(pool) ? terms_in_days(pool, scenario) : terms_in_months(pool, scenario.months);
}

std::optional<Span> window_within_months(const Pool& pool, const ScenarioDocument& scenario) {
    if (!has_day_terms(pool)) {
        return std::nullopt;
    }
    const Span days = days_of(pool, scenario);
    const std::vector<std::int64_t> starts = month_starts(scenario.start, scenario.months, scenario.time_zone);
    const auto is_month = [&](std::int64_t at) { return std::ranges::binary_search(starts, at); };
    const bool ends_whole = days.to >= starts.back() || is_month(days.to);
    return is_month(days.from) && ends_whole ? std::nullopt : std::optional(days);
}

std::vector<double> months_there(const Pool& pool, const ScenarioDocument& scenario) {
    const std::vector<std::int64_t> starts = month_starts(scenario.start, scenario.months, scenario.time_zone);
    const std::optional<Span> days = window_within_months(pool, scenario);
    const Window window = window_of(pool, scenario);
    std::vector<double> there;
    for (std::size_t m = 0; m + 1 < starts.size(); ++m) {
        const Span month{starts[m], starts[m + 1]};
        there.push_back(days ? shared_hours(*days, month) / shared_hours(month, month) : window.holds(m) ? 1.0 : 0.0);
    }
    return there;
}

void check_offer_days(const Offer& offer, const std::string& pointer, Rules& rules) {
    if (offer.purchase == Purchase::block && !offer.term_days) {
        rules.add(pointer + "/term_days", Code::missing, "a block is of days: state term_days, and its whole price as upfront");
    }
    if (offer.purchase == Purchase::block && (offer.hourly_price.curve || offer.hourly_price.number != 0.0)) {
        rules.add(
            pointer + "/hourly_price", Code::inconsistent,
            "a block is paid ahead, used or not: state its whole price (hours × price of an hour) as upfront, and hourly_price 0");
    }
    if (!offer.term_days) {
        if (offer.begins_at_utc_hour) {
            rules.add(pointer + "/begins_at_utc_hour", Code::not_allowed,
                      fmt::format("begins_at_utc_hour is {}; it goes with term_days, months begin at midnight",
                                  *offer.begins_at_utc_hour));
        }
        return;
    }
    if (offer.term_months) {
        rules.add(pointer + "/term_days", Code::not_allowed,
                  fmt::format("term_days is {} beside term_months, {}: a term has one length; leave one of them out",
                              *offer.term_days, *offer.term_months));
    }
    if (!is_commitment(offer.purchase) || offer.purchase == Purchase::dedicated) {
        rules.add(pointer + "/term_days", Code::not_allowed,
                  fmt::format("term_days is {}; it goes with reserved, committed and block, not {}", *offer.term_days,
                              name_of(offer.purchase)));
    }
}

void check_pool_days(const Pool& pool, const std::string& pointer, const ScenarioDocument& scenario, Rules& rules) {
    if (!has_day_terms(pool)) {
        if (pool.days) {
            rules.add(pointer + "/days", Code::not_allowed,
                      fmt::format("days is {}; it goes with an offer with term_days, others are there for months", *pool.days));
        }
        if (pool.from_day != 1) {
            rules.add(pointer + "/from_day", Code::not_allowed,
                      fmt::format("from_day is {}; it goes with an offer with term_days", pool.from_day));
        }
        return;
    }
    const YearMonth first = add_months(scenario.start, pool.from_month);
    if (pool.from_day > days_in(first)) {
        rules.add(pointer + "/from_day", Code::out_of_range,
                  fmt::format("from_day is {}; {} has {} days", pool.from_day, to_text(first), days_in(first)));
    }
    if (pool.from_month < 0) {
        rules.add(pointer + "/from_month", Code::out_of_range,
                  fmt::format("from_month is {}; terms in days begin in the horizon, at least 0", pool.from_month));
    }
    const std::optional<double>& hour = pool.offer->begins_at_utc_hour;
    if (hour && pool.from_month == 0 &&
        days_of(pool, scenario).from < month_starts(scenario.start, 0, scenario.time_zone).front()) {
        rules.add(pointer + "/from_day", Code::out_of_range,
                  fmt::format("days begin at {} hours UTC, before the horizon in {}; state from_day 2", *hour, scenario.time_zone));
    }
    if (pool.months) {
        rules.add(pointer + "/months", Code::not_allowed,
                  fmt::format("months is {} of an offer with term_days; state days", *pool.months));
    }
    if (pool.days && *pool.days % *pool.offer->term_days != 0) {
        rules.add(pointer + "/days", Code::term_not_whole,
                  fmt::format("days is {}; whole terms of {} days are paid", *pool.days, *pool.offer->term_days));
    }
}

} // namespace costcurve::model
