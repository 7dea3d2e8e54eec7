// What format a file is of, where nobody says: the one whose reader understands it. There are no signatures beside the readers.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/import/importer.hpp"

namespace costcurve::imports {

/// Files larger than this are not recognised, as each reader tries them.
inline constexpr std::size_t kMaxRecognized = 8U << 20U; // bytes

/// A format that can read the files.
struct Recognized {
    const Format* format = nullptr;
    double used_fraction = 0.0; ///< of its rows; 1 where none was rejected
    std::size_t found = 0;      ///< documents, lines of bills and samples
};

/// Those that read them with the fewest rows rejected; of these the ones that make the most of them. Several where nothing tells
/// them apart, none where no reader understands the files. Options that a format needs and `given` lacks are stood in for.
[[nodiscard]] std::vector<Recognized> recognize(std::span<const NamedText> files, const Options& given);

/// The day in a file's name, such as "gcp_vms_2026-04-02.csv"; "" if it has no day or several.
[[nodiscard]] std::string date_in_name(std::string_view name);
/// Whose list it is by its name, as SkyPilot's are called ("gcp_vms…"); "" of another name.
[[nodiscard]] std::string provider_in_name(std::string_view name);

} // namespace costcurve::imports
