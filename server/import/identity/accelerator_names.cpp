// Accelerators of instance types and machine models, by cached lookups.
#include "server/import/identity/accelerator_names.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "server/import/identity/added_names.hpp"
#include "server/import/identity/boards.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

namespace {

// Families of Google's with accelerators built in.
constexpr auto kFamilies = std::to_array<std::string_view>({"a2-", "a3-", "a4-", "a4x-", "g2-", "g4-"});

// A field of GpuInfo; "" where it has none. Both quotes occur.
std::string_view info_value(std::string_view info, std::string_view name) {
    for (const char quote : {'\'', '"'}) {
        const std::string key = fmt::format("{}{}{}:", quote, name, quote);
        if (const std::size_t at = info.find(key); at != std::string_view::npos) {
            std::string_view rest = info.substr(at + key.size());
            rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
            const bool is_text = rest.starts_with(quote);
            rest.remove_prefix(is_text ? 1 : 0);
            return rest.substr(0, rest.find_first_of(is_text ? std::string_view(&quote, 1) : std::string_view(",} ")));
        }
    }
    return "";
}

// The model's name in GpuInfo; a bare name is itself.
std::string_view model_in(std::string_view info) {
    const std::string_view name = info_value(info, "Name");
    return !name.empty() || info.starts_with("{") ? name : info;
}

// A field, and what it says of the board.
struct BoardField {
    std::string_view name, text;
    BoardTraits traits;
};

std::string field_words(const BoardField& field) { return fmt::format("{} is {}", field.name, field.text); }

// What the row's fields say, and which boards have it.
class BoardEvidence {
public:
    explicit BoardEvidence(const AcceleratorRow& row)
        : row_(row), memory_{parse_number(info_value(row.gpu_info, "SizeInMiB")).value,
                             parse_number(info_value(row.gpu_info, "TotalGpuMemoryInMiB")).value, row.count} {
        if (row.count > 0.0 && row.count < 1.0) {
            memory_ = {}; // of a part of a board
        }
        const std::string_view model = model_in(row.gpu_info);
        add("GpuInfo", model == row.accelerator ? std::string_view() : model);
        add("UpstreamCloudId", row.upstream);
        add("InstanceType", row.instance);
    }

    // The first field that the device does not fit; "" where it fits all.
    [[nodiscard]] std::string contradiction(std::string_view device) const {
        if (!has_memory(device, memory_)) {
            return fmt::format("GpuInfo says {:.6g} MiB", memory_.size);
        }
        for (const BoardField& field : fields_) {
            const std::optional<std::string> named = device_of(field.text);
            const bool is_other_family = named && family_of(*named).data() != family_of(device).data();
            if (is_other_family || !has_form(device, field.traits.form) || !has_memory(device, field.traits.memory_gb)) {
                return field_words(field);
            }
        }
        return "";
    }

    // True where a field says how much memory the board has.
    [[nodiscard]] bool says_memory() const {
        return memory_.size > 0.0 ||
               std::any_of(fields_.begin(), fields_.end(), [](const BoardField& field) { return field.traits.memory_gb > 0.0; });
    }

private:
    void add(std::string_view name, std::string_view text) {
        if (text.empty()) {
            return;
        }
        BoardField field{name, text, traits_in(text)};
        // A size in the name of a type may be that of the host: it counts where a board of the family has it.
        const std::optional<std::string> plain = device_of(row_.accelerator);
        const auto family = plain ? family_of(*plain) : std::span<const std::string_view>();
        const bool is_boards = std::any_of(family.begin(), family.end(),
                                           [&](std::string_view device) { return memory_gb_of(device) == field.traits.memory_gb; });
        const bool has_forms = std::any_of(family.begin(), family.end(), [&](std::string_view device) {
            return !field.traits.form.empty() && has_form(device, field.traits.form);
        });
        field.traits.memory_gb = name != "InstanceType" || is_boards ? field.traits.memory_gb : 0.0;
        field.traits.form = name != "InstanceType" || has_forms ? field.traits.form : std::string_view();
        fields_.push_back(field);
    }

    const AcceleratorRow& row_;
    StatedMemory memory_;
    std::vector<BoardField> fields_;
};

} // namespace

NamedAccelerators name_accelerators(const AcceleratorRow& row) {
    const AddedNames* const added = NamesInUse::current();
    if (const auto device = added != nullptr ? added->find_device(folded_name(row.instance)) : std::nullopt) {
        return {{*device, 1}, ""}; // a part of a device too, stored as one of its own
    }
    const BoardEvidence evidence(row);
    if (const auto machine = instance_of(row.instance)) {
        const std::string other = row.accelerator.empty() ? "" : evidence.contradiction(machine->device);
        return other.empty() ? NamedAccelerators{*machine, ""}
                             : NamedAccelerators{{},
                                                 fmt::format("InstanceType is {}, which has {}, but {}: one of them is wrong",
                                                             row.instance, machine->device, other)};
    }
    if (const auto device = added != nullptr ? added->find_device(folded_name(row.accelerator)) : std::nullopt) {
        return {{*device, 0}, ""};
    }
    const auto plain = device_of(row.accelerator);
    if (!plain) {
        return {{}, fmt::format("AcceleratorName is {}, which no alias knows; store an alias (/v1/aliases)", row.accelerator)};
    }
    const std::string other = evidence.contradiction(*plain);
    if (other.empty()) {
        return {{*plain, 0}, ""};
    }
    // "A100" alone is the one of 40 GB where no field says another size, "H100" any.
    const BoardTraits own = traits_in(row.accelerator);
    const double gb =
        own.memory_gb > 0.0 || evidence.says_memory() || lower(row.accelerator) != "a100" ? own.memory_gb : memory_gb_of(*plain);
    for (const std::string_view device : family_of(*plain)) {
        if (has_form(device, own.form) && has_memory(device, gb) && evidence.contradiction(device).empty()) {
            return {{std::string(device), 0}, ""};
        }
    }
    return {{},
            fmt::format("AcceleratorName is {}, which is {}, but {}: no board that is known has both; store an alias "
                        "(/v1/aliases) of the type",
                        row.accelerator, *plain, other)};
}

const KnownAccelerators::Found& KnownAccelerators::find(const AcceleratorRow& row) {
    constexpr std::size_t kMaxKept = 100'000;
    key_.clear();
    for (const std::string_view part : {row.instance, row.accelerator, row.gpu_info, row.upstream}) {
        key_.append(part).append(1, '\0');
    }
    key_ += fmt::format("{}", row.count);
    const auto known = found_.find(key_);
    if (known != found_.end()) {
        return known->second;
    }
    if (found_.size() >= kMaxKept) {
        found_.clear();
    }
    NamedAccelerators named = name_accelerators(row);
    const Found found{names_.intern(named.machine.device), named.machine.devices, std::move(named.reason)};
    return found_.emplace(key_, found).first->second;
}

bool is_accelerator_family(std::string_view instance) {
    const std::string type = lower(instance);
    return std::any_of(kFamilies.begin(), kFamilies.end(), [&](std::string_view family) { return type.starts_with(family); });
}

} // namespace costcurve::imports
