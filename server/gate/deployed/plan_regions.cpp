// A resource names its provider's block in the plan's configuration, module by module.
#include "server/gate/deployed/plan_regions.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "model/documents/text.hpp"

namespace costcurve::gate::deployed {

namespace {

// Of the plan's providers, by our names.
struct ProviderRow {
    std::string_view provider;
    std::string_view name;
    std::string_view region;
};
constexpr auto kProviders = std::to_array<ProviderRow>(
    {{"aws", "aws", "region"}, {"gcp", "google", "region"}, {"azure", "azurerm", "location"}, {"lambda", "lambdalabs", "region"}});

std::string region_of_block(const JsonValue& plan, const ProviderRow& row, const JsonValue& block) {
    const JsonValue* const region = at_path(block, fmt::format("expressions/{}", row.region));
    if (region == nullptr) {
        return "";
    }
    const std::string reference = at_path(*region, "references/1") == nullptr ? text_at(*region, "references/0") : "";
    const std::string constant = text_at(*region, "constant_value");
    return region_of(row.provider, constant.empty() && reference.starts_with("var.")
                                       ? text_at(plan, fmt::format("variables/{}/value", reference.substr(4)))
                                       : constant);
}

} // namespace

// us-east-1a and us-central1-a are zones; East US is eastus.
std::string region_of(std::string_view provider, std::string place) {
    if (provider == "azure") {
        std::erase(place, ' ');
        return model::lower(place);
    }
    const auto dashes = std::ranges::count(place, '-');
    const bool ends_in_letter = !place.empty() && place.back() >= 'a' && place.back() <= 'z';
    if (provider == "aws") {
        return ends_in_letter && dashes >= 2 ? place.substr(0, place.size() - 1) : place;
    }
    return dashes >= 2 ? place.substr(0, place.rfind('-')) : place;
}

PlanRegions::PlanRegions(const JsonValue& plan) : plan_(plan) {
    if (const JsonValue* const root = at_path(plan, "configuration/root_module")) {
        add_blocks(*root, "");
    }
}

// NOLINTNEXTLINE(misc-no-recursion): no deeper than 32 levels, which was checked
void PlanRegions::add_blocks(const JsonValue& module, const std::string& path) {
    if (const JsonValue* const resources = module.find("resources")) {
        for (const JsonValue& resource : resources->entries()) {
            if (std::string block = text_at(resource, "provider_config_key"); !block.empty()) {
                blocks_[path + text_at(resource, "address")] = std::move(block);
            }
        }
    }
    if (const JsonValue* const calls = module.find("module_calls")) {
        for (const JsonMember& call : calls->members()) {
            if (const JsonValue* const child = call.value.find("module")) {
                add_blocks(*child, fmt::format("{}module.{}.", path, call.name));
            }
        }
    }
}

std::string PlanRegions::of_resource(std::string_view provider, const std::string& address) const {
    const JsonValue* const all = at_path(plan_, "configuration/provider_config");
    if (all == nullptr) {
        return "";
    }
    const ProviderRow& row = *std::ranges::find(kProviders, provider, &ProviderRow::provider);
    const auto named = blocks_.find(address);
    std::set<std::string> regions;
    for (const JsonMember& block : all->members()) {
        const std::string name = text_at(block.value, "name");
        const bool is_its = named != blocks_.end() ? block.name == named->second : (name.empty() ? block.name : name) == row.name;
        if (is_its) {
            regions.insert(region_of_block(plan_, row, block.value));
        }
    }
    return regions.size() == 1 ? *regions.begin() : "";
}

} // namespace costcurve::gate::deployed
