// Rules that a performance, a model, an alias and an endpoint keep by themselves, wherever they will stand.
#include <algorithm>
#include <cctype>

#include "model/rules.hpp"

namespace costcurve::model {

bool check_rate_given(const Performance& performance, const std::string& pointer, Rules& rules) {
    const bool one = performance.units_per_s.has_value() != performance.estimate.has_value();
    if (!one) {
        rules.add(pointer + "/units_per_s", performance.estimate ? Code::not_allowed : Code::missing,
                  "give units_per_s or estimate, one of the two");
    }
    return one;
}

void check_alone(const Performance& performance, Rules& rules) { check_rate_given(performance, "", rules); }
void check_alone(const Model& model, Rules& rules) {
    if (model.active_parameters > model.parameters) {
        rules.add("/active_parameters", Code::inconsistent,
                  fmt::format("active_parameters is {}, above parameters, {}", model.active_parameters, model.parameters));
    }
    if (model.weight_bytes.empty()) {
        rules.add("/weight_bytes", Code::missing, "weight_bytes is empty; give {precision: bytes}");
    }
}

void check_alone(const Alias& alias, Rules& rules) {
    for (std::size_t i = 0; i < alias.names.size(); ++i) {
        const std::string& name = alias.names[i];
        const bool has_letter = std::any_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
        if (!has_letter) {
            rules.add(fmt::format("/names/{}", i), Code::bad_format,
                      fmt::format("\"{}\" has no letter and no digit; files are searched for those alone", name));
        }
    }
}

void check_hosted(const HostedModel& model, const std::string& pointer, const ScenarioDocument* scenario, Rules& rules) {
    if (!model.price_per_million_units) {
        return; // an issue of its own
    }
    const UnitPrice& price = *model.price_per_million_units;
    const std::string at = pointer + "/price_per_million_units";
    check_dates(price.total, at, scenario, rules);
    for (std::size_t c = 0; c < kUnitClasses; ++c) {
        if (const std::optional<Rate>& of_class = price[static_cast<UnitClass>(c)]) {
            check_dates(*of_class, fmt::format("{}/{}", at, name_of(static_cast<UnitClass>(c))), scenario, rules);
        }
    }
}

void check_alone(const Endpoint& endpoint, Rules& rules) { check_hosted(endpoint, "", nullptr, rules); }

} // namespace costcurve::model
