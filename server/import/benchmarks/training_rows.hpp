// Turns measured training runs into rows of the MFU model, with model shapes, device peaks and families.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/performance/training_fit.hpp"
#include "server/import/benchmarks/rate_rows.hpp"

namespace costcurve::imports {

/// Makes rows of the MFU model from measured runs. A model that the catalogue lacks is described by its row: parameters, layers and
/// width, or a transformer whose width is 128 per layer.
class TrainingRows {
public:
    TrainingRows(const ModelShapes& shapes, const std::vector<model::Device>& devices);
    /// Adds a run, either to be audited or only as known data. A known run that is added again for audit becomes an audited one.
    /// Gives the reason if the run can't be used (unknown device, no parameters, no peak for the precision …), else "".
    [[nodiscard]] std::string add(const MeasuredTraining& run, bool is_audited = true);
    [[nodiscard]] const std::vector<model::TrainingRow>& rows() const { return rows_; }

private:
    [[nodiscard]] std::uint32_t number_of(const std::string& name);

    const ModelShapes& shapes_;
    std::map<std::string, model::Device, std::less<>> devices_;
    std::map<std::string, std::uint32_t, std::less<>> numbers_;
    std::map<std::string, std::size_t> by_key_; ///< rows that say the same thing twice are one
    std::vector<model::TrainingRow> rows_;
};

} // namespace costcurve::imports
