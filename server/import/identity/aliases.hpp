// Device identity: one table maps the spellings in the wild to device ids. What it doesn't know is reported, never guessed.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace costcurve::imports {

/// One spelling, folded (lower case; letters and digits alone), and the device that it names.
struct AliasRow {
    std::string_view spelling;
    std::string_view device;
};
[[nodiscard]] std::span<const AliasRow> device_aliases();

/// The device's id: of a spelling that a user added (added_names.hpp), or in the table ("NVIDIA H100 80GB HBM3", "A100-80GB-SXM4",
/// "TPU v5e"), or whose parts are those of one there ("A100_80G_SXM4", boards.hpp), or of an id itself. Nothing where the table
/// doesn't know it, or where the spelling names another maker ("Intel A100" is not NVIDIA's).
[[nodiscard]] std::optional<std::string> device_of(std::string_view spelling);
/// The same of a row that also names the maker ("Intel", "Intel, Habana Labs") and the type ("GPU", "CPU"); "" where it doesn't.
/// Nothing where the device is another maker's, or the row's is a CPU.
[[nodiscard]] std::optional<std::string> device_of(std::string_view spelling, std::string_view vendor, std::string_view type);

/// Chips of a kind: a TPU slice, or an instance.
struct Machine {
    std::string device;
    int devices = 0;
};

/// A TPU slice as Google names it: "tpu-v5p-8" is four chips, "tpu-v6e-8" and "v5litepod-8" eight: the number counts TensorCores
/// for v2, v3, v4 and v5p (two a chip), and chips for v5e and v6e. Nothing where it is none, or of an odd number of cores.
[[nodiscard]] std::optional<Machine> tpu_slice_of(std::string_view name);

/// The accelerators of an instance type that names them unambiguously: "a3-highgpu-8g", "p4d.24xlarge", "Standard_ND96isr_H100_v5".
[[nodiscard]] std::optional<Machine> instance_of(std::string_view name);

} // namespace costcurve::imports
