// Judges prices by their own history and by other sellers.
#include "server/ingest/prices/price_guard.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "model/hosted/hosted_prices.hpp"
#include "server/documents/records.hpp"
#include "server/ingest/plausible/bought_devices.hpp"
#include "server/ingest/plausible/hold.hpp"
#include "server/ingest/plausible/instance_watts.hpp"
#include "server/ingest/plausible/named_size.hpp"
#include "server/ingest/plausible/site_charges.hpp"
#include "server/ingest/prices/measured_guard.hpp"
#include "server/ingest/prices/new_devices.hpp"
#include "server/ingest/prices/price_history.hpp"
#include "server/ingest/prices/recorded_before.hpp"
#include "server/ingest/prices/rough_rates.hpp"
#include "server/ingest/prices/stated_speeds.hpp"
#include "server/ingest/prices/taken_names.hpp"
#include "server/ingest/prices/whole_list.hpp"

namespace costcurve::ingest {

namespace {

using model::Purchase;

constexpr double kMonthJump = 5.0; // of a list price within a month: no chain of small cuts goes further
constexpr double kSpotMonthJump = 10.0;
constexpr double kBeyondAsks = 10.0;     // of the median price of other sellers
constexpr double kBeyondMany = 7.0;      // of that of many, of a new price: published ones come to 6.4, in South Africa
constexpr double kBeyondManyHosts = 6.5; // of hosted models to six
constexpr std::size_t kManySellers = 3;
constexpr double kBeyondAbroad = 2.5;  // of that of sellers in other currencies: a dollar list named shekel is off by 3.4
constexpr double kBeyondOwn = 4.0;     // of the median price of the same seller, of what it hasn't sold: published ones 0.24 to 2.6
constexpr double kBeyondOwnSpot = 8.0; // as spot 0.19 to 7.2
constexpr double kBeyondTerm = 5.0;    // of a price on demand: three years cost a third
constexpr std::size_t kMinSellers = 2;
constexpr std::size_t kMinPairs = 3; // of prices on demand and as spot, before their sameness means anything

bool is_spot(const JudgedPrice& price) { return price.sort == model::name_of(Purchase::spot); }
bool is_on_demand(const JudgedPrice& price) { return price.sort == model::name_of(Purchase::on_demand); }

// Of one price.
struct OneJudgement {
    std::string reason;       // why it is held; "" where it is not
    bool is_compared = false; // with anything
    double jump = 1.0;        // how many times its last price, where that is twice or half or beyond
};

std::string reason_of_history(const JudgedPrice& price, const PriceHistory& history, double before, std::string_view when) {
    return fmt::format("{} is {:.3g} times {}, {:g}{}", said(price, price.price), price.price / before, when, before,
                       price.devices == history.devices || !is_of_offer(price)
                           ? ""
                           : fmt::format(" for {} devices, of which it had {}", price.devices, history.devices));
}

// "" where it is within those prices.
std::string reason_of_asks(const JudgedPrice& price, double median, const std::string& whose, double factor = kBeyondAsks) {
    const double own = price.per_device();
    if (median <= 0.0 || !is_beyond(own / median, factor)) {
        return "";
    }
    return fmt::format("{} {} is {:.3g} times {}, {:.4g}", is_of_offer(price) ? "a device-hour of" : "a million units of",
                       said(price, own), own / median, whose, median);
}

std::string words_of(const OtherSellers::Median& others) {
    return others.sellers == 1 ? "that of the only other seller" : fmt::format("the median of {} other sellers", others.sellers);
}

// Of a purchase that few sell, against the price on demand; "" where it may be.
std::string reason_of_on_demand(const JudgedPrice& price, OtherSellers& sellers) {
    JudgedPrice on_demand = price;
    on_demand.sort = model::name_of(Purchase::on_demand);
    OtherSellers::Median others = sellers.median(on_demand, OtherSellers::Whose::others);
    double factor = kBeyondAsks;
    if (others.sellers == 0 && !is_spot(price) && !price.currency.empty()) {
        others = sellers.median(on_demand, OtherSellers::Whose::abroad);
        factor = kBeyondTerm;
    }
    return others.sellers == 0 || others.price <= 0.0 || price.per_device() > others.price / factor
               ? ""
               : fmt::format("a device-hour of {} is {:.3g} times {} on demand, {:.4g}", said(price, price.per_device()),
                             price.per_device() / others.price, words_of(others), others.price);
}

void add_reason(OneJudgement& judgement, const std::string& text) {
    judgement.reason += (judgement.reason.empty() || text.empty() ? "" : "; ") + text;
}

// Against what the thing cost before. Whether that bears the price out, so that other sellers don't count.
bool judge_history(const JudgedPrice& price, const PriceHistory& history, OneJudgement& judgement) {
    const bool may_jump = is_of_offer(price) && is_spot(price);
    const std::string other = reason_of_other_thing(price, history);
    add_reason(judgement, other);
    bool is_borne_out = history.returns && other.empty();
    if (history.last && *history.last > 0.0 && !history.returns) {
        const double ratio = price.price / *history.last;
        judgement.jump = is_beyond(ratio, kJump) ? ratio : 1.0;
        is_borne_out = !is_beyond(ratio, may_jump ? kSpotJump : kJump);
        add_reason(judgement, is_borne_out ? "" : reason_of_history(price, history, *history.last, "its last price"));
    }
    if (judgement.reason.empty() && !history.is_known && history.month_ago > 0.0 &&
        is_beyond(price.price / history.month_ago, may_jump ? kSpotMonthJump : kMonthJump)) {
        add_reason(judgement, reason_of_history(price, history, history.month_ago, "its price of a month before"));
    }
    judgement.is_compared = judgement.is_compared || history.last;
    return is_borne_out;
}

// Whether that price is so far below or above others that it is held, unless something bears it out.
std::string reason_of_others(const JudgedPrice& price, const OtherSellers::Median& others, RoughRates& rough, bool is_new) {
    const bool is_far_away = others.sellers < kMinSellers && rough.bears_out(price); // the only other one
    const bool has_many = is_new && others.sellers >= kManySellers && !is_spot(price);
    const double factor = !has_many ? kBeyondAsks : is_of_offer(price) ? kBeyondMany : kBeyondManyHosts;
    return is_far_away ? "" : reason_of_asks(price, others.price, words_of(others), factor);
}

// Why a price is held against other sellers' where it has a last price: where that was plausible beside theirs, and the new one
// is a tenth or ten times theirs, or beyond.
std::string reason_of_step(const JudgedPrice& price, const PriceHistory& history, OtherSellers& sellers, RoughRates& rough) {
    const OtherSellers::Median others = sellers.median(price, OtherSellers::Whose::others);
    if (!history.last || history.returns || others.sellers == 0) {
        return "";
    }
    const double before = price.per_device() * *history.last / price.price / others.price;
    return is_beyond(before, kBeyondAsks) ? "" : reason_of_others(price, others, rough, false);
}

// In a currency in which nobody else sells it; "" where it may be, or is of no currency of its own.
std::string reason_of_currencies(const JudgedPrice& price, OtherSellers& sellers) {
    const OtherSellers::Median abroad =
        price.currency.empty() ? OtherSellers::Median() : sellers.median(price, OtherSellers::Whose::abroad);
    return abroad.sellers > 0 && abroad.price <= 0.0
               ? fmt::format("nobody else sells {} in {}, and no rate of exchange is known of it", price.thing, price.currency)
               : reason_of_asks(price, abroad.price,
                                fmt::format("the median of {} sellers in other currencies, by rough rates", abroad.sellers),
                                kBeyondAbroad);
}

void judge_by_others(const JudgedPrice& price, const PriceHistory& history, OtherSellers& sellers, RoughRates& rough,
                     OneJudgement& judgement) {
    const OtherSellers::Median others = sellers.median(price, OtherSellers::Whose::others);
    judgement.is_compared = judgement.is_compared || others.sellers > 0;
    std::string reason = others.sellers > 0 ? reason_of_others(price, others, rough, !history.last) : "";
    if (reason.empty() && others.sellers < kMinSellers) {
        reason = reason_of_currencies(price, sellers);
    }
    if (others.sellers >= kMinSellers) {
        add_reason(judgement, reason);
        return;
    }
    if (!reason.empty()) {
        add_reason(judgement, reason);
    } else if (is_of_offer(price) && !is_on_demand(price) && !history.last) {
        add_reason(judgement, reason_of_on_demand(price, sellers));
    }
}

// Of a price in another currency than before: no rate is stored by which the two could be compared. "" where it is the same.
std::string reason_of_currency(const JudgedPrice& price, const PriceHistory& history, OtherSellers& sellers) {
    const std::string before = !history.currency.empty() ? history.currency : sellers.other_currency(price);
    return before.empty() || price.currency.empty() || before == price.currency
               ? ""
               : fmt::format("currency_changed: {} is in {}, and {} in {}", said(price, price.price), price.currency,
                             history.currency.empty() ? "its seller's others are" : "it was", before);
}

// Of a new price, by what its seller asks for the same near it, or else anywhere.
void judge_by_own(const JudgedPrice& price, OtherSellers& sellers, OneJudgement& judgement) {
    const OtherSellers::Median near = sellers.median(price, OtherSellers::Whose::own);
    const OtherSellers::Median own = near.sellers > 0 ? near : sellers.median(price, OtherSellers::Whose::own_anywhere);
    judgement.is_compared = judgement.is_compared || own.sellers > 0;
    const double factor = is_spot(price) ? kBeyondOwnSpot : kBeyondOwn;
    add_reason(judgement,
               reason_of_asks(price, own.price,
                              near.sellers > 0 ? "the median of the same seller" : "the median of the same seller elsewhere",
                              factor));
}

OneJudgement judge_price(const JudgedPrice& price, const PriceHistory& history, OtherSellers& sellers, RoughRates& rough,
                         double today) {
    OneJudgement judgement;
    if (std::string changed = reason_of_currency(price, history, sellers); !changed.empty()) {
        judgement.reason = std::move(changed);
        judgement.is_compared = true;
        return judgement;
    }
    if (price.day && *price.day > today + 1.0 && !history.is_stored) {
        add_reason(judgement, fmt::format("its price is of {}, a day to come", model::date_text(*price.day)));
    }
    const bool is_borne_out = judge_history(price, history, judgement);
    if (!is_borne_out && !price.has_history_alone()) {
        judge_by_others(price, history, sellers, rough, judgement);
    } else if (!price.has_history_alone()) {
        add_reason(judgement, reason_of_step(price, history, sellers, rough));
    }
    if (!history.last && !price.has_history_alone()) {
        judge_by_own(price, sellers, judgement);
    }
    if (!history.last) {
        add_reason(judgement, reason_of_new(price, history, sellers));
    }
    if (judgement.reason.empty() && !history.last && !price.has_history_alone()) {
        add_reason(judgement, rough.reason(price));
        judgement.is_compared = judgement.is_compared || rough.knows(price);
    }
    judgement.is_compared = judgement.is_compared || !judgement.reason.empty();
    return judgement;
}

// Whether it is compared with nothing but the other classes of its endpoint.
bool is_fitting(const JudgedPrice& price, const OneJudgement& found, const PriceHistory& history) {
    return !price.is_condition && !found.is_compared && history.classes.size() > 1;
}

} // namespace

// Offers of one SKU and place that differ in the purchase alone.
void PriceGuard::note_pair(const model::Offer& offer, const JudgedPrice& price) {
    if (!is_spot(price) && !is_on_demand(price)) {
        return;
    }
    const std::string what = fmt::format("{}\n{}\n{}\n{}", offer.provider, offer.sku, offer.region, offer.zone);
    const auto other = waiting_.find(what + (is_spot(price) ? "\non demand" : "\nspot"));
    if (other == waiting_.end()) {
        waiting_[what + (is_spot(price) ? "\nspot" : "\non demand")] = price.price;
        return;
    }
    spot_of_on_demand_.push_back(is_spot(price) ? price.price / other->second : other->second / price.price);
    waiting_.erase(other);
}

void PriceGuard::add(const model::Offer& offer) {
    stated_.add(offer);
    add_prices(offer);
}

void PriceGuard::add_prices(const model::Offer& offer) {
    if (offer.hourly_price.curve && offer.hourly_price.curve->y.empty()) {
        by_curve_.push_back(offer);
        return;
    }
    for (const JudgedPrice& price : prices_of(offer)) {
        note_pair(offer, price);
        std::ranges::move(with_points(offer, price), std::back_inserter(prices_));
    }
}

// Of offers whose price is a curve that is listed or stored apart.
void PriceGuard::add_priced_by_curve(const storage::Snapshot& snapshot) {
    for (model::Offer& offer : std::exchange(by_curve_, {})) {
        if (auto curve = listed_or_stored(snapshot, curves_, offer.hourly_price.curve->id); curve && !curve->y.empty()) {
            offer.hourly_price.curve = std::move(*curve);
            add_prices(offer);
        }
    }
}

void PriceGuard::add(const model::Endpoint& endpoint) {
    stated_.add(endpoint);
    for (const JudgedPrice& price : prices_of(endpoint)) {
        std::ranges::move(with_points(endpoint, price), std::back_inserter(prices_));
    }
    if (const double fraction = model::batch_fraction(endpoint); fraction < 1.0) {
        batches_[endpoint.id] = fraction;
    }
    if (states_speed(endpoint)) {
        endpoints_.push_back(endpoint);
    }
}

void PriceGuard::add(const model::Site& site) {
    stated_.add(site);
    sites_.push_back(site);
}

void PriceGuard::add(const model::Performance& performance) {
    stated_.add(performance);
    performances_.push_back(performance);
}

void PriceGuard::add(const model::Curve& curve) {
    if (!curve.y.empty()) {
        curves_.push_back(curve);
    }
}

PriceJudgement PriceGuard::judge(const storage::Store& store, double today) {
    std::unique_ptr<storage::Snapshot> snapshot = store.snapshot();
    add_priced_by_curve(*snapshot);
    std::stable_sort(prices_.begin(), prices_.end(), [](const JudgedPrice& a, const JudgedPrice& b) { return a.key < b.key; });
    const std::vector<JudgedPrice> points = take_points(prices_);
    const std::vector<PriceHistory> histories = histories_of(*snapshot, prices_);
    std::set<storage::DocumentKey> held_keys;
    OtherSellers sellers(*snapshot);
    RoughRates rough(*snapshot);
    PriceJudgement judgement;
    std::size_t compared = 0;
    std::size_t fitting = 0; // new ones that the other classes of their endpoint bear out alone
    std::size_t held = 0;
    std::vector<double> jumps;
    ComparedPrices in_list;
    std::string first;
    for (std::size_t i = 0; i < prices_.size(); ++i) {
        OneJudgement found = judge_price(prices_[i], histories[i], sellers, rough, today);
        compare_price(prices_[i], histories[i], sellers, rough, in_list);
        const bool counts = !prices_[i].is_condition; // of a list: factors stay where prices move
        compared += counts && found.is_compared ? 1U : 0U;
        fitting += static_cast<std::size_t>(is_fitting(prices_[i], found, histories[i]));
        if (counts && found.jump != 1.0) {
            jumps.push_back(found.jump);
        }
        if (!found.reason.empty()) {
            first = first.empty() ? fmt::format("{}: {}", prices_[i].key.id, found.reason) : first;
            held += counts ? 1U : 0U;
            held_keys.insert(prices_[i].key);
            hold(prices_[i], std::move(found.reason), judgement);
        }
    }
    held += hold_all(reasons_of_points(*snapshot, points, prices_, sellers), prices_, held_keys, judgement);
    hold_all(stated_.reasons(*snapshot), prices_, held_keys, judgement, true);
    judge_documents(*snapshot, today, judgement);
    snapshot.reset();
    held += hold_all(
        reasons_since_month(store, {prices_, histories, curves_, devices_, models_, measurements_, performances_, stated_}, today),
        prices_, held_keys, judgement);
    if (first.empty() && !judgement.held.empty()) {
        first = fmt::format("{}: {}", judgement.held.front().offer, judgement.held.front().reason);
    }
    for (std::string problem : {same_number(prices_, histories), moved_list(jumps, compared), common_factor(in_list),
                                cheap_spot(spot_of_on_demand_), held_list(held, compared + fitting, first)}) {
        judgement.problem = judgement.problem.empty() ? std::move(problem) : judgement.problem;
    }
    const std::size_t pairs = spot_of_on_demand_.size();
    if (pairs >= kMinPairs && std::ranges::count(spot_of_on_demand_, 1.0) == std::ssize(spot_of_on_demand_)) {
        judgement.warnings.push_back(fmt::format(
            "all {} prices on demand are the same as those as spot: perhaps the floors of an auction, or one is no price", pairs));
    }
    return judgement;
}

void PriceGuard::judge_documents(const storage::Snapshot& snapshot, double today, PriceJudgement& judgement) const {
    for (const auto& [id, fraction] : batches_) {
        if (std::string reason = reason_of_batch(snapshot, id, fraction); !reason.empty()) {
            hold_document(storage::Kind::endpoint, id, std::move(reason), judgement);
        }
    }
    const auto hold_where = [&](storage::Kind kind, const std::string& id, std::string&& reason) {
        if (!reason.empty()) {
            hold_document(kind, id, std::move(reason), judgement);
        }
    };
    for (const model::Curve& curve : curves_) {
        hold_where(storage::Kind::curve, curve.id, reason_of_curve(snapshot, curve, today));
        hold_where(storage::Kind::curve, curve.id, reason_of_bought(snapshot, curve));
        hold_where(storage::Kind::curve, curve.id, reason_of_instance_watts(snapshot, curves_, curve));
    }
    KnownDevices known(snapshot);
    for (const model::Device& device : devices_) {
        hold_where(storage::Kind::device, device.id, reason_of_facts(snapshot, storage::Kind::device, device));
        hold_where(storage::Kind::device, device.id, known.reason(device));
    }
    for (const model::Model& model : models_) {
        hold_where(storage::Kind::model, model.id, reason_of_spelling(snapshot, model));
        hold_where(storage::Kind::model, model.id, reason_of_named_size(snapshot, model));
        hold_where(storage::Kind::model, model.id, reason_of_facts(snapshot, storage::Kind::model, model));
    }
    for (const model::Site& site : sites_) {
        hold_where(storage::Kind::site, site.id, reason_of_site(snapshot, site));
    }
    const RateReasons rates = reasons_of_rates(snapshot, {measurements_, performances_, curves_});
    for (const auto& reasons : {reasons_of_speeds(snapshot, endpoints_), rates.held}) {
        for (const auto& [key, reason] : reasons) {
            hold_where(key.kind, key.id, std::string(reason));
        }
    }
    if (rates.compared_with_nothing > 0) {
        judgement.warnings.push_back(fmt::format("{} new performances could be compared with nothing that is stored: look at their "
                                                 "units/s",
                                                 rates.compared_with_nothing));
    }
}

} // namespace costcurve::ingest
