// Collects samples for one write; equal texts are stored once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/import/report.hpp"
#include "server/storage/measurement.hpp"

namespace costcurve::actuals {

/// Maximum number of samples per write, at 32 bytes each.
inline constexpr std::size_t kMaxCollectedSamples = 1'000'000;

class CollectedSamples {
public:
    /// Adds a sample; beyond kMaxCollectedSamples it is only counted.
    void add(const imports::Sample& sample) {
        if (++count_ > kMaxCollectedSamples) {
            return;
        }
        text_.assign(sample.source).append(1, '\0').append(sample.device).append(1, '\0').append(sample.metric);
        const auto next = static_cast<std::uint32_t>(batch_.series.size());
        const auto [place, is_new] = numbers_.try_emplace(text_, next);
        if (is_new) {
            batch_.series.push_back({sample.source, sample.device, sample.metric});
        }
        batch_.samples.push_back({place->second, sample.time_ms, sample.value});
        rows_.push_back(sample.row);
    }
    [[nodiscard]] const storage::SampleBatch& batch() const { return batch_; }
    [[nodiscard]] std::size_t row_of(std::size_t sample) const { return rows_[sample]; }
    [[nodiscard]] std::size_t count() const { return count_; }

private:
    storage::SampleBatch batch_;
    std::vector<std::size_t> rows_;
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::string text_;
    std::size_t count_ = 0;
};

} // namespace costcurve::actuals
