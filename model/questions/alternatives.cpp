// One Variant per scenario, and for each input the list of places where it is bound.
#include "model/questions/alternatives.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/questions/ranking.hpp"

namespace costcurve::model {

Alternatives::Alternatives(const std::vector<Placed>& scenarios, bool ignore_unserved) : ignore_unserved_(ignore_unserved) {
    variants_.reserve(scenarios.size());
    at_.reserve(scenarios.size());
    for (const Placed& scenario : scenarios) {
        variants_.push_back(std::make_unique<Variant>(scenario.document));
        at_.push_back(scenario.at);
    }
}

bool Alternatives::may_rank(const Summary& summary) const { return is_eligible(summary, ignore_unserved_); }

Result<std::size_t> Alternatives::bind(std::string_view pointer, const std::string& at, std::optional<std::size_t> only) {
    return bind_where(&Variant::bind, pointer, at, only);
}

Result<std::size_t> Alternatives::bind_factor(std::string_view pointer, const std::string& at) {
    return bind_where(&Variant::bind_factor, pointer, at, std::nullopt);
}

Result<std::size_t> Alternatives::bind_where(Result<std::size_t> (Variant::*bind_one)(std::string_view, const std::string&),
                                             std::string_view pointer, const std::string& at, std::optional<std::size_t> only) {
    std::vector<Bound> places;
    std::vector<const Input*> inputs;
    Failure none;
    for (std::size_t i = only.value_or(0); i < (only ? *only + 1 : size()); ++i) {
        Result<std::size_t> input = (*variants_[i].*bind_one)(pointer, at);
        if (input) {
            places.push_back({i, *input});
            inputs.push_back(&variants_[i]->input(*input));
        } else if (input.error().front().code != Code::unknown_reference) { // the number exists there but can't be varied
            return input;
        } else if (none.empty()) {
            none = std::move(input.error());
        }
    }
    if (places.empty()) {
        return tl::unexpected(std::move(none));
    }
    if (auto mixed = mixed_units(inputs, at)) {
        return tl::unexpected(Failure{std::move(*mixed)});
    }
    for (const Bound& place : places) { // narrows every factor of several numbers to the range that all places allow
        for (const Bound& other : places) {
            const Input& factor = variants_[other.scenario]->input(other.input);
            if (!factor.multiples.empty()) {
                variants_[place.scenario]->narrow(place.input, factor.spec);
            }
        }
    }
    inputs_.push_back(std::move(places));
    return inputs_.size() - 1;
}

const Input& Alternatives::input(std::size_t index) const {
    const Bound& first = inputs_[index].front();
    return variants_[first.scenario]->input(first.input);
}

void Alternatives::rank_by(std::string_view output) {
    constexpr std::string_view kTotal = "/total/";
    ranked_by_ = output.starts_with(kTotal) ? value_of<Objective>(output.substr(kTotal.size())) : std::nullopt;
}

Objective Alternatives::ranked_by(const Summary& first) const {
    const auto asks_for = [](Objective objective) { // each level requires the conditions of the levels below it
        return objective == Objective::npv_after_tax ? 2 : objective == Objective::npv ? 1 : 0;
    };
    return ranked_by_ && asks_for(*ranked_by_) > asks_for(first.decide_by) ? *ranked_by_ : first.decide_by;
}

std::vector<ScenarioDifference> Alternatives::differences(std::size_t from) {
    std::vector<ScenarioDifference> all;
    const Result<const Evaluation*> base = evaluate(from);
    for (std::size_t i = 0; base && i < size(); ++i) {
        const Result<const Evaluation*> other = i == from ? base : evaluate(i);
        if (i != from && other) {
            const Summary& summary = (*base)->summary;
            for (WorkDifference& difference :
                 work_differences(document(from), summary, document(i), (*other)->summary, ranked_by(summary))) {
                all.push_back({std::move(difference), i});
            }
        }
    }
    return all;
}

bool Alternatives::do_same_work(const std::vector<const Summary*>& summaries) const {
    const auto first = std::find_if(summaries.begin(), summaries.end(), [](const Summary* summary) { return summary != nullptr; });
    for (auto other = first; other != summaries.end(); ++other) {
        const auto at = [&](auto it) -> const ScenarioDocument& {
            return document(static_cast<std::size_t>(it - summaries.begin()));
        };
        if (other != first && *other != nullptr && !does_same_work(at(first), **first, at(other), **other, ranked_by(**first))) {
            return false;
        }
    }
    return true;
}

std::optional<Issue> Alternatives::set(std::size_t index, double value, const std::string& at) {
    for (const Bound& bound : inputs_[index]) {
        if (auto issue = variants_[bound.scenario]->set(bound.input, value, at)) {
            return issue;
        }
    }
    return std::nullopt;
}

void Alternatives::reset(std::size_t index) {
    for (const Bound& bound : inputs_[index]) {
        variants_[bound.scenario]->reset(bound.input);
    }
}

void Alternatives::want(const Wanted& wanted) {
    for (const auto& variant : variants_) {
        variant->want(wanted);
    }
}

Result<const Evaluation*> Alternatives::evaluate(std::size_t scenario) {
    return variants_[scenario]->evaluate().map_error([&](Failure issues) {
        for (Issue& issue : issues) {
            issue.pointer.insert(0, at_[scenario]);
        }
        return issues;
    });
}

Result<std::vector<BoundFigure>> Alternatives::bind_output(std::string_view pointer, const std::string& at) const {
    std::vector<BoundFigure> figures;
    figures.reserve(size());
    for (const auto& variant : variants_) {
        Result<BoundFigure> figure = bind_figure(variant->document(), pointer, at);
        if (!figure) {
            return tl::unexpected(std::move(figure.error()));
        }
        figures.push_back(std::move(*figure));
    }
    return figures;
}

std::optional<Issue> mixed_units(const std::vector<const Input*>& inputs, const std::string& at) {
    const auto other =
        std::find_if(inputs.begin(), inputs.end(), [&](const Input* input) { return input->unit != inputs[0]->unit; });
    if (other == inputs.end()) {
        return std::nullopt;
    }
    return Issue{
        at, Code::inconsistent,
        fmt::format("{} takes {} in one scenario and {} in another, so that no value means the same in both; name it with * "
                    "for an index, which gives a factor of each",
                    inputs[0]->pointer, inputs[0]->unit, (*other)->unit)};
}

Failure check_currencies(const std::vector<Placed>& scenarios) {
    Failure issues;
    for (const Placed& scenario : scenarios) {
        const std::string& first = scenarios.front().document.currency;
        if (scenario.document.currency != first) {
            issues.push_back({scenario.at + "/currency", Code::inconsistent,
                              fmt::format("currency is {}, that of the first scenario {}; give all in one, with exchange_rates",
                                          scenario.document.currency, first)});
        }
    }
    return issues;
}

} // namespace costcurve::model
