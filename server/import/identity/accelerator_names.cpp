// Tables of what types and models say of a board; spellings are looked up once.
#include "server/import/identity/accelerator_names.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "server/import/identity/added_names.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

namespace {

// Families of Google's with accelerators built in.
constexpr auto kFamilies = std::to_array<std::string_view>({"a2-", "a3-", "a4-", "a4x-", "g2-", "g4-"});

// The form factor that a text says, where it is not the usual one of boards for servers.
std::string_view form_in(std::string_view text) {
    const std::string all = lower(text);
    for (const std::string_view form : {"PCIe", "NVL"}) {
        if (all.find(lower(form)) != std::string::npos) {
            return form;
        }
    }
    return "";
}

} // namespace

NamedAccelerators name_accelerators(std::string_view instance, std::string_view accelerator, std::string_view model) {
    const AddedNames* const added = NamesInUse::current();
    if (const auto device = added != nullptr ? added->find_device(folded_name(instance)) : std::nullopt) {
        return {{*device, 1}, ""}; // a part of a device too, stored as one of its own
    }
    if (const auto machine = instance_of(instance)) {
        return {*machine, ""};
    }
    if (const auto device = added != nullptr ? added->find_device(folded_name(accelerator)) : std::nullopt) {
        return {{*device, 0}, ""};
    }
    const auto plain = device_of(accelerator);
    std::string_view form = form_in(instance);
    form = form.empty() ? form_in(model) : form;
    const bool is_module = plain && plain->find("-sxm") != std::string::npos; // what has other form factors too
    if (!is_module || form.empty()) {
        return plain
                   ? NamedAccelerators{{*plain, 0}, ""}
                   : NamedAccelerators{
                         {}, fmt::format("AcceleratorName is {}, which no alias knows; store an alias (/v1/aliases)", accelerator)};
    }
    const std::string name = fmt::format("{}{} {}", accelerator, lower(accelerator) == "a100" ? "-40GB" : "", form);
    const auto formed = device_of(name);
    return formed ? NamedAccelerators{{*formed, 0}, ""}
                  : NamedAccelerators{
                        {}, fmt::format("the accelerator is {}, which no alias knows; store an alias (/v1/aliases)", name)};
}

const KnownAccelerators::Found& KnownAccelerators::find(std::string_view instance, std::string_view accelerator,
                                                        std::string_view gpu_info) {
    constexpr std::size_t kMaxKept = 100'000;
    const std::string_view model = model_in(gpu_info);
    key_.assign(instance).append(1, '\0').append(accelerator).append(1, '\0').append(model);
    const auto known = found_.find(key_);
    if (known != found_.end()) {
        return known->second;
    }
    if (found_.size() >= kMaxKept) {
        found_.clear();
    }
    NamedAccelerators named = name_accelerators(instance, accelerator, model);
    const Found found{names_.intern(named.machine.device), named.machine.devices, std::move(named.reason)};
    return found_.emplace(key_, found).first->second;
}

std::string_view model_in(std::string_view gpu_info) {
    constexpr std::string_view kName = "'Name': '";
    const std::size_t begin = gpu_info.find(kName);
    if (begin == std::string_view::npos) {
        return gpu_info.starts_with("{") ? std::string_view() : gpu_info;
    }
    const std::string_view rest = gpu_info.substr(begin + kName.size());
    return rest.substr(0, rest.find('\''));
}

bool is_accelerator_family(std::string_view instance) {
    const std::string type = lower(instance);
    return std::any_of(kFamilies.begin(), kFamilies.end(), [&](std::string_view family) { return type.starts_with(family); });
}

} // namespace costcurve::imports
