// Matches lines of bills to pools: by the request's filters, then by tags, then by offer; the highest rank wins.
#include "server/actuals/bill_match.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "model/documents/text.hpp"

namespace costcurve::actuals {

namespace {

// How well a line fits a pool; the highest wins.
enum Rank { kNone = 0, kOffer = 2, kOfferAndPurchase = 3, kTags = 4, kTagsAndOffer = 5, kTagsOfferAndPurchase = 6, kStated = 7 };

bool equal_or_unsaid(const std::string& wanted, const std::string& text) { return wanted.empty() || wanted == text; }

bool is_account(const std::string& wanted, const std::string& account) {
    return equal_or_unsaid(wanted, account) ||
           (account.starts_with(wanted) && account.size() > wanted.size() && account[wanted.size()] == '/');
}

bool has_all(const model::Tags& tags, const model::Tags& wanted) {
    return std::all_of(wanted.begin(), wanted.end(), [&](const auto& tag) {
        const auto found = tags.find(tag.first);
        return found != tags.end() && found->second == tag.second;
    });
}

bool contradicts(const model::Tags& tags, const model::Tags& of_pool) {
    return std::any_of(of_pool.begin(), of_pool.end(), [&](const auto& tag) {
        const auto found = tags.find(tag.first);
        return found != tags.end() && found->second != tag.second;
    });
}

// A bill calls reserved instances and dedicated ones by what it charges.
bool is_purchase(model::Purchase purchase, const std::string& billed) {
    switch (purchase) {
    case model::Purchase::spot:
        return billed == "spot";
    case model::Purchase::reserved:
    case model::Purchase::committed:
    case model::Purchase::block:
        return billed == "committed";
    case model::Purchase::on_demand:
    case model::Purchase::dedicated:
        break;
    }
    return billed == "on_demand";
}

bool names_things(const model::Offer& offer) { return !offer.provider.empty() && (!offer.sku.empty() || !offer.device.id.empty()); }

bool is_of_offer(const model::Offer& offer, const BillLine& line) {
    const bool is_thing = offer.sku.empty() ? offer.device.id == line.device : model::lower(offer.sku) == model::lower(line.sku);
    return offer.provider == line.provider && is_thing && (line.region.empty() || equal_or_unsaid(offer.region, line.region));
}

bool is_of_endpoint(const model::Pool& pool, const BillLine& line) {
    const bool elsewhere = pool.endpoint && !line.region.empty() && !equal_or_unsaid(pool.endpoint->region, line.region);
    return model::hosted(pool).provider == line.provider && line.tokens > 0.0 && !elsewhere;
}

MatchedBy reason_of(int rank) {
    switch (rank) {
    case kStated:
        return MatchedBy::request;
    case kTagsOfferAndPurchase:
    case kTagsAndOffer:
        return MatchedBy::tags_and_offer;
    case kTags:
        return MatchedBy::tags;
    case kOfferAndPurchase:
    case kOffer:
        return MatchedBy::offer;
    default:
        return MatchedBy::nothing;
    }
}

} // namespace

model::Tags tags_of_line(const BillLine& line) {
    const nlohmann::json tags = nlohmann::json::parse(line.tags, nullptr, false);
    return tags.is_object() ? tags.get<model::Tags>() : model::Tags{};
}

bool fits(const BillMatch& match, const BillLine& line, const model::Tags& tags) {
    return equal_or_unsaid(match.provider, line.provider) && is_account(match.account, line.account) &&
           equal_or_unsaid(match.region, line.region) && (match.sku.empty() || model::lower(match.sku) == model::lower(line.sku)) &&
           equal_or_unsaid(match.purchase, line.purchase) && equal_or_unsaid(match.device, line.device) &&
           equal_or_unsaid(match.commitment, line.commitment) &&
           (match.resources.empty() ||
            std::find(match.resources.begin(), match.resources.end(), line.resource) != match.resources.end()) &&
           has_all(tags, match.tags);
}

BillMatcher::BillMatcher(const model::ScenarioDocument& scenario, std::span<const PoolBill> stated)
    : scenario_(scenario), rules_(scenario.pools.size()) {
    for (std::size_t p = 0; p < rules_.size(); ++p) {
        const model::Pool& pool = scenario.pools[p];
        for (const PoolBill& one : stated) {
            if (one.pool == pool.id) {
                rules_[p].stated.push_back(&one);
            }
        }
        rules_[p].has_offer = pool.kind == model::PoolKind::api ? !model::hosted(pool).provider.empty()
                                                                : pool.offer.has_value() && names_things(*pool.offer);
    }
}

bool BillMatcher::can_match(std::size_t pool) const {
    return !rules_[pool].stated.empty() || rules_[pool].has_offer || !scenario_.pools[pool].tags.empty();
}

int BillMatcher::rank(std::size_t pool, const BillLine& line, const model::Tags& tags) const {
    const Rule& rule = rules_[pool];
    if (!rule.stated.empty()) {
        const bool is_any =
            std::any_of(rule.stated.begin(), rule.stated.end(), [&](const PoolBill* one) { return fits(*one, line, tags); });
        return is_any ? kStated : kNone;
    }
    const model::Pool& planned = scenario_.pools[pool];
    if (contradicts(tags, planned.tags)) {
        return kNone;
    }
    int rank = kNone;
    if (rule.has_offer && planned.kind == model::PoolKind::api) {
        rank = is_of_endpoint(planned, line) ? kOfferAndPurchase : kNone;
    } else if (rule.has_offer && is_of_offer(*planned.offer, line)) {
        rank = is_purchase(planned.offer->purchase, line.purchase) ? kOfferAndPurchase : kOffer;
    }
    if (planned.tags.empty() || !has_all(tags, planned.tags)) {
        return rank;
    }
    return rank == kNone ? kTags : rank + kTagsAndOffer - kOffer;
}

BillMatcher::Match BillMatcher::match(const BillLine& line, const model::Tags& tags) const {
    Match best;
    int highest = kNone;
    for (std::size_t p = 0; p < rules_.size(); ++p) {
        const int rank_of_pool = rank(p, line, tags);
        if (rank_of_pool == kNone || rank_of_pool < highest) {
            continue;
        }
        if (rank_of_pool > highest) {
            best.pools.clear();
            highest = rank_of_pool;
        }
        best.pools.push_back(p);
    }
    best.by = reason_of(highest);
    return best;
}

} // namespace costcurve::actuals
