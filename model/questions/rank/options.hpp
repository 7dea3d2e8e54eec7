// The ways of a catalogue to do some work, one pool each, before they are sized; and what is left out, by reason.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/questions/rank/fitting.hpp"

namespace costcurve::model {

/// One way: a pool of a unit, and what each workload runs with on it.
struct Option {
    Way way = Way::cloud;
    std::string name;
    Pool pool;
    std::vector<Performance> performances;                 ///< by workload; none of an API
    std::vector<std::optional<RateFacts>> rate_facts = {}; ///< by workload, as far as they are known
    std::vector<Gang> gangs = {};                          ///< of training alone, of which the size chooses one
    std::vector<double> lateness = {};                     ///< by workload of several: p90 of a run's days over their mean, else 1
    Porting porting = {};                                  ///< of each workload
    bool is_fixed = false;                                 ///< paid for whether used or not: the base of hybrids
    bool is_staged = false;                                ///< servers are added as demand grows
    bool price_is_assumed = false;                         ///< of a server: its price is of no day, or of an old one
    bool context_is_unknown = false;                       ///< of a hosted model, and requests are long
};

/// Counts what is left out, by reason; keeps the first examples of each.
class Exclusions {
public:
    void add(std::string_view reason, const std::string& example);
    [[nodiscard]] std::size_t total() const { return total_; }
    /// By count, descending; equal ones by reason.
    [[nodiscard]] std::vector<Exclusion> take();

private:
    std::map<std::string, Exclusion, std::less<>> by_reason_;
    std::size_t total_ = 0;
};

/// The reason of a spot offer that does the work as long as it is to be had: it serves inference as a burst alone.
inline constexpr std::string_view kSpotAlone = "spot_alone";
/// The reason of a block of days that the work may outlast (may_take_block).
inline constexpr std::string_view kBlockOfDays = "block_of_days";
/// The reason of a hosted model beside training: it may serve the rest.
inline constexpr std::string_view kServesOnly = "serves_only";

/// Of each workload on the option; none of a hosted model, or where the question assumes none.
[[nodiscard]] Porting porting_of(const Option& option, const RankQuestion& question, Assumed& assumed);

/// Ways in the order of the catalogue: cloud, owned, api. What of failures they don't state is assumed where the question assumes.
/// Of offers on the same terms that differ in region and price alone, the dearer ones are left out (`dearer_region`) where money
/// decides.
[[nodiscard]] std::vector<Option> options_of(const RankQuestion& question, const Catalog& catalog, Fitting& fitting,
                                             Exclusions& excluded, Assumed& assumed);

} // namespace costcurve::model
