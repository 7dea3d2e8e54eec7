// Lists a catalogue's options for some work, one pool each, before sizing. Counts the excluded ones by reason.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/questions/rank/fitting.hpp"

namespace costcurve::model {

/// One way to do the work: a pool with one unit, and the performance of each workload on it.
struct Option {
    Way way = Way::cloud;
    std::string name;
    Pool pool;
    std::vector<Performance> performances;                 ///< by workload; empty for an API
    std::vector<std::optional<RateFacts>> rate_facts = {}; ///< by workload, as far as known
    std::vector<Gang> gangs = {};                          ///< of a training run that is the only workload; sizing chooses one
    std::vector<double> lateness = {};                     ///< of several workloads: p90 of a run's days over their mean, else 1
    Porting porting = {};                                  ///< per workload
    bool is_fixed = false;                                 ///< paid for whether used or not, so that it can be the base of a hybrid
    bool is_staged = false;                                ///< servers are bought in stages as demand grows
    bool price_is_assumed = false;                         ///< a server whose price is undated or old
    bool context_is_unknown = false;                       ///< a hosted model of unknown context, while requests are long
};

/// Counts excluded options by reason and keeps the first examples of each.
class Exclusions {
public:
    void add(std::string_view reason, const std::string& example);
    [[nodiscard]] std::size_t total() const { return total_; }
    /// Exclusions by descending count, then by reason.
    [[nodiscard]] std::vector<Exclusion> take();

private:
    std::map<std::string, Exclusion, std::less<>> by_reason_;
    std::size_t total_ = 0;
};

/// Reason for a spot offer that does the work only while spot is available: it may serve inference as a burst only.
inline constexpr std::string_view kSpotAlone = "spot_alone";
/// Reason for an offer of a block of days that may end before the work does (may_take_block).
inline constexpr std::string_view kBlockOfDays = "block_of_days";
/// Reason for a hosted model if there is training: it may serve the other workloads.
inline constexpr std::string_view kServesOnly = "serves_only";

/// Porting cost of each workload on the option; zero for a hosted model, or if the question assumes no porting.
[[nodiscard]] Porting porting_of(const Option& option, const RankQuestion& question, Assumed& assumed);

/// Options in the order of the catalogue: cloud, owned, api. Fills in unstated failures if the question assumes defaults. If money
/// decides, offers that differ from cheaper ones in region and price alone are excluded (`dearer_region`).
[[nodiscard]] std::vector<Option> options_of(const RankQuestion& question, const Catalog& catalog, Fitting& fitting,
                                             Exclusions& excluded, Assumed& assumed);

} // namespace costcurve::model
