// Reads members of InferenceX results under all of their known names.
#include "server/import/benchmarks/inferencex_fields.hpp"

#include "server/import/identity/spellings.hpp"

namespace costcurve::imports {

Number figure_of(const Json& json, std::string_view name) {
    const Number number = number_of(json, name);
    const std::optional<Json> metrics = member(json, "metrics");
    return number || !metrics ? number : number_of(*metrics, name);
}

bool is_true(const Json& json, std::string_view name) {
    const std::optional<Json> found = member(json, name);
    bool flag = false;
    return found && (found->get(flag) == simdjson::SUCCESS ? flag : lower(text_of(json, name)) == "true");
}

std::optional<int> gang_devices(const Json& json) {
    if (!is_true(json, "disagg")) {
        double devices = number_of(json, "tp").value;
        for (const std::string_view name : {"pp", "pcp_size", "dp", "replicas"}) {
            const Number factor = number_of(json, name);
            if (factor.state == Number::State::bad || (factor && !count_of(factor.value))) {
                return std::nullopt;
            }
            devices *= factor ? factor.value : 1.0;
        }
        return count_of(devices);
    }
    const Number prefill = number_of(json, "num_prefill_gpu");
    const Number decode = number_of(json, "num_decode_gpu");
    return prefill && decode ? count_of(prefill.value + decode.value) : std::nullopt;
}

} // namespace costcurve::imports
