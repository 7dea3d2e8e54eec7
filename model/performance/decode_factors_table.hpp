// The fits of decode_step to the catalogue's measured rates; deploy/catalog/fit_estimates.py writes this file.
#pragma once

#include "model/performance/decode_factors.hpp"

namespace costcurve::model {

/// A fit, and which devices it is for: one device, a vendor's, replicas of several PCIe cards, or any.
struct DecodeFit {
    enum Scope { device, vendor, pcie, all };
    Scope scope;
    std::string_view of; ///< id of the device, or the vendor
    DecodeFactors factors;
};

/// The particular before the general; the last is for all devices.
// clang-format off
inline constexpr DecodeFit kDecodeFits[] = {
    {DecodeFit::device, "nvidia.b200-sxm-180gb",
     {0.814, 0.362, 8.86e-05, 0.772, 3.11, "nvidia.b200-sxm-180gb: 43 points, 6 models"}},
    {DecodeFit::device, "nvidia.h100-sxm5-80gb",
     {0.821, 0.36, 8.18e-05, 0.831, 1.37, "nvidia.h100-sxm5-80gb: 47 points, 6 models"}},
    {DecodeFit::vendor, "AMD",
     {0.823, 0.35, 8.74e-05, 0.794, 1.56, "AMD: 9 points, 5 models x devices"}},
    {DecodeFit::vendor, "Google",
     {0.819, 0.413, 8.57e-05, 0.705, 1.18, "Google: 7 points, 4 models x devices"}},
    {DecodeFit::vendor, "Intel",
     {0.863, 0.486, 7.15e-05, 0.608, 1.27, "Intel: 9 points, 5 models x devices"}},
    {DecodeFit::vendor, "NVIDIA",
     {0.821, 0.393, 8.66e-05, 0.794, 3.28, "NVIDIA: 107 points, 24 models x devices"}},
    {DecodeFit::pcie, "",
     {0.196, 0.314, 9.17e-05, 0.976, 4.03, "PCIe: 4 points, 3 models x devices"}},
    {DecodeFit::all, "",
     {0.826, 0.39, 8.21e-05, 0.703, 2.99, "all devices: 132 points, 38 models x devices"}},
};
// clang-format on

/// Cards without a fast link to all others of their host.
inline constexpr std::string_view kPcieDevices[] = {
    "nvidia.a10",
    "nvidia.a100-pcie-80gb",
    "nvidia.a10g",
    "nvidia.a40",
    "nvidia.gtx-1080-ti",
    "nvidia.h100-nvl-94gb",
    "nvidia.h100-pcie-80gb",
    "nvidia.h200-nvl-141gb",
    "nvidia.k80",
    "nvidia.l4",
    "nvidia.l40",
    "nvidia.l40s",
    "nvidia.p100-pcie-16gb",
    "nvidia.p4",
    "nvidia.rtx-4000-ada",
    "nvidia.rtx-4090",
    "nvidia.rtx-a6000",
    "nvidia.rtx-pro-6000-bse",
    "nvidia.t4",
    "nvidia.v100-pcie-16gb",
    "nvidia.v100-pcie-32gb",
};

} // namespace costcurve::model
