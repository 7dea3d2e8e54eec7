// Verdicts on readings, and what they come to together.
#include "server/gate/judge.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "server/gate/readings.hpp"

namespace costcurve::gate {

namespace {

// Of a rule on a part that no scenario has.
Readings absent(const Rule& rule) {
    const std::string& named = rule.workload.empty() ? rule.pool : rule.workload;
    const std::string_view part = row_of(rule.figure).part == Part::workload ? "workload" : "pool";
    return unknown(named.empty() ? fmt::format("no {} has this figure", part)
                                 : fmt::format("no {} {} has this figure", part, named));
}

Verdict verdict_of_evidence(const Reading& reading, const Rule& rule) {
    return !reading.evidence ? Verdict::unknown : *reading.evidence > *rule.weakest ? Verdict::broken : Verdict::kept;
}

// A limit that is met but for rounding is kept.
bool is_above(double value, double limit) {
    constexpr double kRounding = 1e-9; // relative
    return value > limit + kRounding * std::abs(limit);
}

// What is at least above the limit is above it, whatever the rest is.
Verdict verdict_of_number(const Reading& reading, const Rule& rule) {
    if (reading.value && rule.max && is_above(*reading.value, *rule.max)) {
        return Verdict::broken;
    }
    if (!reading.value || reading.is_at_least) {
        return Verdict::unknown;
    }
    const bool is_flag = rule.figure == Figure::does_its_work || rule.figure == Figure::read_whole;
    const bool is_below_min = rule.min && is_above(*rule.min, *reading.value);
    return is_below_min || (is_flag && *reading.value == 0.0) ? Verdict::broken : Verdict::kept;
}

Finding finding_of(const Context& context, const Reading& reading) {
    const Rule& rule = context.rule;
    Finding finding;
    finding.scenario = context.candidate.name;
    finding.file = context.candidate.file;
    finding.part = reading.part;
    finding.figure = rule.figure;
    finding.level = rule.level;
    finding.verdict = rule.figure == Figure::evidence ? verdict_of_evidence(reading, rule) : verdict_of_number(reading, rule);
    finding.value = reading.value;
    finding.is_at_least = reading.is_at_least;
    finding.is_min = !rule.max || (rule.min && reading.value && is_above(*rule.min, *reading.value));
    finding.limit = finding.is_min ? rule.min : rule.max;
    finding.unit = rule.figure == Figure::probability_within_budget ? "fraction"
                   : rule.unit.empty()                              ? std::string(row_of(rule.figure).unit)
                                                                    : rule.unit;
    finding.evidence = reading.evidence ? std::string(model::name_of(*reading.evidence)) : "";
    finding.weakest = rule.weakest ? std::string(model::name_of(*rule.weakest)) : "";
    const bool says_why = finding.verdict == Verdict::unknown || rule.figure == Figure::does_its_work;
    finding.why = says_why ? reading.why : "";
    return finding;
}

// The stated rules, and those that need not be.
std::vector<Rule> all_rules(const GateFile& file) {
    std::vector<Rule> rules;
    for (const Figure figure : {Figure::read_whole, Figure::does_its_work}) {
        if (std::ranges::find(file.rules, figure, &Rule::figure) == file.rules.end()) {
            rules.emplace_back().figure = figure;
        }
    }
    rules.insert(rules.end(), file.rules.begin(), file.rules.end());
    return rules;
}

Change change_of(const Candidate& candidate) {
    Change change;
    change.scenario = candidate.name;
    change.currency = candidate.evaluated.scenario.document().currency;
    change.cost_per_month = cost_per_month(candidate.evaluated);
    change.is_at_least = !candidate.open.empty();
    if (incomparable(candidate).empty()) {
        change.base_cost_per_month = candidate.base->cost_per_month;
        change.change = increase_of(candidate);
        change.differs = candidate.base->differs;
        if (*change.base_cost_per_month != 0.0) {
            change.change_fraction = *change.change / std::abs(*change.base_cost_per_month);
        }
    }
    return change;
}

bool is_below(const Change& change, const SilentBelow& limits) {
    return change.change && (!limits.amount || std::abs(*change.change) < *limits.amount) &&
           (!limits.fraction || (change.change_fraction && std::abs(*change.change_fraction) < *limits.fraction));
}

} // namespace

double cost_per_month(const answers::Evaluated& evaluated) {
    return evaluated.summary.total.cost / evaluated.scenario.document().months;
}

Report judge(const GateFile& file, const std::vector<Candidate>& candidates, double today, const model::Runner& runner) {
    Report report;
    const std::vector<Rule> rules = all_rules(file);
    std::vector<std::vector<Readings>> readings(candidates.size()); // by candidate and rule
    std::vector<bool> is_of_some(rules.size(), false);
    for (std::size_t c = 0; c < candidates.size(); ++c) {
        for (std::size_t r = 0; r < rules.size(); ++r) {
            readings[c].push_back(read({file, rules[r], candidates[c], today, runner}));
            is_of_some[r] = is_of_some[r] || !readings[c][r].empty();
        }
    }
    for (std::size_t c = 0; c < candidates.size(); ++c) {
        for (std::size_t r = 0; r < rules.size(); ++r) {
            for (const Reading& reading : is_of_some[r] ? readings[c][r] : absent(rules[r])) {
                report.findings.push_back(finding_of({file, rules[r], candidates[c], today, runner}, reading));
            }
        }
        report.changes.push_back(change_of(candidates[c]));
    }
    conclude(report, file.silent_below);
    return report;
}

void conclude(Report& report, const std::optional<SilentBelow>& silent_below) {
    report.outcome = Outcome::pass;
    for (const Finding& finding : report.findings) {
        const bool fails = finding.level == Level::fail;
        if (finding.verdict == Verdict::broken && fails) {
            report.outcome = Outcome::fail;
        } else if (finding.verdict == Verdict::unknown && fails && report.outcome != Outcome::fail) {
            report.outcome = Outcome::unknown;
        } else if (finding.verdict != Verdict::kept && report.outcome == Outcome::pass) {
            report.outcome = Outcome::warn;
        }
    }
    report.is_silent = silent_below && report.outcome == Outcome::pass && !report.changes.empty() &&
                       std::ranges::all_of(report.changes, [&](const Change& change) { return is_below(change, *silent_below); });
}

} // namespace costcurve::gate
