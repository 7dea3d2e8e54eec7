// Turns measured rates into rows of the step model, with model shapes, device links, families and peaks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/performance/device_facts.hpp"
#include "model/performance/model_shape.hpp"
#include "model/performance/rate_fit.hpp"
#include "server/import/benchmarks/measured_rates.hpp"

namespace costcurve::imports {

/// Shapes of models by id and by alias.
using ModelShapes = std::map<std::string, model::ModelShape, std::less<>>;

/// Makes rows of the step model from measured rates; numbers the architectures, devices, families and frameworks.
class RateRows {
public:
    RateRows(const ModelShapes& shapes, const std::vector<model::Device>& devices);
    /// Adds a rate as a row, either to be audited or only as known data. A known row that is added again for audit becomes an
    /// audited one. Gives the reason if the rate can't be used (unknown model or device, no concurrency …), else "".
    [[nodiscard]] std::string add(const MeasuredRate& rate, bool is_audited = true);
    [[nodiscard]] const std::vector<model::RateRow>& rows() const { return rows_; }
    /// Disaggregated runs to be audited.
    [[nodiscard]] const std::vector<model::PairRow>& pairs() const { return pairs_; }

private:
    [[nodiscard]] std::uint32_t number_of(const std::string& name);
    [[nodiscard]] model::RateRow row_of(const MeasuredRate& rate, const model::ModelShape& shape, const model::Device& device);

    const ModelShapes& shapes_;
    std::map<std::string, model::Device, std::less<>> devices_;
    std::map<std::string, std::uint32_t, std::less<>> numbers_;
    std::map<std::string, std::optional<std::size_t>> by_key_; ///< equal rows count once; nullopt: doubtful
    std::vector<model::RateRow> rows_;
    std::vector<model::PairRow> pairs_;
};

} // namespace costcurve::imports
