// One read of the offers' own histories, and one of the other sellers of each device and purchase.
#include "server/answers/store/price_guard.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "model/documents/text.hpp"
#include "server/documents/records.hpp"

namespace costcurve::answers {

namespace {

constexpr double kJump = 1.9;          // of a list price that is held: twice or half, when rounded
constexpr double kSpotJump = 4.0;      // spot prices move by more within weeks
constexpr double kBeyondAsks = 10.0;   // of the median price of other sellers
constexpr std::size_t kMinSellers = 2; // of one other nobody knows which of the two is wrong
constexpr double kSame = 0.1;          // within this a price is about another
constexpr double kYear = 365.0;        // days
constexpr double kRounding = 1e-9;     // of a ratio

struct PlaceRow {
    std::string_view part; // of a region's name
    std::string_view place;
    bool only_first = false;
};
// In this order: "australiaeast" has "us" in it.
constexpr auto kPlaces = std::to_array<PlaceRow>({
    {"southamerica", "south america"},
    {"brazil", "south america"},
    {"chile", "south america"},
    {"sa-", "south america", true},
    {"northamerica", "north america"},
    {"china", "china"},
    {"cn-", "china", true},
    {"asia", "asia pacific"},
    {"australia", "asia pacific"},
    {"japan", "asia pacific"},
    {"korea", "asia pacific"},
    {"india", "asia pacific"},
    {"ap-", "asia pacific", true},
    {"europe", "europe"},
    {"austria", "europe"},
    {"france", "europe"},
    {"germany", "europe"},
    {"italy", "europe"},
    {"norway", "europe"},
    {"poland", "europe"},
    {"spain", "europe"},
    {"sweden", "europe"},
    {"switzerland", "europe"},
    {"uk", "europe", true},
    {"eu", "europe", true},
    {"africa", "middle east and africa"},
    {"israel", "middle east and africa"},
    {"qatar", "middle east and africa"},
    {"uae", "middle east and africa"},
    {"af-", "middle east and africa", true},
    {"il-", "middle east and africa", true},
    {"me-", "middle east and africa", true},
    {"canada", "north america"},
    {"ca-", "north america", true},
    {"mexico", "north america"},
    {"mx-", "north america", true},
    {"us", "north america"},
});

// The part of the world that a region's name is of; "" where it does not say.
std::string_view place_of(std::string_view region) {
    const std::string name = model::lower(std::string(region));
    const auto row = std::find_if(kPlaces.begin(), kPlaces.end(), [&](const PlaceRow& it) {
        const std::size_t at = name.find(it.part);
        return at != std::string::npos && (!it.only_first || at == 0);
    });
    return row == kPlaces.end() ? "" : row->place;
}

double median_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2.0;
}

bool is_beyond(double ratio, double factor) { return ratio >= factor * (1.0 - kRounding) || ratio <= (1.0 + kRounding) / factor; }
bool is_about(double a, double b) { return std::abs(a - b) <= kSame * b; }

const storage::Series* dated_price(const storage::Record& record) {
    const auto found = std::find_if(record.series.begin(), record.series.end(),
                                    [](const storage::Series& series) { return series.pointer == "/hourly_price"; });
    return found == record.series.end() || found->x.empty() ? nullptr : &*found;
}

// What an offer cost before.
struct PriceHistory {
    std::optional<double> last; // on its day or before, else the first there is
    bool returns = false;       // the price is about one of the year before
};

// Prices of a device-hour, of other sellers or of the same one.
class Asks {
public:
    explicit Asks(const storage::Snapshot& snapshot) : snapshot_(snapshot) {}

    struct Median {
        double device_hour = 0.0;
        std::size_t sellers = 0; // 0: nobody sells it
    };
    enum class Whose { others, own };
    // Near it, of the same device, purchase and currency.
    [[nodiscard]] Median median(const PricedOffer& offer, Whose whose) {
        const auto [found, is_new] =
            medians_.try_emplace({offer.device, offer.purchase, offer.currency, std::string(offer.place), offer.provider, whose});
        if (is_new) {
            found->second = find_median(offer, whose);
        }
        return found->second;
    }

private:
    struct Ask {
        std::string provider;
        std::string currency;
        std::string_view place;
        double device_hour = 0.0;
    };

    [[nodiscard]] Median find_median(const PricedOffer& offer, Whose whose) {
        std::map<std::string, std::vector<double>> by_seller;
        for (const Ask& ask : asks(offer.device, offer.purchase)) {
            const bool is_near = ask.place == offer.place || ask.place.empty() || offer.place.empty();
            const bool is_own = ask.provider == offer.provider;
            if (is_own == (whose == Whose::own) && ask.currency == offer.currency && is_near) {
                by_seller[ask.provider].push_back(ask.device_hour);
            }
        }
        std::vector<double> medians;
        medians.reserve(by_seller.size());
        for (auto& [seller, device_hours] : by_seller) {
            medians.push_back(median_of(std::move(device_hours)));
        }
        const std::size_t sellers = medians.size();
        return {sellers == 0 ? 0.0 : median_of(std::move(medians)), sellers};
    }

    [[nodiscard]] const std::vector<Ask>& asks(const std::string& device, const std::string& purchase) {
        const auto [found, is_new] = asks_.try_emplace({device, purchase});
        if (!is_new) {
            return found->second;
        }
        storage::ListQuery query;
        query.kind = storage::Kind::offer;
        query.limit = 1000;
        query.device = device;
        query.purchase = purchase;
        for (bool more = true; more;) {
            const storage::Page page = snapshot_.list(query);
            for (const storage::Revision& revision : page.items) {
                if (revision.unreadable.empty() && revision.record.offer && revision.record.offer->hourly_price) {
                    add_ask(revision, found->second);
                }
            }
            more = page.more && !page.items.empty();
            query.after = more ? page.items.back().record.key.id : "";
        }
        return found->second;
    }

    static void add_ask(const storage::Revision& revision, std::vector<Ask>& asks) {
        const auto document = documents::decode_revision(revision);
        const auto& offer = std::get<model::Offer>(document);
        if (offer.upfront == 0.0) {
            asks.push_back({offer.provider, offer.currency, place_of(offer.region),
                            *revision.record.offer->hourly_price / static_cast<double>(offer.devices)});
        }
    }

    const storage::Snapshot& snapshot_;
    std::map<std::pair<std::string, std::string>, std::vector<Ask>> asks_;
    std::map<std::tuple<std::string, std::string, std::string, std::string, std::string, Whose>, Median> medians_;
};

PriceHistory history_of(const storage::Revision& stored, double price, std::optional<double> day) {
    PriceHistory history;
    if (!stored.record.offer) {
        return history;
    }
    const storage::Series* const points = dated_price(stored.record);
    if (points == nullptr || !day) {
        history.last = stored.record.offer->hourly_price;
        return history;
    }
    history.last = points->y.front();
    for (std::size_t i = 0; i < points->x.size() && points->x[i] <= *day; ++i) {
        history.last = points->y[i];
        const bool holds_within_year = i + 1 == points->x.size() || points->x[i + 1] >= *day - kYear;
        history.returns = history.returns || (holds_within_year && is_about(price, points->y[i]));
    }
    return history;
}

// Of each offer what it cost before.
std::vector<PriceHistory> histories_of(const storage::Snapshot& snapshot, const std::vector<PricedOffer>& offers) {
    std::vector<storage::DocumentKey> keys;
    keys.reserve(offers.size());
    for (const PricedOffer& offer : offers) {
        keys.push_back({storage::Kind::offer, offer.id});
    }
    std::vector<PriceHistory> histories;
    histories.reserve(offers.size());
    constexpr std::size_t kPage = 500;
    for (std::size_t first = 0; first < keys.size(); first += kPage) {
        for (const auto& stored : snapshot.load_all(std::span(keys).subspan(first, std::min(kPage, keys.size() - first)))) {
            const PricedOffer& offer = offers[histories.size()];
            histories.push_back(stored && stored->unreadable.empty() ? history_of(*stored, offer.price, offer.day)
                                                                     : PriceHistory());
        }
    }
    return histories;
}

// Of one offer.
struct OfferJudgement {
    std::string reason;       // why it is held; "" where it is not
    bool is_compared = false; // with anything
    double jump = 1.0;        // how many times its last price, where that is twice or half or beyond
};

std::string reason_of_history(const PricedOffer& offer, double last) {
    return fmt::format("{:g} {} is {:.3g} times its last price, {:g}", offer.price, offer.currency, offer.price / last, last);
}

// "" where it is within those prices.
std::string reason_of_asks(const PricedOffer& offer, const Asks::Median& median, const std::string& whose) {
    const double device_hour = offer.price / static_cast<double>(offer.devices);
    if (median.device_hour <= 0.0 || !is_beyond(device_hour / median.device_hour, kBeyondAsks)) {
        return "";
    }
    return fmt::format("a device-hour of {:.4g} {} is {:.3g} times {}, {:.4g}", device_hour, offer.currency,
                       device_hour / median.device_hour, whose, median.device_hour);
}

OfferJudgement judge_offer(const PricedOffer& offer, const PriceHistory& history, Asks& asks, double today) {
    OfferJudgement judgement;
    const auto add_reason = [&](const std::string& text) {
        judgement.reason += (judgement.reason.empty() || text.empty() ? "" : "; ") + text;
    };
    if (offer.day && *offer.day > today + 1.0) {
        judgement.is_compared = true;
        add_reason(fmt::format("its price is of {}, a day to come", model::date_text(*offer.day)));
    }
    bool is_borne_out = history.returns;
    if (history.last && *history.last > 0.0 && !history.returns) {
        const double ratio = offer.price / *history.last;
        judgement.jump = is_beyond(ratio, kJump) ? ratio : 1.0;
        is_borne_out = !is_beyond(ratio, offer.purchase == model::name_of(model::Purchase::spot) ? kSpotJump : kJump);
        add_reason(is_borne_out ? "" : reason_of_history(offer, *history.last));
    }
    judgement.is_compared = judgement.is_compared || history.last;
    if (!is_borne_out && !offer.has_upfront) {
        const Asks::Median others = asks.median(offer, Asks::Whose::others);
        if (others.sellers >= kMinSellers) {
            judgement.is_compared = true;
            add_reason(reason_of_asks(offer, others, fmt::format("the median of {} other sellers", others.sellers)));
        }
    }
    if (!history.last && !offer.has_upfront) {
        const Asks::Median own = asks.median(offer, Asks::Whose::own);
        judgement.is_compared = judgement.is_compared || own.sellers > 0;
        add_reason(reason_of_asks(offer, own, "the median of the same seller"));
    }
    return judgement;
}

// Why most kinds of machines come to one price, and did not before; "" where they don't.
std::string same_number(const std::vector<PricedOffer>& offers, const std::vector<PriceHistory>& histories) {
    struct Kind {
        double price = 0.0;
        std::optional<double> last;
    };
    std::map<std::tuple<std::string, int, std::string>, Kind> kinds;
    std::map<double, std::size_t> counts;
    for (std::size_t i = 0; i < offers.size(); ++i) {
        const PricedOffer& offer = offers[i];
        if (kinds.try_emplace({offer.device, offer.devices, offer.purchase}, Kind{offer.price, histories[i].last}).second) {
            ++counts[offer.price];
        }
    }
    constexpr std::size_t kMinKinds = 4;
    if (kinds.size() < kMinKinds) {
        return "";
    }
    const auto most =
        std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    std::set<std::optional<double>> before; // of the kinds that come to that price
    for (const auto& [kind, found] : kinds) {
        if (found.price == most->first) {
            before.insert(found.last);
        }
    }
    const bool was_so = before.size() == 1 && before.begin()->has_value();
    return most->second * 2 <= kinds.size() || was_so
               ? ""
               : fmt::format("{} of {} kinds of machines come to the same price, {:g}", most->second, kinds.size(), most->first);
}

// Why most prices moved so far; "" where they didn't.
std::string moved_list(const std::vector<double>& jumps, std::size_t compared) {
    if (jumps.size() * 2 <= compared) {
        return "";
    }
    const double factor = median_of(jumps);
    const auto about = std::count_if(jumps.begin(), jumps.end(), [&](double ratio) { return is_about(ratio, factor); });
    return static_cast<std::size_t>(about) * 2 > compared
               ? fmt::format("{} of {} prices moved by about the same factor, {:.3g}", about, compared, factor)
               : fmt::format("{} of {} prices are twice or half their last, or beyond", jumps.size(), compared);
}

} // namespace

void PriceGuard::add(const model::Offer& offer) {
    PricedOffer priced{offer.id,
                       offer.provider,
                       offer.device.id,
                       std::string(model::name_of(offer.purchase)),
                       offer.currency,
                       place_of(offer.region),
                       offer.devices,
                       offer.upfront > 0.0,
                       0.0,
                       std::nullopt};
    const std::optional<model::Curve>& curve = offer.hourly_price.curve;
    if (curve && !curve->y.empty() && curve->axis == model::Axis::date) {
        priced.price = curve->y.back();
        priced.day = curve->x.back();
    } else if (!curve) {
        priced.price = offer.hourly_price.number;
    } else {
        return; // of a curve that is stored apart
    }
    offers_.push_back(std::move(priced));
}

PriceJudgement PriceGuard::judge(const storage::Store& store, double today) {
    std::sort(offers_.begin(), offers_.end(), [](const PricedOffer& a, const PricedOffer& b) { return a.id < b.id; });
    const std::unique_ptr<storage::Snapshot> snapshot = store.snapshot();
    const std::vector<PriceHistory> histories = histories_of(*snapshot, offers_);
    Asks asks(*snapshot);
    PriceJudgement judgement;
    std::size_t compared = 0;
    std::vector<double> jumps;
    for (std::size_t i = 0; i < offers_.size(); ++i) {
        OfferJudgement found = judge_offer(offers_[i], histories[i], asks, today);
        compared += found.is_compared ? 1U : 0U;
        if (found.jump != 1.0) {
            jumps.push_back(found.jump);
        }
        if (!found.reason.empty()) {
            judgement.held.push_back({offers_[i].id, offers_[i].price, std::move(found.reason)});
        }
    }
    judgement.problem = same_number(offers_, histories);
    if (judgement.problem.empty()) {
        judgement.problem = moved_list(jumps, compared);
    }
    if (judgement.problem.empty() && judgement.held.size() * 2 > compared) {
        const HeldOffer& first = judgement.held.front();
        judgement.problem = fmt::format("{} of {} prices are not plausible, such as {}: {}", judgement.held.size(), compared,
                                        first.offer, first.reason);
    }
    return judgement;
}

} // namespace costcurve::answers
