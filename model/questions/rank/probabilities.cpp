// Samples the ranking: each sample multiplies copies of the work and the options, then sizes and evaluates them as the ranking
// does.
#include "model/questions/rank/probabilities.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "model/questions/chance/uncertain_inputs.hpp"
#include "model/questions/mix/mix.hpp"
#include "model/questions/rank/sampled_figures.hpp"
#include "model/questions/rank/sampled_options.hpp"
#include "model/questions/rank/worth_measuring.hpp"

namespace costcurve::model {

namespace {

using DeviceAndModel = std::pair<std::string, std::string>;

// One option or two, as indices into Compared::singles.
struct Ways {
    std::size_t option = 0;
    std::optional<std::size_t> burst = {};
};
// An entry as indices of its options.
struct Parts : Ways {
    std::vector<Ways> groups; // of a mix: one for each group of requests
};

// The entries that are compared, and each of their options once.
struct Compared {
    explicit Compared(const RankQuestion& question, const std::vector<const Entry*>& running, const Runner& runner) {
        for (const Entry* const entry : running) {
            Parts& parts = entries.emplace_back();
            if (entry->mix != nullptr) {
                for (const MixGroup& group : entry->mix->groups) {
                    Ways& of_group = parts.groups.emplace_back();
                    of_group.option = place_of(&group.option);
                    questions[of_group.option] = &group.question;
                    if (group.burst) {
                        of_group.burst = place_of(&*group.burst);
                        questions[*of_group.burst] = &group.question;
                    }
                }
                continue;
            }
            parts.option = place_of(entry->option);
            if (entry->burst != nullptr) {
                parts.burst = place_of(entry->burst);
            }
        }
        for (std::size_t s = 0; s < singles.size(); ++s) {
            const Option* const single = singles[s];
            const std::vector<Workload>& workloads = (questions.contains(s) ? *questions.at(s) : question).work.workloads;
            std::vector<const std::vector<double>*>& of_single = estimated.emplace_back();
            std::vector<DeviceAndModel>& pairs_of_single = pairs.emplace_back();
            for (std::size_t w = 0; w < single->performances.size(); ++w) {
                pairs_of_single.emplace_back(device_of(single->pool)->id, workloads[w].model);
                of_single.push_back(&drawn(pairs_of_single.back(), question, runner));
            }
        }
    }
    const std::vector<double>& drawn(const DeviceAndModel& pair, const RankQuestion& question, const Runner& runner) {
        std::vector<double>& draws = by_pair[pair];
        if (draws.empty()) {
            draws = draw_estimated(pair.first, pair.second, question.samples.value_or(0), question.seed, runner);
        }
        return draws;
    }
    [[nodiscard]] std::vector<double> estimated_at(std::size_t single, std::size_t sample) const {
        std::vector<double> draws;
        for (const std::vector<double>* const of_workload : estimated[single]) {
            draws.push_back((*of_workload)[sample]);
        }
        return draws;
    }
    std::size_t place_of(const Option* option) {
        const auto found = std::find(singles.begin(), singles.end(), option);
        const auto place = static_cast<std::size_t>(found - singles.begin());
        if (found == singles.end()) {
            singles.push_back(option);
        }
        return place;
    }
    std::vector<const Option*> singles;
    std::map<std::size_t, const RankQuestion*> questions; ///< by index of an option: the question of a group of a mix
    std::vector<Parts> entries;
    std::map<DeviceAndModel, std::vector<double>> by_pair;          ///< by device and model, then sample
    std::vector<std::vector<DeviceAndModel>> pairs;                 ///< by option, then workload
    std::vector<std::vector<const std::vector<double>*>> estimated; ///< by option, then workload
};

// One thread's copies of the work and the options, multiplied by a sample's factors.
class SampledWays {
public:
    SampledWays(const RankQuestion& question, const Compared& compared)
        : base_(question), compared_(compared), question_(question), sizing_(question_, Sizing::Keep::figures),
          singles_(compared.singles.size()), trials_(compared.singles.size()), sized_(compared.singles.size()),
          hybrids_(compared.entries.size()) {
        for (std::size_t e = 0; e < hybrids_.size(); ++e) {
            hybrids_[e].resize(std::max<std::size_t>(1, compared.entries[e].groups.size()));
        }
        for (const auto& [single, question_of_group] : compared.questions) {
            groups_.try_emplace(single, *question_of_group);
        }
    }
    SampledWays(const SampledWays&) = delete;
    SampledWays& operator=(const SampledWays&) = delete;

    /// Writes each entry's figure into `figures`, `stride` apart; not a number if the entry is left out.
    void evaluate(const FactorDraw& draw, std::size_t sample, double* figures, std::size_t stride) {
        draw_work(base_, draw, question_);
        for (auto& [single, group] : groups_) {
            draw_work(*compared_.questions.at(single), draw, group.question);
        }
        for (std::size_t s = 0; s < singles_.size(); ++s) {
            singles_[s] = *compared_.singles[s];
            apply_draw(draw, compared_.estimated_at(s, sample), singles_[s]);
            Sizing& sizing = sizing_of(s);
            sizing.make({&singles_[s]}, trials_[s]);
            sized_[s] = size_alone(sizing, trials_[s]);
        }
        for (std::vector<Hybrid>& of_entry : hybrids_) {
            std::ranges::for_each(of_entry, [](Hybrid& hybrid) { hybrid.is_of_sample = false; });
        }
        for (std::size_t e = 0; e < compared_.entries.size(); ++e) {
            const std::optional<double> figure = figure_of_entry(e);
            figures[e * stride] = figure.value_or(std::numeric_limits<double>::quiet_NaN());
        }
    }

    /// Whether an entry, at its size in `sized`, does all the work of the sample that was evaluated last.
    [[nodiscard]] bool holds(std::size_t entry, const ScenarioDocument& sized) {
        const Parts& parts = compared_.entries[entry];
        auto first = sized.workloads.begin();
        auto pool = sized.pools.begin();
        for (std::size_t g = 0; g < parts.groups.size(); ++g) {
            const Ways& ways = parts.groups[g];
            const std::size_t workloads = compared_.questions.at(ways.option)->work.workloads.size();
            const auto last = first + static_cast<std::ptrdiff_t>(workloads);
            const auto last_pool = pool + (ways.burst ? 2 : 1);
            ScenarioDocument group;
            group.pools = {pool, last_pool};
            group.workloads = {first, last};
            pool = last_pool;
            first = last == sized.workloads.end() ? first : last; // both halves of a pair belong to one workload
            if (!sizing_of(ways.option).at_size(trial_of(ways, hybrids_[entry][g]), group).reason.empty()) {
                return false;
            }
        }
        return !parts.groups.empty() || sizing_.at_size(trial_of(parts, hybrids_[entry].front()), sized).reason.empty();
    }

    [[nodiscard]] std::size_t evaluated() const {
        std::size_t sum = sizing_.evaluated;
        for (const auto& [single, group] : groups_) {
            sum += group.sizing.evaluated;
        }
        return sum;
    }

private:
    struct Group {
        explicit Group(const RankQuestion& of) : question(of), sizing(question, Sizing::Keep::figures) {}
        RankQuestion question;
        Sizing sizing;
    };

    static void draw_work(const RankQuestion& base, const FactorDraw& draw, RankQuestion& question) {
        question.work.workloads = base.work.workloads;
        for (Workload& workload : question.work.workloads) {
            multiply_demand(workload, factor_of(draw, RankFactor::demand));
        }
    }

    [[nodiscard]] Sizing& sizing_of(std::size_t single) {
        const auto group = groups_.find(single);
        return group == groups_.end() ? sizing_ : group->second.sizing;
    }

    // Figures of a mix's groups add up, as each group has its own pools.
    [[nodiscard]] std::optional<double> figure_of_entry(std::size_t entry) {
        const Parts& parts = compared_.entries[entry];
        if (parts.groups.empty()) {
            return figure_of(parts, hybrids_[entry].front());
        }
        double sum = 0.0;
        for (std::size_t g = 0; g < parts.groups.size(); ++g) {
            const std::optional<double> figure = figure_of(parts.groups[g], hybrids_[entry][g]);
            if (!figure) {
                return std::nullopt;
            }
            sum += *figure;
        }
        return sum;
    }

    struct Hybrid {
        Trial trial;
        bool is_of_sample = false;
    };

    [[nodiscard]] std::optional<double> figure_of(const Ways& ways, Hybrid& both) {
        const Entry& alone = sized_[ways.option];
        if (!ways.burst) {
            return alone.reason.empty() ? std::optional(alone.figure) : std::nullopt;
        }
        Sizing& sizing = sizing_of(ways.option);
        if (may_fall_back(singles_[ways.option], singles_[*ways.burst])) {
            const Entry run = size_fall_back(sizing, singles_[ways.option], singles_[*ways.burst]);
            return run.reason.empty() ? std::optional(run.figure) : std::nullopt;
        }
        const Entry& burst = sized_[*ways.burst];
        if (!alone.reason.empty() || !burst.may_burst()) {
            return std::nullopt;
        }
        const Entry hybrid = size_hybrid(sizing, alone, burst, trials_[ways.option], trial_of(ways, both));
        return hybrid.reason.empty() ? std::optional(hybrid.figure) : std::nullopt;
    }

    // The trial of one option or two. A hybrid's trial is built at most once per sample.
    Trial& trial_of(const Ways& ways, Hybrid& both) {
        if (!ways.burst) {
            return trials_[ways.option];
        }
        if (!both.is_of_sample) {
            sizing_of(ways.option).make({&singles_[ways.option], &singles_[*ways.burst]}, both.trial);
            both.is_of_sample = true;
        }
        return both.trial;
    }
    const RankQuestion& base_;
    const Compared& compared_;
    RankQuestion question_;
    Sizing sizing_;
    std::map<std::size_t, Group> groups_; // by option
    std::vector<Option> singles_;
    std::vector<Trial> trials_; // by option
    std::vector<Entry> sized_;
    std::vector<std::vector<Hybrid>> hybrids_; // by entry, then group
};

Distribution lognormal(RankFactor factor) {
    Distribution distribution;
    distribution.kind = DistributionKind::lognormal;
    distribution.median = 1.0;
    distribution.sigma = kFactorRows[static_cast<std::size_t>(factor)].sigma;
    return distribution;
}

// The rates of the tied plans, by how much a measurement of each is worth.
std::vector<WorthMeasuring> worth_measuring(const SampledFigures& figures, const Compared& compared,
                                            const std::vector<PlanChances>& chances, std::size_t plans) {
    std::vector<std::span<const double>> level;
    std::set<DeviceAndModel> pairs;
    for (std::size_t e = 0; e < plans; ++e) {
        if (e == 0 || chances[e].tied) {
            level.push_back(figures.of(e));
            const Parts& parts = compared.entries[e];
            for (const Ways& ways : parts.groups.empty() ? std::vector<Ways>{parts} : parts.groups) {
                for (const std::size_t single : {ways.option, ways.burst.value_or(ways.option)}) {
                    pairs.insert(compared.pairs[single].begin(), compared.pairs[single].end());
                }
            }
        }
    }
    std::vector<WorthMeasuring> found;
    for (const auto& pair : pairs) {
        if (const double value = value_of_knowing(level, compared.by_pair.at(pair)); value > 0.0) {
            found.push_back({fmt::format("{} on {}", pair.second, pair.first), value});
        }
    }
    std::ranges::stable_sort(found, std::greater<>(), &WorthMeasuring::value);
    return found;
}

} // namespace

std::vector<FactorDraw> draw_factors(std::size_t samples, std::uint64_t seed, const Runner& runner) {
    Uncertainty uncertainty;
    uncertainty.samples = samples;
    uncertainty.seed = seed;
    for (std::size_t f = 0; f < kRankFactors; ++f) {
        uncertainty.inputs.emplace_back().distribution = lognormal(static_cast<RankFactor>(f));
    }
    const std::vector<std::vector<double>> drawn = draw_inputs(uncertainty, {}, runner);
    std::vector<FactorDraw> draws(drawn.empty() ? 0 : samples);
    for (std::size_t k = 0; k < draws.size(); ++k) {
        for (std::size_t f = 0; f < kRankFactors; ++f) {
            draws[k][f] = f == static_cast<std::size_t>(RankFactor::estimated_rates) ? 1.0 : drawn[f][k];
        }
    }
    return draws;
}

std::vector<double> draw_estimated(const std::string& device, const std::string& model, std::size_t samples, std::uint64_t seed,
                                   const Runner& runner) {
    std::uint64_t hash = 0xcbf29ce484222325; // FNV-1a
    for (const char c : fmt::format("{}\n{}", device, model)) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    }
    Uncertainty uncertainty;
    uncertainty.samples = samples;
    uncertainty.seed = seed ^ hash;
    uncertainty.inputs.emplace_back().distribution = lognormal(RankFactor::estimated_rates);
    std::vector<std::vector<double>> drawn = draw_inputs(uncertainty, {}, runner);
    return drawn.empty() ? std::vector<double>(samples, 1.0) : std::move(drawn.front()); // stopped: the draws are not used
}

std::vector<std::size_t> entries_in_running(const std::vector<Entry>& entries, std::size_t top) {
    constexpr std::size_t kMinRunning = 20;
    std::set<std::size_t> running;
    std::set<std::string> kinds;
    for (std::size_t e = 0; e < entries.size(); ++e) {
        const Pool& pool = entries[e].option->pool;
        const std::string kind = fmt::format("{} {}", name_of(entries[e].way()), pool.offer ? name_of(pool.offer->purchase) : "");
        if (kinds.insert(kind).second || e < std::max(top, kMinRunning)) {
            running.insert(e);
        }
    }
    const std::set<std::size_t> first = running;
    for (const std::size_t f : first) {
        const Option& option = *entries[f].option;
        for (std::size_t e = 0; e < entries.size(); ++e) {
            const Entry& entry = entries[e];
            const bool is_part = entry.option == &option || entry.option == entries[f].burst;
            const bool is_at_once = option.is_staged && !entry.option->is_staged && entry.option->pool == option.pool;
            if (entry.burst == nullptr && (is_part || is_at_once)) {
                running.insert(e);
            }
        }
    }
    return {running.begin(), running.end()};
}

std::optional<SampledEntries> sample_entries(const RankQuestion& question, const std::vector<const Entry*>& running,
                                             const std::vector<ScenarioPlan>& plans, const Runner& runner) {
    const std::size_t samples = question.samples.value_or(0);
    const std::vector<FactorDraw> draws = draw_factors(samples, question.seed, runner);
    const Compared compared(question, running, runner);
    SampledFigures figures{std::vector<double>(running.size() * samples), samples};
    std::vector<char> holds(plans.size() * samples);
    std::vector<std::unique_ptr<SampledWays>> workers(runner.workers); // each is built on its own thread, whose memory it then uses
    const bool ran = runner.run(draws.size(), [&](std::size_t worker, std::size_t k) {
        if (!workers[worker]) {
            workers[worker] = std::make_unique<SampledWays>(question, compared);
        }
        workers[worker]->evaluate(draws[k], k, &figures.numbers[k], samples);
        for (std::size_t p = 0; p < plans.size(); ++p) {
            holds[p * samples + k] = workers[worker]->holds(p, plans[p].scenario) ? 1 : 0;
        }
    });
    if (!ran || draws.empty()) {
        return std::nullopt;
    }
    SampledEntries sampled;
    sampled.chances.resize(running.size());
    sampled.none = count_best(figures, sampled.chances);
    find_intervals(figures, sampled.chances);
    for (std::size_t p = 0; p < plans.size(); ++p) {
        const auto begin = holds.begin() + static_cast<std::ptrdiff_t>(p * samples);
        sampled.chances[p].feasible =
            static_cast<double>(std::count(begin, begin + static_cast<std::ptrdiff_t>(samples), 1)) / static_cast<double>(samples);
    }
    sampled.worth_measuring = worth_measuring(figures, compared, sampled.chances, plans.size());
    for (const std::unique_ptr<SampledWays>& worker : workers) {
        sampled.evaluated += worker ? worker->evaluated() : 0;
    }
    return sampled;
}

} // namespace costcurve::model
