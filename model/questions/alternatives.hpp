// Scenarios that stand side by side in a question and whose inputs are set together.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/questions/comparable.hpp"
#include "model/questions/figure.hpp"
#include "model/questions/variant.hpp"

namespace costcurve::model {

/// A resolved scenario and where it stands in the question ("/scenarios/1"): issues' pointers begin with that.
struct Placed {
    ScenarioDocument document;
    std::string at;
};

/// One thread at a time, as a Variant.
class Alternatives {
public:
    explicit Alternatives(const std::vector<Placed>& scenarios, bool ignore_unserved = false);

    [[nodiscard]] std::size_t size() const { return variants_.size(); }
    [[nodiscard]] const ScenarioDocument& document(std::size_t scenario) const { return variants_[scenario]->document(); }
    [[nodiscard]] const std::string& at(std::size_t scenario) const { return at_[scenario]; }

    /// Binds the pointer in every scenario that has such a number, or in `only`. None has it: the first one's issue; one has a
    /// number there, another a curve: see mixed_units.
    [[nodiscard]] Result<std::size_t> bind(std::string_view pointer, const std::string& at,
                                           std::optional<std::size_t> only = std::nullopt);
    /// The same as a factor of what each scenario states there.
    [[nodiscard]] Result<std::size_t> bind_factor(std::string_view pointer, const std::string& at);
    /// As the first scenario that has it states it.
    [[nodiscard]] const Input& input(std::size_t index) const;
    [[nodiscard]] std::optional<Issue> set(std::size_t index, double value, const std::string& at);
    void reset(std::size_t index);

    /// The parts of all their summaries that are read from now on.
    void want(const Wanted& wanted);
    [[nodiscard]] Result<const Evaluation*> evaluate(std::size_t scenario);
    /// Whether a result may be in their ranking (is_eligible).
    [[nodiscard]] bool may_rank(const Summary& summary) const;
    [[nodiscard]] bool ignores_unserved() const { return ignore_unserved_; }

    /// They are ranked by this output from now on. What has to be alike is said by the first one's decide_by, whatever the output;
    /// an output that is discounted, such as /total/npv, asks in addition for what makes it so.
    void rank_by(std::string_view output);
    [[nodiscard]] Objective ranked_by(const Summary& first) const;
    /// What the work of the others, as it is set, differs in from that of the first, or of `from`; sets that differ have no
    /// cheapest. Evaluates all; one that breaks a rule differs in nothing.
    [[nodiscard]] std::vector<ScenarioDifference> differences(std::size_t from = 0);
    /// The same as yes or no, of summaries that are there by scenario: null where one breaks a rule.
    [[nodiscard]] bool do_same_work(const std::vector<const Summary*>& summaries) const;

    /// The same figure in all of them: what is bound in the one with the most months is not there in a shorter one. Reads by the
    /// scenario's number.
    [[nodiscard]] Result<std::vector<BoundFigure>> bind_output(std::string_view pointer, const std::string& at) const;

private:
    struct Bound {
        std::size_t scenario;
        std::size_t input;
    };
    Result<std::size_t> bind_where(Result<std::size_t> (Variant::*bind_one)(std::string_view, const std::string&),
                                   std::string_view pointer, const std::string& at, std::optional<std::size_t> only);

    bool ignore_unserved_;
    std::optional<Objective> ranked_by_;
    std::vector<std::unique_ptr<Variant>> variants_;
    std::vector<std::string> at_;
    std::vector<std::vector<Bound>> inputs_; ///< by input: where it is
};

/// An issue where an input is a number in one scenario and the factor of a curve in another: no value means the same in both.
[[nodiscard]] std::optional<Issue> mixed_units(const std::vector<const Input*>& inputs, const std::string& at);

/// An issue for each scenario whose currency is not the first one's: amounts of different currencies can't be compared.
[[nodiscard]] Failure check_currencies(const std::vector<Placed>& scenarios);

} // namespace costcurve::model
