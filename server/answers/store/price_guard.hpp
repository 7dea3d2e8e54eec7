// Whether the prices that a feed brings are plausible: each against its own history and against what other sellers ask for a
// device-hour, and all of them together. Stores nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/documents/documents.hpp"
#include "server/answers/answer.hpp"
#include "server/storage/store.hpp"

namespace costcurve::answers {

/// An offer whose price is not plausible.
struct HeldOffer {
    std::string offer; ///< its id
    double hourly_price = 0.0;
    std::string reason;
};

struct PriceJudgement {
    std::string problem;         ///< of the list as a whole; "" for none
    std::vector<HeldOffer> held; ///< by id
};

/// What of an offer is judged.
struct PricedOffer {
    std::string id;
    std::string provider;
    std::string device;
    std::string purchase;
    std::string currency;
    std::string_view place; ///< the part of the world; "" where its region does not say it
    int devices = 1;
    bool has_upfront = false;
    double price = 0.0;
    std::optional<double> day; ///< of the last point
};

/// Takes the offers of one file.
class PriceGuard {
public:
    void add(const model::Offer& offer);

    /// An offer is held where its price
    /// - is of a day after `today`, in days since 1970, and the next, which it may be elsewhere;
    /// - is about twice or half its last one (1.9 times: halves are rounded) or beyond, of spot four times or a quarter, unless it
    ///   was about that within the year before;
    /// - is, by no price before it borne out, a tenth or ten times the median of two or more other sellers' device-hour or beyond:
    /// of the same
    ///   device, purchase and currency, and not of another part of the world. A new offer's also against its own seller's.
    /// The list as a whole is where most of the prices that can be compared are held, or moved by about twice or half and beyond,
    /// or where most kinds of machines come to the same price, and did not before.
    [[nodiscard]] PriceJudgement judge(const storage::Store& store, double today);

private:
    std::vector<PricedOffer> offers_;
};

} // namespace costcurve::answers

namespace costcurve::model {

template <> inline constexpr std::string_view document_name<answers::HeldOffer> = "held_offer";
template <>
inline constexpr auto fields<answers::HeldOffer> = Rows{
    Field{"offer", &answers::HeldOffer::offer, {.format = Format::slug}},
    Field{"hourly_price", &answers::HeldOffer::hourly_price, {.help = "of the instance, that the file has"}},
    Field{"reason", &answers::HeldOffer::reason, {}},
};

} // namespace costcurve::model
