// Which fit of decode_step a device has (docs/estimates.md): its own, its vendor's, that of all; replicas over PCIe apart.
#include "model/performance/decode_factors.hpp"

#include <gtest/gtest.h>

#include "model/performance/decode_factors_table.hpp"

namespace costcurve::model {
namespace {

TEST(DecodeFactors, AreTheDevicesThenTheVendorsThenThoseOfAll) {
    struct Row {
        const char* device;
        const char* vendor;
        double devices;
        const char* fitted_to;
    };
    const Row rows[] = {
        {"nvidia.h100-sxm5-80gb", "NVIDIA", 8, "nvidia.h100-sxm5-80gb: "}, // a curve of its own
        {"nvidia.h100-sxm5-80gb", "NVIDIA", 0.5, "nvidia.h100-sxm5-80gb: "},
        {"nvidia.a100-sxm4-80gb", "NVIDIA", 8, "NVIDIA: "}, // no rate of it in the catalogue
        {"google.tpu-v5p", "Google", 8, "Google: "},
        {"ours.prototype", "Ours", 8, "all devices: "},
        {"nvidia.l40s", "NVIDIA", 4, "PCIe: "},
        {"nvidia.l40s", "NVIDIA", 1, "NVIDIA: "}, // one card: no link
    };
    for (const Row& row : rows) {
        const std::string_view fitted_to = decode_factors(row.device, row.vendor, row.devices).fitted_to;
        EXPECT_TRUE(fitted_to.starts_with(row.fitted_to)) << row.device << ": " << fitted_to;
    }
}

TEST(DecodeFactors, AreInTheirBounds) {
    for (const DecodeFit& fit : kDecodeFits) {
        EXPECT_GT(fit.factors.alpha, 0) << fit.factors.fitted_to;
        EXPECT_LE(fit.factors.alpha, 1) << fit.factors.fitted_to;
        EXPECT_GT(fit.factors.beta, 0) << fit.factors.fitted_to;
        EXPECT_LE(fit.factors.beta, 1) << fit.factors.fitted_to;
        EXPECT_GE(fit.factors.gamma_s, 0) << fit.factors.fitted_to;
        EXPECT_GT(fit.factors.low, 0) << fit.factors.fitted_to;
        EXPECT_GE(fit.factors.high, fit.factors.low) << fit.factors.fitted_to;
    }
}

} // namespace
} // namespace costcurve::model
