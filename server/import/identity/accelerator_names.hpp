// Which board an instance has, by what catalogues say of it: its type, the accelerator's name, and the vendor's name of the model.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "server/import/identity/aliases.hpp"
#include "server/import/text/string_pool.hpp"

namespace costcurve::imports {

struct NamedAccelerators {
    Machine machine;    ///< devices 0: the type doesn't say how many
    std::string reason; ///< why it is not known; "" where it is
};
/// An instance type that we know comes first, then the accelerator's name, in the form factor (PCIe, NVL) that the type or the
/// model says. `accelerator` is a name as SkyPilot has it: "A100" is the one of 40 GB.
[[nodiscard]] NamedAccelerators name_accelerators(std::string_view instance, std::string_view accelerator, std::string_view model);

/// The model's name in SkyPilot's GpuInfo, a Python literal ("{'Gpus': [{'Name': 'A100 PCIe', …"), or a bare name; "" in none.
[[nodiscard]] std::string_view model_in(std::string_view gpu_info);

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
    const Found& find(std::string_view instance, std::string_view accelerator, std::string_view gpu_info);

private:
    StringPool& names_;
    std::string key_;
    std::unordered_map<std::string, Found> found_;
};

/// True of a type in one of Google's families that have accelerators built in ("a2-…", "g2-…").
[[nodiscard]] bool is_accelerator_family(std::string_view instance);

} // namespace costcurve::imports
