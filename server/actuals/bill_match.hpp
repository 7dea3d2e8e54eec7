// Assigns bill lines to a scenario's pools: by the request's filters, the pools' tags, or their offers. A line belongs to at most
// one pool.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/documents/documents.hpp"
#include "server/answers/answer.hpp"
#include "server/storage/measurement.hpp"

namespace costcurve::actuals {

/// Conditions on a line; an empty text matches everything.
struct BillMatch {
    std::string provider;
    std::string account; ///< a billing account, or "account/sub-account"
    std::string region;
    std::string sku; ///< compared without case
    std::string purchase;
    std::string device;
    std::string commitment;
    std::vector<std::string> resources; ///< one of these, unless empty
    model::Tags tags;                   ///< all of these
};
/// Filter of a pool's lines; a pool with several filters gets the lines that match any.
struct PoolBill : BillMatch {
    std::string pool;
};

/// Why a line was assigned to a pool, weakest reason first.
enum class MatchedBy { nothing, offer, tags, tags_and_offer, request };

/// Parses a line's stored tags.
[[nodiscard]] model::Tags tags_of_line(const BillLine& line);

[[nodiscard]] bool fits(const BillMatch& match, const BillLine& line, const model::Tags& tags);

/// Matches lines. The scenario must outlive it.
class BillMatcher {
public:
    struct Match {
        MatchedBy by = MatchedBy::nothing;
        std::vector<std::size_t> pools; ///< equally good matches; a line with several belongs to none
    };
    BillMatcher(const model::ScenarioDocument& scenario, std::span<const PoolBill> stated);

    /// The pools that match a line. A pool with filters in the request gets only lines that match them. Any other pool gets, best
    /// match first: lines with all its tags and its offer, lines with all its tags, lines with its offer. A line has an offer if
    /// provider, region and SKU are equal (device if there is no SKU), or for an API pool provider and tokens. A line with another
    /// value for one of the pool's tags doesn't match. Of two pools with equal offers, the one with the line's purchase type wins.
    [[nodiscard]] Match match(const BillLine& line, const model::Tags& tags) const;

    /// Whether lines can be matched to the pool at all.
    [[nodiscard]] bool can_match(std::size_t pool) const;

private:
    struct Rule {
        std::vector<const PoolBill*> stated;
        bool has_offer = false;
    };
    [[nodiscard]] int rank(std::size_t pool, const BillLine& line, const model::Tags& tags) const;

    const model::ScenarioDocument& scenario_;
    std::vector<Rule> rules_; ///< one per pool
};

} // namespace costcurve::actuals

namespace costcurve::model {

template <>
inline constexpr auto enum_names<actuals::MatchedBy> = std::to_array<std::string_view>({"nothing", "offer", "tags",
                                                                                        "tags_and_offer", "request"});

inline constexpr FieldSpec kMatchSpec{.format = Format::name};
inline constexpr std::size_t kMaxResources = 10'000;
template <>
inline constexpr auto fields<actuals::BillMatch> =
    Rows{Field{"provider", &actuals::BillMatch::provider, kMatchSpec},
         Field{"account",
               &actuals::BillMatch::account,
               {.format = Format::name, .help = "BillingAccountId, with /SubAccountId or all of it"}},
         Field{"region", &actuals::BillMatch::region, kMatchSpec},
         Field{"sku", &actuals::BillMatch::sku, kMatchSpec},
         Field{"purchase", &actuals::BillMatch::purchase, {.format = Format::name, .help = "on_demand, spot or committed"}},
         Field{"device", &actuals::BillMatch::device, kMatchSpec},
         Field{"commitment", &actuals::BillMatch::commitment, {.format = Format::name, .help = "CommitmentDiscountId"}},
         Field{"resources",
               &actuals::BillMatch::resources,
               {.min = 1, .max = kMaxResources, .format = Format::name, .help = "ResourceIds: a line must be of one of them"}},
         Field{"tags", &actuals::BillMatch::tags, {.format = Format::name, .help = "a line must have all of them"}}};
template <>
inline constexpr auto fields<actuals::PoolBill> =
    join(Rows{Field{"pool", &actuals::PoolBill::pool, {.required = true, .format = Format::name, .help = "the id of a pool"}}},
         fields<actuals::BillMatch>);

} // namespace costcurve::model
