// The factors of the decode_step estimate that were fitted to measured rates (docs/estimates.md).
#pragma once

#include <string_view>

namespace costcurve::model {

/// What decode_step_s takes of the peaks, and how far off it was where a model on a device was left out of the fit.
struct DecodeFactors {
    double alpha = 0.0;           ///< of the memory bandwidth that reading reaches; above 0, at most 1
    double beta = 0.0;            ///< of the peak FLOP/s that arithmetic reaches; above 0, at most 1
    double gamma_s = 0.0;         ///< seconds that each layer takes by itself; 0 or more
    double low = 0.0;             ///< predicted / measured units/s, 5th percentile of the rates left out
    double high = 0.0;            ///< the same, 95th percentile; a measured rate lies at predicted/high to predicted/low
    std::string_view fitted_to{}; ///< the devices and the number of points, in words
};

/// The factors of a replica of so many devices: those of the device, where it has a fit, else of its vendor, else of all devices.
/// A replica of several PCIe cards without a fast link to all others has those of such replicas, whatever the device. `vendor` is
/// written as the catalogue's devices have it. deploy/catalog/fit_estimates.py fits them to the catalogue's measured rates. Linear
/// in the number of fits, some tens; any thread.
[[nodiscard]] const DecodeFactors& decode_factors(std::string_view device_id, std::string_view vendor, double devices);

} // namespace costcurve::model
