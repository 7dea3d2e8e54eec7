// Adds held documents to a judgement, offers by id. Prices come in the order of their keys, so another document is looked up in the
// last entry alone.
#include "server/ingest/plausible/hold.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace costcurve::ingest {

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

namespace {

// Of an offer or an endpoint that is held already.
void add_reason(const storage::DocumentKey& key, const std::string& reason, PriceJudgement& judgement) {
    const auto offer = std::ranges::find(judgement.held, key.id, &HeldOffer::offer);
    if (key.kind == storage::Kind::offer && offer != judgement.held.end()) {
        offer->reason += "; " + reason;
    } else {
        hold_document(key.kind, key.id, std::string(reason), judgement);
    }
}

} // namespace

std::size_t hold_all(std::map<storage::DocumentKey, std::string>&& reasons, const std::vector<JudgedPrice>& prices,
                     std::set<storage::DocumentKey>& held, PriceJudgement& judgement, bool names_all) {
    const std::size_t before = held.size();
    for (auto& [key, reason] : reasons) {
        const auto price = std::ranges::lower_bound(prices, key, std::less<>(), &JudgedPrice::key);
        const bool is_price = price != prices.end() && price->key == key;
        if (!is_price) {
            hold_document(key.kind, key.id, std::move(reason), judgement);
        } else if (held.insert(key).second) {
            hold(*price, std::move(reason), judgement);
        } else if (names_all) {
            add_reason(key, reason, judgement);
        }
    }
    return held.size() - before;
}

} // namespace costcurve::ingest
