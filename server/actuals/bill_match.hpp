// Which pool of a scenario a line of a bill is of: by what the request states, the pool's tags, or its offer. A line is of one pool
// at most.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/documents/documents.hpp"
#include "server/answers/answer.hpp"
#include "server/storage/measurement.hpp"

namespace costcurve::actuals {

/// What a line must have; a text that is "" asks for nothing.
struct BillMatch {
    std::string provider;
    std::string account; ///< a billing account, or with "/" behind it one of its sub-accounts
    std::string region;
    std::string sku; ///< in any case
    std::string purchase;
    std::string device;
    std::string commitment;
    std::vector<std::string> resources; ///< one of these, where there are any
    model::Tags tags;                   ///< all of these
};
/// Lines of a pool; one with several has all that fit any.
struct PoolBill : BillMatch {
    std::string pool;
};

/// Why a line is of a pool, the weakest first.
enum class MatchedBy { nothing, offer, tags, tags_and_offer, request };

/// A stored text of tags as the tags.
[[nodiscard]] model::Tags tags_of_line(const BillLine& line);

[[nodiscard]] bool fits(const BillMatch& match, const BillLine& line, const model::Tags& tags);

/// Matches lines. The scenario outlives it.
class BillMatcher {
public:
    struct Match {
        MatchedBy by = MatchedBy::nothing;
        std::vector<std::size_t> pools; ///< that fit equally well: a line of several is of none
    };
    BillMatcher(const model::ScenarioDocument& scenario, std::span<const PoolBill> stated);

    /// The pools of a line. A pool for which the request states what its lines are has those lines alone. Any other pool has,
    /// the best match first: lines with all its tags and of its offer, lines with all its tags, lines of its offer. A line is
    /// of an offer by provider, region, and SKU (by device where there is no SKU); of an API pool, by provider and tokens. It
    /// is not the pool's where it has another value for one of the pool's tags. Of two pools with equal offers, the line's is
    /// the one with its purchase.
    [[nodiscard]] Match match(const BillLine& line, const model::Tags& tags) const;

    /// Whether the pool has anything to match by.
    [[nodiscard]] bool can_match(std::size_t pool) const;

private:
    struct Rule {
        std::vector<const PoolBill*> stated;
        bool has_offer = false;
    };
    [[nodiscard]] int rank(std::size_t pool, const BillLine& line, const model::Tags& tags) const;

    const model::ScenarioDocument& scenario_;
    std::vector<Rule> rules_; ///< one a pool
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
