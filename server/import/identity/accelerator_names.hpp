// Which board an instance has, by all that a catalogue says of it: its type, the accelerator's name, the vendor's name of the
// model, the memory, and what the seller behind a marketplace calls it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "server/import/identity/aliases.hpp"
#include "server/import/text/string_pool.hpp"

namespace costcurve::imports {

/// What a row says of its accelerators; "" and 0 of what it leaves open.
struct AcceleratorRow {
    std::string_view instance;    ///< the type
    std::string_view accelerator; ///< a name as SkyPilot has it: "A100" is the one of 40 GB, unless the rest says another size
    std::string_view gpu_info;    ///< a Python literal ("{'Gpus': [{'Name': 'A100 PCIe', …"), JSON, or a bare name
    std::string_view upstream = {};
    double count = 1.0;
};

struct NamedAccelerators {
    Machine machine;    ///< devices 0: the type doesn't say how many
    std::string reason; ///< why it is not known; "" where it is
};
/// An instance type that we know comes first, then the board of the accelerator's name that has the form and the memory which the
/// other fields say. Where no board has all, the reason names the two fields that differ.
[[nodiscard]] NamedAccelerators name_accelerators(const AcceleratorRow& row);

/// Looks each spelling up once: catalogues repeat them in every zone. Not thread-safe.
class KnownAccelerators {
public:
    struct Found {
        std::uint32_t device = 0; ///< a number of `names`
        int devices = 0;          ///< 0: the type doesn't say
        std::string reason;       ///< why it is not known; "" where it is
    };
    explicit KnownAccelerators(StringPool& names) : names_(names) {}
    /// As `name_accelerators`; valid until the next call.
    const Found& find(const AcceleratorRow& row);

private:
    StringPool& names_;
    std::string key_;
    std::unordered_map<std::string, Found> found_;
};

/// True of a type in one of Google's families that have accelerators built in ("a2-…", "g2-…").
[[nodiscard]] bool is_accelerator_family(std::string_view instance);

} // namespace costcurve::imports
