// One read of the documents' own histories, and one of the other sellers of each thing.
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
constexpr double kBeyondAsks = 10.0;  // of the median price of other sellers
constexpr double kBeyondAbroad = 2.5; // of that of sellers in other currencies: a dollar list named shekel is off by 3.4
constexpr double kBeyondOwn = 5.0;    // of the median price of the same seller, of what it hasn't sold before
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
        factor = kBeyondOwn; // three years cost a third
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
    const bool is_other_device = is_of_offer(price) && !history.device.empty() && history.device != price.thing;
    if (is_other_device) {
        add_reason(judgement, fmt::format("it is of {}, and was of {}", price.thing, history.device));
    }
    bool is_borne_out = history.returns && !is_other_device;
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
std::string reason_of_others(const JudgedPrice& price, const OtherSellers::Median& others, RoughRates& rough) {
    const bool is_far_away = others.sellers < kMinSellers && rough.bears_out(price); // the only other one
    return is_far_away ? "" : reason_of_asks(price, others.price, words_of(others));
}

// Of what its last price bears out: where this step brings it to a tenth or ten times what others ask.
std::string reason_of_step(const JudgedPrice& price, const PriceHistory& history, OtherSellers& sellers, RoughRates& rough) {
    const OtherSellers::Median others = sellers.median(price, OtherSellers::Whose::others);
    if (!history.last || history.returns || others.sellers == 0) {
        return "";
    }
    const double before = price.per_device() * *history.last / price.price / others.price;
    return is_beyond(before, kBeyondAsks) ? "" : reason_of_others(price, others, rough);
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
    std::string reason = others.sellers > 0 ? reason_of_others(price, others, rough) : "";
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
        const OtherSellers::Median own = sellers.median(price, OtherSellers::Whose::own);
        judgement.is_compared = judgement.is_compared || own.sellers > 0;
        add_reason(judgement, reason_of_asks(price, own.price, "the median of the same seller", kBeyondOwn));
    }
    if (!history.last) {
        add_reason(judgement, reason_of_new(price, history));
    }
    if (judgement.reason.empty() && !history.last && !price.has_history_alone()) {
        add_reason(judgement, rough.reason(price));
        judgement.is_compared = judgement.is_compared || rough.knows(price);
    }
    judgement.is_compared = judgement.is_compared || !judgement.reason.empty();
    return judgement;
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
    ++pairs_;
    same_ += other->second == price.price ? 1U : 0U;
    waiting_.erase(other);
}

void PriceGuard::add(const model::Offer& offer) {
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
            add(offer);
        }
    }
}

void PriceGuard::add(const model::Endpoint& endpoint) {
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

void PriceGuard::add(const model::Curve& curve) {
    if (!curve.y.empty()) {
        curves_.push_back(curve);
    }
}

namespace {

// Of a document with several prices the reasons of all.
void hold(const JudgedPrice& price, std::string&& reason, PriceJudgement& judgement) {
    if (is_of_offer(price)) {
        judgement.held.push_back({price.key.id, price.price, std::move(reason)});
    } else if (!judgement.documents.empty() && judgement.documents.back().id == price.key.id) {
        judgement.documents.back().reason += "; " + reason;
    } else {
        judgement.documents.push_back({price.key.kind, price.key.id, std::move(reason)});
    }
}

void hold_document(storage::Kind kind, const std::string& id, std::string&& reason, PriceJudgement& judgement) {
    const auto held = std::ranges::find_if(
        judgement.documents, [&](const HeldDocument& document) { return document.kind == kind && document.id == id; });
    if (held == judgement.documents.end()) {
        judgement.documents.push_back({kind, id, std::move(reason)});
    } else {
        held->reason += "; " + reason;
    }
}

// What has come far by small steps, or before its last price; how many prices that were not held.
std::size_t hold_all(std::map<storage::DocumentKey, std::string>&& reasons, const std::vector<JudgedPrice>& prices,
                     std::set<storage::DocumentKey>& held, PriceJudgement& judgement) {
    const std::size_t before = held.size();
    for (auto& [key, reason] : reasons) {
        const auto price = std::ranges::lower_bound(prices, key, std::less<>(), &JudgedPrice::key);
        const bool is_price = price != prices.end() && price->key == key;
        if (!is_price) {
            hold_document(key.kind, key.id, std::move(reason), judgement);
        } else if (held.insert(key).second) {
            hold(*price, std::move(reason), judgement);
        }
    }
    return held.size() - before;
}

} // namespace

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
    std::size_t held = 0;
    std::vector<double> jumps;
    ComparedPrices in_list;
    std::string first;
    for (std::size_t i = 0; i < prices_.size(); ++i) {
        OneJudgement found = judge_price(prices_[i], histories[i], sellers, rough, today);
        compare_price(prices_[i], histories[i], sellers, in_list);
        const bool counts = !prices_[i].is_condition; // of a list: factors stay where prices move
        compared += counts && found.is_compared ? 1U : 0U;
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
    judge_documents(*snapshot, today, judgement);
    snapshot.reset();
    held +=
        hold_all(reasons_since_month(store, {prices_, histories, curves_, devices_, models_, measurements_, performances_}, today),
                 prices_, held_keys, judgement);
    if (first.empty() && !judgement.held.empty()) {
        first = fmt::format("{}: {}", judgement.held.front().offer, judgement.held.front().reason);
    }
    judgement.problem = same_number(prices_, histories);
    if (judgement.problem.empty()) {
        judgement.problem = moved_list(jumps, compared);
    }
    if (judgement.problem.empty()) {
        judgement.problem = common_factor(in_list);
    }
    if (judgement.problem.empty() && held * 2 > compared) {
        judgement.problem = fmt::format("{} of {} prices are not plausible, such as {}", held, compared, first);
    }
    if (pairs_ >= kMinPairs && same_ == pairs_) {
        judgement.warnings.push_back(fmt::format(
            "all {} prices on demand are the same as those as spot: perhaps the floors of an auction, or one is no price", pairs_));
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
    }
    KnownDevices known(snapshot);
    for (const model::Device& device : devices_) {
        hold_where(storage::Kind::device, device.id, reason_of_facts(snapshot, storage::Kind::device, device));
        hold_where(storage::Kind::device, device.id, known.reason(device));
    }
    for (const model::Model& model : models_) {
        hold_where(storage::Kind::model, model.id, reason_of_spelling(snapshot, model));
        hold_where(storage::Kind::model, model.id, reason_of_facts(snapshot, storage::Kind::model, model));
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
