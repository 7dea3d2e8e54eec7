// What the parts of a board's name say of it: its family, the form of the card, its memory. Names are taken apart and compared part
// by part, so that their order and words of packaging beside them do not count.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace costcurve::imports {

/// What a text says of a board besides its family.
struct BoardTraits {
    std::string_view form;  ///< "sxm", "pcie", "nvl"; "" where the text has none
    double memory_gb = 0.0; ///< of one board; 0 where the text has none
};
[[nodiscard]] BoardTraits traits_in(std::string_view text);

/// Memory of a row's boards, as its catalogue states it: of one or of all of them, in MiB or, below 1,024, in GB.
struct StatedMemory {
    double size = 0.0;  ///< 0: not stated
    double total = 0.0; ///< of all boards of the row, where that is stated apart
    double boards = 1.0;
};

/// True where the board has this form. One that is built in a single form has it with every word for a card.
[[nodiscard]] bool has_form(std::string_view device, std::string_view form);
/// True where the memory, of one or of all boards, is within 8 % of the device's: makers' GB are GiB on some boards. True too where
/// the memory of the device is not known, or none is stated.
[[nodiscard]] bool has_memory(std::string_view device, double gb);
[[nodiscard]] bool has_memory(std::string_view device, const StatedMemory& memory);

/// GB of a known device; 0 of others.
[[nodiscard]] double memory_gb_of(std::string_view device);

/// An id without its form and memory: "nvidia.a100" of "nvidia.a100-sxm4-40gb".
[[nodiscard]] std::string family_name(std::string_view device);

/// Devices of the table of aliases that differ from this one in form or memory alone, itself first.
[[nodiscard]] std::span<const std::string_view> family_of(std::string_view device);

/// The device of a name whose parts stand in another order than in the table, or with words of packaging between them
/// ("A100_80G_SXM4", "H100_PCIE_BAREMETAL"). `find` knows whole names. Nothing where a part is left over, or no board has all.
[[nodiscard]] std::optional<std::string> device_by_parts(std::string_view spelling,
                                                         std::optional<std::string> (*find)(std::string_view name));

} // namespace costcurve::imports
