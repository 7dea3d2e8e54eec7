// Finds the format of a file: the one whose reader can read it. There are no signatures besides the readers.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/import/importer.hpp"

namespace costcurve::imports {

/// Larger files are not recognized, because every reader reads the whole file.
inline constexpr std::size_t kMaxRecognized = 8U << 20U; // bytes

/// A format that can read the files.
struct Recognized {
    const Format* format = nullptr;
    double used_fraction = 0.0; ///< of its rows; 1 where none was rejected
    std::size_t found = 0;      ///< documents, lines of bills and samples
};

/// The formats that reject the fewest rows; among those, the formats that read the most documents. Several if they tie, none if no
/// reader can read the files. Options that a format needs and `given` lacks get placeholders.
[[nodiscard]] std::vector<Recognized> recognize(std::span<const NamedText> files, const Options& given);

/// The day in a file's name, such as "gcp_vms_2026-04-02.csv"; "" if it has no day or several.
[[nodiscard]] std::string date_in_name(std::string_view name);
/// The provider in a file's name, as SkyPilot names its lists ("gcp_vms…"); "" for other names.
[[nodiscard]] std::string provider_in_name(std::string_view name);

} // namespace costcurve::imports
