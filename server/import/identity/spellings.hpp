// How benchmarks spell frameworks, number formats, boards and gangs, and how our documents do.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/documents/documents.hpp"
#include "server/import/importer.hpp"
#include "server/import/report.hpp"

namespace costcurve::imports {

/// The framework that a text of versions names first: "vLLM 0.9.0, Pytorch 2.7, ROCm 6.4" is vllm. "" where it names none we know.
[[nodiscard]] std::string framework_in(std::string_view text);

/// One number format: "bfloat16" and "BF16" are bf16, "mxfp4" is fp4. "" where it is none, or several.
[[nodiscard]] std::string precision_of(std::string_view text);

/// The device that a text names as a whole or in brackets: "NVIDIA Blackwell GPU (B200-SXM-180GB)".
[[nodiscard]] std::optional<std::string> device_in(std::string_view text);

/// The device of option `device`, whose alias or id has been checked; nothing where it was not given.
[[nodiscard]] std::optional<std::string> device_option(const Options& options);
/// The number of option `devices`; nothing where it was not given.
[[nodiscard]] std::optional<int> devices_option(const Options& options);

/// A whole number of devices from 1 to 1000000; nothing where it is none.
[[nodiscard]] std::optional<int> count_of(double devices);

/// Part of an id: "8x-h100-sxm5-80gb" of 8 nvidia.h100-sxm5-80gb.
[[nodiscard]] std::string gang_name(int devices, std::string_view device);

/// A curve of another document, named by its id.
[[nodiscard]] model::Rate rate_of_curve(std::string_view id);

} // namespace costcurve::imports
