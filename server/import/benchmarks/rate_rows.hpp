// What makes measured rates rows of the step model: shapes of models, links and families of devices, peaks.
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

/// Shapes of models by their ids and other names.
using ModelShapes = std::map<std::string, model::ModelShape, std::less<>>;

/// Makes rows of the step model of measured rates, and numbers their architectures, devices, families and frameworks.
class RateRows {
public:
    RateRows(const ModelShapes& shapes, const std::vector<model::Device>& devices);
    /// Adds the row, to be audited or known besides; a known one that is to be audited too becomes that. Else why it can't be: no
    /// such model, no such device, no concurrency …
    [[nodiscard]] std::string add(const MeasuredRate& rate, bool is_audited = true);
    [[nodiscard]] const std::vector<model::RateRow>& rows() const { return rows_; }
    /// Disaggregated runs that are to be audited.
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
