// Finds the fit for a device among those of decode_factors_table.hpp; it fits nothing itself.
#include "model/performance/decode_factors.hpp"

#include <algorithm>
#include <iterator>

#include "model/performance/decode_factors_table.hpp"

namespace costcurve::model {

const DecodeFactors& decode_factors(std::string_view device_id, std::string_view vendor, double devices) {
    const bool is_pcie = devices > 1.0 && std::ranges::find(kPcieDevices, device_id) != std::end(kPcieDevices);
    const auto* fit = std::ranges::find_if(kDecodeFits, [&](const DecodeFit& each) {
        switch (each.scope) {
        case DecodeFit::device:
            return !is_pcie && each.of == device_id;
        case DecodeFit::vendor:
            return !is_pcie && each.of == vendor;
        case DecodeFit::pcie:
            return is_pcie;
        case DecodeFit::all:
            break;
        }
        return true;
    });
    return fit->factors; // the last is for all devices: one is found
}

} // namespace costcurve::model
