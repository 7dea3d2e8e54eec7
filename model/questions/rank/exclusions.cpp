// Counts excluded ways by reason.
#include <algorithm>

#include "model/questions/rank/options.hpp"

namespace costcurve::model {

void Exclusions::add(std::string_view reason, const std::string& example) {
    constexpr std::size_t kExamples = 3;
    ++total_;
    Exclusion& exclusion = by_reason_.try_emplace(std::string(reason), Exclusion{std::string(reason), 0, {}}).first->second;
    if (exclusion.count++ < kExamples) {
        exclusion.examples.push_back(example);
    }
}

std::vector<Exclusion> Exclusions::take() {
    std::vector<Exclusion> all;
    for (auto& [reason, exclusion] : by_reason_) {
        all.push_back(std::move(exclusion));
    }
    std::stable_sort(all.begin(), all.end(), [](const Exclusion& a, const Exclusion& b) { return a.count > b.count; });
    return all;
}

} // namespace costcurve::model
