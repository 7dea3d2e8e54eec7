// Ranks single ways first, then hybrids of the best ones. Only figures are kept of each entry. The first plans are then evaluated
// in full.
#include "model/questions/rank/rank.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "model/figures.hpp"
#include "model/finance.hpp"
#include "model/questions/drivers.hpp"
#include "model/questions/mix/pair_ways.hpp"
#include "model/questions/rank/defaults.hpp"
#include "model/questions/rank/fleet.hpp"
#include "model/questions/rank/order.hpp"
#include "model/questions/rank/probabilities.hpp"
#include "model/questions/variant.hpp"

namespace costcurve::model {

namespace {

constexpr std::size_t kHybridSide = 5; // bases, and bursts, per purchase, and the same of hosted models

class Ranker {
public:
    Ranker(const RankQuestion& question, const Catalog& catalog, Fitting& fitting, const Assumed& assumed, const Runner& runner)
        : question_(question), catalog_(catalog), fitting_(fitting), runner_(runner), assumed_(assumed),
          objective_(decide_by(question.work.finance)), options_(options_of(question, catalog, fitting, excluded_, assumed_)),
          whole_(question, Sizing::Keep::plans) {
        ranking_.decide_by = objective_;
        ranking_.considered = options_.size() + excluded_.total();
        for (std::size_t w = 0; w < std::max<std::size_t>(1, runner.workers); ++w) {
            workers_.push_back({Sizing(question, Sizing::Keep::figures), {}, {}});
        }
    }

    // Ranks all ways. `apart` has, for several workloads, the ways of each workload's own first plan.
    Ranking rank(const std::vector<std::vector<MixGroup>>& apart = {}) {
        std::vector<Entry> entries(options_.size());
        const bool ran = runner_.run(options_.size(), [&](std::size_t worker, std::size_t i) {
            Worker& one = workers_[worker];
            one.sizing.make({&options_[i]}, one.alone);
            entries[i] = size_alone(one.sizing, one.alone);
        });
        if (ran) {
            ranking_.nearest_run = nearest_run(entries, question_);
            const std::vector<Entry> bursts = drop_excluded(entries);
            std::sort(entries.begin(), entries.end(), comes_before);
            add_hybrids(entries, bursts);
            add_fall_backs(entries);
            add_mix(entries);
            add_pairs(entries);
            add_apart(entries, apart);
            keep_included(entries);
            ranking_.ranked = entries.size();
            std::sort(entries.begin(), entries.end(), comes_before);
            put_known_first(entries, question_, [&](const Entry& entry) { return whole(entry); });
            is_first_unknown_ = !entries.empty() && !entries.front().latency_is_known;
            make_plans(entries);
            first_ = entries.empty() ? std::vector<MixGroup>() : groups_of(entries.front(), question_);
            if (question_.samples && !entries.empty()) {
                find_probabilities(entries);
            }
        }
        for (const Worker& worker : workers_) {
            ranking_.evaluated += worker.sizing.evaluated;
        }
        ranking_.evaluated += whole_.evaluated;
        if (!ranking_.plans.empty()) {
            ranking_.nearest_run.reset();
        }
        ranking_.excluded = excluded_.take();
        explain_exclusions();
        assumed_.engineer_week = assumed_.engineer_week && assumed_.porting;
        ranking_.assumptions = lines_of(assumed_);
        if (ranking_.plans.empty() || is_first_unknown_) {
            ranking_.nearest = fitting_.nearest();
        }
        return std::move(ranking_);
    }

    /// The ways of the first plan; valid after rank().
    [[nodiscard]] std::vector<MixGroup> first() const { return first_; }

private:
    // Removes the excluded entries and gives the entries that may be bursts, best first.
    std::vector<Entry> drop_excluded(std::vector<Entry>& entries) {
        std::vector<Entry> bursts;
        for (const Entry& entry : entries) {
            if (!entry.reason.empty()) {
                excluded_.add(entry.reason, entry.name());
            }
            if (entry.may_burst() && !entry.option->is_fixed) {
                bursts.push_back(entry);
            }
        }
        std::erase_if(entries, [](const Entry& entry) { return !entry.reason.empty(); });
        std::sort(bursts.begin(), bursts.end(), comes_before);
        return bursts;
    }

    [[nodiscard]] bool trains_alone() const {
        return question_.work.workloads.size() == 1 && question_.work.workloads.front().kind == WorkloadKind::training;
    }

    [[nodiscard]] bool includes(Way way) const {
        return question_.include.empty() ||
               std::find(question_.include.begin(), question_.include.end(), way) != question_.include.end();
    }

    // The best kHybridSide entries that satisfy `is_side`, per purchase and of hosted models. Takes one entry per device and
    // purchase, or per hosted model. Purchases are counted apart, so that spot, which may not serve alone, displaces nothing else.
    template <class IsSide> static std::vector<const Entry*> best_of(const std::vector<Entry>& entries, const IsSide& is_side) {
        std::vector<const Entry*> best;
        std::set<std::string> seen;
        std::map<std::string_view, std::size_t> of_kind;
        for (const Entry& entry : entries) {
            const Pool& pool = entry.option->pool;
            const std::string like =
                pool.offer ? fmt::format("{} {}", pool.offer->device.id, name_of(pool.offer->purchase)) : entry.option->pool.id;
            std::size_t& count = of_kind[pool.offer ? name_of(pool.offer->purchase) : name_of(pool.kind)];
            if (count < kHybridSide && is_side(*entry.option) && seen.insert(like).second) {
                best.push_back(&entry);
                ++count;
            }
        }
        return best;
    }

    void add_hybrids(std::vector<Entry>& entries, const std::vector<Entry>& single_bursts) {
        if (!includes(Way::hybrid) || trains_alone()) { // a training run has one pool
            return;
        }
        const auto bases = best_of(entries, [](const Option& option) { return option.is_fixed && !option.is_staged; });
        const auto bursts = best_of(single_bursts, [](const Option& option) { return !option.is_fixed; });
        std::vector<Entry> hybrids(bases.size() * bursts.size());
        const bool ran = runner_.run(hybrids.size(), [&](std::size_t worker, std::size_t i) {
            const Entry& base = *bases[i / bursts.size()];
            const Entry& burst = *bursts[i % bursts.size()];
            Worker& one = workers_[worker];
            one.sizing.make({base.option}, one.alone);
            one.sizing.make({base.option, burst.option}, one.both);
            hybrids[i] = size_hybrid(one.sizing, base, burst, one.alone, one.both);
        });
        if (!ran) {
            return;
        }
        add_considered(std::move(hybrids), entries);
    }

    void add_considered(std::vector<Entry> considered, std::vector<Entry>& entries) {
        ranking_.considered += considered.size();
        for (Entry& entry : considered) {
            if (entry.reason.empty()) {
                entries.push_back(std::move(entry));
            } else {
                excluded_.add(entry.reason, entry.name());
            }
        }
    }

    // Adds training runs on spot that fall back to on demand, as they would end too late on spot alone.
    void add_fall_backs(std::vector<Entry>& entries) {
        if (!includes(Way::hybrid) || !trains_alone() || !question_.work.workloads.front().is_run()) {
            return;
        }
        const auto pairs = fall_backs_of(options_);
        std::vector<Entry> fall_backs(pairs.size());
        const bool ran = runner_.run(pairs.size(), [&](std::size_t worker, std::size_t i) {
            fall_backs[i] = size_fall_back(workers_[worker].sizing, *pairs[i].first, *pairs[i].second);
        });
        if (ran) {
            add_considered(std::move(fall_backs), entries);
        }
    }

    // Adds requests divided by workload and size over several devices, if that costs less than any single device.
    void add_mix(std::vector<Entry>& entries) {
        if (!may_mix(question_)) {
            return;
        }
        MixFound found = find_mix(question_, catalog_, entries, runner_);
        ranking_.evaluated += found.evaluated;
        ranking_.mix = std::move(found.report);
        for (std::unique_ptr<Mix>& mix : found.mixes) {
            mixes_.push_back(std::move(mix));
            assumed_.sizes = assumed_.sizes || divides_requests(*mixes_.back());
            ++ranking_.considered;
            entries.push_back(entry_of(*mixes_.back()));
        }
    }

    // Adds pairs with prompts on one pool and answers on another, if a pair costs less than either device alone.
    void add_pairs(std::vector<Entry>& entries) {
        PairsFound found = may_pair(question_) ? find_pairs(question_, catalog_, entries, runner_) : PairsFound{};
        ranking_.evaluated += found.evaluated;
        ranking_.considered += found.pairs.size();
        for (std::unique_ptr<Mix>& pair : found.pairs) {
            mixes_.push_back(std::move(pair));
            entries.push_back(entry_of(*mixes_.back()));
        }
    }

    void add_apart(std::vector<Entry>& entries, const std::vector<std::vector<MixGroup>>& apart) {
        std::unique_ptr<Mix> mix = may_mix(question_) ? mix_of_apart(apart, entries, question_) : nullptr;
        if (mix != nullptr) {
            ranking_.mix->outcome = MixOutcome::listed;
            ranking_.mix->gap_fraction.reset(); // the bound holds for mixes without hybrids only
            ++ranking_.considered;
            mixes_.push_back(std::move(mix));
            entries.push_back(entry_of(*mixes_.back()));
        }
    }

    // Removes ways that the request doesn't include. They were needed as parts of hybrids and mixes.
    void keep_included(std::vector<Entry>& entries) {
        std::erase_if(entries, [&](const Entry& entry) {
            const bool is_left_out = !includes(entry.way());
            if (is_left_out) {
                excluded_.add("part_of_hybrids", entry.name());
            }
            return is_left_out;
        });
    }

    // Adds notes to exclusions with the limit that was exceeded, and finds hosted models that are similar to a workload's.
    void explain_exclusions() {
        if (const auto blocks = std::ranges::find(ranking_.excluded, kBlockOfDays, &Exclusion::reason);
            blocks != ranking_.excluded.end()) {
            blocks->note = "a block is one term that does not come again: for one run of training, or a horizon of as many days";
        }
        const auto by_context = std::ranges::find(ranking_.excluded, "exceeds_context", &Exclusion::reason);
        for (const Workload& workload : question_.work.workloads) {
            if (by_context != ranking_.excluded.end() && fitting_.exceeds_context(workload)) {
                by_context->note =
                    by_context->note ? *by_context->note + "; " + fitting_.context_text(workload) : fitting_.context_text(workload);
            }
            for (OtherCheckpoint& other : fitting_.other_checkpoints(workload)) {
                ranking_.other_checkpoints.push_back(std::move(other));
            }
        }
    }

    SizedPlan whole(const Entry& entry) {
        if (entry.mix != nullptr) {
            return whole_plan(*entry.mix);
        }
        if (entry.run && entry.burst != nullptr) {
            return whole_.size_fall_back(*entry.option, *entry.burst);
        }
        Trial trial;
        if (entry.burst == nullptr) {
            whole_.make({entry.option}, trial);
            return whole_.size(trial);
        }
        whole_.make({entry.option, entry.burst}, trial);
        return whole_.combine(trial, entry.units, entry.burst_units, entry.spares);
    }

    // Explains why a plan that costs less than the first stands behind it.
    void explain_order(const Entry& entry, std::size_t place) {
        ScenarioPlan& plan = ranking_.plans[place];
        if (plan.decisive >= ranking_.plans.front().decisive) {
            return;
        }
        const std::string_view doubt = doubt_of(entry, question_);
        if (ranking_.level.empty()) {
            ranking_.level = fmt::format("plan {} {} less and is not the first, as {}", place + 1,
                                         is_money(objective_) ? "costs" : "takes", doubt);
            std::string& why = ranking_.plans.front().why;
            why = fmt::format("{:.2f} times plan {}, which is behind, as {}; {}", ranking_.plans.front().decisive / plan.decisive,
                              place + 1, doubt, why);
        }
        plan.why = fmt::format("behind, as {}; {}", doubt, plan.why);
    }

    void make_plans(const std::vector<Entry>& entries) {
        const std::size_t count = std::min(question_.top, entries.size());
        std::vector<Drivers> drivers;
        for (std::size_t i = 0; i < std::min(entries.size(), std::max<std::size_t>(2, count)); ++i) {
            SizedPlan plan = whole(entries[i]);
            Variant variant(plan.scenario);
            if (const Result<const Evaluation*> evaluated = variant.evaluate()) {
                drivers.push_back(drivers_of(**evaluated, objective_));
            }
            if (i < count) {
                const bool is_of_one = question_.work.workloads.size() == 1;
                std::vector<WorkloadShare> shares;
                if (entries[i].mix != nullptr) {
                    shares = shares_of(*entries[i].mix, plan);
                } else if (!is_of_one) {
                    shares = shares_of(question_, entries[i], plan.summary.workloads);
                }
                plan.scenario.name = entries[i].name();
                ranking_.plans.push_back({std::move(plan.scenario),
                                          std::move(plan.summary),
                                          entries[i].figure,
                                          "",
                                          {},
                                          {},
                                          entries[i].rate_facts(),
                                          plan.run,
                                          std::move(shares),
                                          entries[i].context_is_unknown(),
                                          entries[i].way() == Way::mix && is_of_one});
            }
        }
        for (std::size_t i = 0; i < count; ++i) {
            ScenarioPlan& plan = ranking_.plans[i];
            const std::size_t other = i == 0 ? 1 : 0;
            if (other < drivers.size()) {
                plan.why = bridge(drivers[other], drivers[i], question_.work.currency).why;
            }
            if (i > 0) {
                explain_order(entries[i], i);
            }
            if (other < entries.size() && (i > 0 || entries[other].figure >= plan.decisive)) {
                plan.wins_at = wins_at(plan, entries[other].figure, objective_);
            }
        }
    }

    void find_probabilities(const std::vector<Entry>& entries) {
        std::vector<const Entry*> running;
        for (const std::size_t e : entries_in_running(entries, question_.top)) {
            running.push_back(&entries[e]);
        }
        std::optional<SampledEntries> sampled = sample_entries(question_, running, ranking_.plans, runner_);
        if (!sampled) {
            return;
        }
        ranking_.evaluated += sampled->evaluated;
        RankUncertainty& uncertainty = ranking_.uncertainty.emplace();
        uncertainty.in_running = running.size();
        uncertainty.probability_none = sampled->none;
        ranking_.would_decide = std::move(sampled->worth_measuring);
        for (std::size_t r = 0; r < running.size(); ++r) { // the first entries are the plans, in their order
            if (r < ranking_.plans.size()) {
                ranking_.plans[r].chances = sampled->chances[r];
            } else {
                uncertainty.probability_others += sampled->chances[r].best;
            }
        }
        const std::string level = level_text(ranking_, question_.work.currency);
        ranking_.level += (ranking_.level.empty() || level.empty() ? "" : "; ") + level;
    }

    const RankQuestion& question_;
    const Catalog& catalog_;
    const Fitting& fitting_;
    const Runner& runner_;
    Assumed assumed_;
    Objective objective_;
    Exclusions excluded_;
    std::vector<Option> options_;
    struct Worker {
        Sizing sizing;
        Trial alone; // of the current option
        Trial both;
    };
    std::vector<Worker> workers_;
    Sizing whole_;
    bool is_first_unknown_ = false;           // no entry is known to keep the latency objectives
    std::vector<std::unique_ptr<Mix>> mixes_; // mixes and pairs
    std::vector<MixGroup> first_;
    Ranking ranking_;
};

} // namespace

Result<Ranking> rank(const RankQuestion& question, const Catalog& catalog, const Runner& runner) {
    Fitting fitting(catalog, question.limits.precision);
    if (Failure issues = issues_of_question(question, fitting); !issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    Assumed assumed = question.assumed;
    const auto rank_alone = [&](const RankQuestion& one) {
        Ranker ranker(one, catalog, fitting, assumed, runner);
        Ranking ranking = ranker.rank();
        return std::pair(std::move(ranking), ranker.first());
    };
    const auto rank_all = [&](const RankQuestion& all) { return rank_alone(all).first; };
    const RankQuestion filled = in_cheapest_order(with_defaults(question, catalog, fitting, assumed), rank_all);
    Apart apart = plans_apart(filled, rank_alone);
    Ranking ranking = Ranker(filled, catalog, fitting, assumed, runner).rank(apart.groups);
    ranking.apart = std::move(apart.plans);
    return ranking;
}

} // namespace costcurve::model
