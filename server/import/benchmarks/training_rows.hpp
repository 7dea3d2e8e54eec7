// What makes measured training runs rows of the model of MFU: shapes of models, peaks and families of devices.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/performance/training_fit.hpp"
#include "server/import/benchmarks/rate_rows.hpp"

namespace costcurve::imports {

/// Makes rows of the model of MFU of measured runs. A model that the catalogue lacks is what its row states: parameters, layers and
/// width, or a transformer of 128 of width a layer.
class TrainingRows {
public:
    TrainingRows(const ModelShapes& shapes, const std::vector<model::Device>& devices);
    /// Adds the run, to be audited or known besides; a known one that is to be audited too becomes that. Else why it can't be: no
    /// such device, no parameters, a precision that the device has no peak of …
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
