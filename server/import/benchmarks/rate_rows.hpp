// What makes measured rates rows of the step model: shapes of models, links and families of devices, peaks.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/performance/rate_fit.hpp"
#include "server/import/benchmarks/measured_rates.hpp"

namespace costcurve::imports {

/// Shapes of models by id, `deploy/catalog/sources/architectures.csv`.
using ModelShapes = std::map<std::string, model::ModelShape, std::less<>>;
[[nodiscard]] HardError read_architectures(Bytes& bytes, Report& report, ModelShapes& shapes);

/// Links of devices by id, `deploy/catalog/sources/links.csv`: byte/s one way.
struct DeviceLink {
    double bytes_per_s = 0.0;
    bool is_pcie = false;
};
using DeviceLinks = std::map<std::string, DeviceLink, std::less<>>;
[[nodiscard]] HardError read_links(Bytes& bytes, Report& report, DeviceLinks& links);

/// What the shape of a model is called: equal for models that share layers, width, heads, experts, cache and vocabulary.
[[nodiscard]] std::string architecture_of(const model::ModelShape& shape);

/// The generation of a device: "hopper", "blackwell", "cdna3" …; its id where none is known.
[[nodiscard]] std::string_view device_family(std::string_view device);

/// FLOP/s at the precision that products run in: 4-bit weights are computed with at 16 bit where the device has no 4-bit peak; 0
/// where the device states neither that peak nor a wider one.
[[nodiscard]] double products_peak(const model::Device& device, model::WeightPrecision precision);

/// Makes rows of the step model of measured rates, and numbers their architectures, devices, families and frameworks.
class RateRows {
public:
    RateRows(const ModelShapes& shapes, const std::vector<model::Device>& devices, const DeviceLinks& links);
    /// Adds the row; else why it can't be: "model", "device", "no concurrency", "disaggregated" …
    [[nodiscard]] std::string add(const MeasuredRate& rate);
    [[nodiscard]] const std::vector<model::RateRow>& rows() const { return rows_; }

private:
    [[nodiscard]] std::uint32_t number_of(const std::string& name);
    [[nodiscard]] model::RateRow row_of(const MeasuredRate& rate, const model::ModelShape& shape, const model::Device& device,
                                        const DeviceLink& link);

    const ModelShapes& shapes_;
    std::map<std::string, model::Device, std::less<>> devices_;
    const DeviceLinks& links_;
    std::map<std::string, std::uint32_t, std::less<>> numbers_;
    std::map<std::string, std::size_t> by_key_; ///< rows that say the same thing twice are one
    std::vector<model::RateRow> rows_;
};

} // namespace costcurve::imports
