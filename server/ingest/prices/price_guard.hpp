// Whether the prices that a feed or an import brings are plausible: each against its own history and against what other sellers ask
// for the same, and all of them together. Stores nothing.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/documents/documents.hpp"
#include "model/documents/measurement.hpp"
#include "server/answers/answer.hpp"
#include "server/ingest/plausible/stated_facts.hpp"
#include "server/ingest/prices/other_sellers.hpp"
#include "server/storage/store.hpp"

namespace costcurve::ingest {

/// An offer whose price is not plausible.
struct HeldOffer {
    std::string offer; ///< its id
    double hourly_price = 0.0;
    std::string reason;
};
/// Another document with such a price.
struct HeldDocument {
    storage::Kind kind{};
    std::string id;
    std::string reason;
};

struct PriceJudgement {
    std::string problem;                 ///< of the list as a whole; "" for none
    std::vector<HeldOffer> held;         ///< by id
    std::vector<HeldDocument> documents; ///< of other kinds, by id
    std::vector<std::string> warnings;   ///< of what is odd, and lands

    [[nodiscard]] std::size_t size() const { return held.size() + documents.size(); }
};

/// Takes the documents of one file.
class PriceGuard {
public:
    void add(const model::Offer& offer);
    void add(const model::Endpoint& endpoint);
    void add(const model::Curve& curve);
    void add(const model::Device& device) { devices_.push_back(device); }
    void add(const model::Model& model) { models_.push_back(model); }
    void add(const model::Server& server) { stated_.add(server); }
    void add(const model::Site& site);
    void add(const model::Measurement& measurement) { measurements_.push_back(measurement); }
    void add(const model::Performance& performance);

    /// A document is held where one of its prices
    /// - is in another currency than before, or, where it is new, than all that its seller asks for the same;
    /// - is of an offer of another device than before;
    /// - is of a day after `today`, in days since 1970, and the next, which it may be elsewhere;
    /// - is about twice or half its last one (1.9 times: halves are rounded) or beyond, of spot four times or a quarter, unless it
    ///   was about that within the year before: by the device, where an offer has more or fewer of them now;
    /// - is a fifth or five times what it was a month before or beyond, of spot a tenth or ten times, however small the
    ///   steps;
    /// - is in a currency in which nobody else sells the same, and a third or three times their median by rough rates of exchange,
    ///   or of no known rate;
    /// - is, by no price before it borne out, a tenth or ten times the median of other sellers or beyond: of the same device,
    ///   purchase and currency, and not of another part of the world; of the same hosted model, class of units and currency; where
    ///   there is one alone, unless RoughRates bear it out. A new one that is no spot price where three others or more sell it: a
    ///   seventh or seven times, of hosted models 6.5. A new one also against its own seller's median: a fifth or five times;
    /// - is of a class of units that had no price, and a share of another class's price that no list has: kClassShares;
    /// - is new, of a purchase that less than two others sell, and a tenth of the price on demand or less;
    /// - is new, and far from what devices and models of its size cost about: RoughRates;
    /// - is new, and a device-hour below a cent, or a million units below a tenth of one, by rough rates.
    /// What an endpoint states of tiers, thresholds, fees and lifetimes, factors included, is held against its own history, and
    /// where it is new a tenth or ten times its price, or beyond. An endpoint also where batch work costs, of the price, about
    /// twice or half what it did or beyond, or where that is new less than a tenth. The list as a whole is where most of the prices
    /// that can be compared are held, or moved by about twice or half and beyond, or where most kinds of machines come to the same
    /// price, and did not before. A curve of prices, a tariff or one of a grid's carbon is held where its last value, over another
    /// axis than date its mean, is a tenth or ten times what is stored of it, or of the year before, or beyond, or no grid has it;
    /// a price of a day to come too. Any curve is held where the stored one is of another kind, or over what can't be compared, one
    /// of demand or utilization where its peak over its mean is about twice or half what it was. A device or a model is held where
    /// a number of it is one and a half times what is stored, two thirds of it, or beyond, a new device as new_devices.hpp says,
    /// rates as measured_guard.hpp, the speed of hosts as stated_speeds.hpp, what sites charge as
    /// site_charges.hpp, their other numbers and those of offers, servers and performances as stated_facts.hpp. What bills and
    /// contracts say is not judged.
    [[nodiscard]] PriceJudgement judge(const storage::Store& store, double today);

private:
    void add_prices(const model::Offer& offer);
    void note_pair(const model::Offer& offer, const JudgedPrice& price);
    void add_priced_by_curve(const storage::Snapshot& snapshot);
    void judge_documents(const storage::Snapshot& snapshot, double today, PriceJudgement& judgement) const;

    std::vector<JudgedPrice> prices_;
    std::vector<model::Curve> curves_;
    std::vector<model::Offer> by_curve_;     ///< whose price is a curve of another document
    std::vector<model::Endpoint> endpoints_; ///< that state their speed
    std::vector<model::Device> devices_;
    std::vector<model::Model> models_;
    std::vector<model::Site> sites_;
    std::vector<model::Measurement> measurements_;
    StatedNumbers stated_;
    std::vector<model::Performance> performances_;
    std::map<std::string, double> batches_; ///< by endpoint: what batch work costs of the price, where that is stated
    std::map<std::string, double> waiting_; ///< price on demand or as spot of a SKU in a place, until the other comes
    std::vector<double> spot_of_on_demand_; ///< of those pairs: as spot over on demand
};

} // namespace costcurve::ingest

namespace costcurve::model {

template <> inline constexpr std::string_view document_name<ingest::HeldOffer> = "held_offer";
template <>
inline constexpr auto fields<ingest::HeldOffer> = Rows{
    Field{"offer", &ingest::HeldOffer::offer, {.format = Format::slug}},
    Field{"hourly_price", &ingest::HeldOffer::hourly_price, {.help = "of the instance, that the file has"}},
    Field{"reason", &ingest::HeldOffer::reason, {}},
};
template <> inline constexpr std::string_view document_name<ingest::HeldDocument> = "held_document";
template <>
inline constexpr auto fields<ingest::HeldDocument> = Rows{
    Field{"kind", &ingest::HeldDocument::kind, {}},
    Field{"id", &ingest::HeldDocument::id, {.format = Format::slug}},
    Field{"reason", &ingest::HeldDocument::reason, {}},
};

} // namespace costcurve::model
