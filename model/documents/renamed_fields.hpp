// Names of fields, parameters and flags that requests had before: the answer to one names the new. Stored bodies are upgraded.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace costcurve::model {

/// `of` is the document or part that has a field, "query" of a parameter, a verb of its flags.
struct RenamedField {
    std::string_view of;
    std::string_view before;
    std::string_view now;
};
inline constexpr auto kRenamedFields = std::to_array<RenamedField>({
    {"performance", "latency_s", "itl_s"},
    {"endpoint", "latency_s", "e2e_s"},
    {"pool", "latency_s", "e2e_s"},
    {"workload", "latency_objective_s", "slo.itl_s or slo.e2e_s"},
    {"workload", "ttft_objective_s", "slo.ttft_s"},
    {"workload", "latency_percentile", "slo.percentile"},
    {"rank", "--latency-s", "--itl-s or --e2e-s"},
    {"rank", "--latency-percentile", "--percentile"},
    {"query", "accept", "even_if_odd"},
    {"feed run", "--accept", "--even-if-odd"},
});

/// "latency_s is now itl_s"; "" where it was never a name there.
[[nodiscard]] inline std::string renamed_text(std::string_view of, std::string_view name) {
    const auto row = std::ranges::find_if(kRenamedFields, [&](const RenamedField& it) { return it.of == of && it.before == name; });
    return row == kRenamedFields.end() ? "" : std::string(name) + " is now " + std::string(row->now);
}

/// The same of the last name of a JSON Pointer into a scenario; "" where nothing in it was renamed.
[[nodiscard]] inline std::string renamed_in_pointer(std::string_view pointer) {
    std::string_view parent = pointer.substr(0, std::min(pointer.rfind('/'), pointer.size()));
    const std::string_view name = pointer.substr(std::min(parent.size() + 1, pointer.size()));
    const auto last_of = [](std::string_view path) { return path.substr(path.rfind('/') + 1); };
    std::string_view of = last_of(parent);
    if (of == "*" || (!of.empty() && of.find_first_not_of("0123456789") == std::string_view::npos)) { // an entry of a list
        of = last_of(parent.substr(0, parent.size() - of.size() - 1));
        of.remove_suffix(of.ends_with('s') ? 1 : 0);
    }
    return renamed_text(of, name);
}

} // namespace costcurve::model
