// A resource names its provider's block, and what it refers to, in the plan's configuration, module by module.
#include "server/gate/deployed/plan_regions.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <utility>

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

// A plan has the variables of an expression and not what is made of them: replace(var.region, "eu", "us") is as var.region. One
// that is marked sensitive is not read.
ProviderRegion region_of_block(const JsonValue& plan, const ProviderRow& row, const JsonValue& block) {
    constexpr std::string_view kVariable = "var.";
    const JsonValue* const region = at_path(block, fmt::format("expressions/{}", row.region));
    if (region == nullptr) {
        return {};
    }
    const std::string name = at_path(*region, "references/1") == nullptr ? text_at(*region, "references/0") : "";
    if (!name.starts_with(kVariable) ||
        at_path(plan, fmt::format("configuration/root_module/variables/{}/sensitive", name.substr(kVariable.size()))) != nullptr) {
        return {region_of(row.provider, text_at(*region, "constant_value")), ""};
    }
    return {region_of(row.provider, text_at(plan, fmt::format("variables/{}/value", name.substr(kVariable.size())))), name};
}

// Where pools name the cluster that they are of.
constexpr auto kClusterFields = std::to_array<std::string_view>({"kubernetes_cluster_id", "cluster"});

// The one resource that an expression refers to, without index and attribute; "" where it is none, or one of several.
std::string resource_in(const JsonValue& expression) {
    std::set<std::string> resources;
    const JsonValue* const references = expression.find("references");
    for (const JsonValue& reference : references == nullptr ? std::span<const JsonValue>() : references->entries()) {
        const std::string plain = without_indices(reference.text());
        const std::size_t name = plain.find('.');
        if (name != std::string::npos && !plain.starts_with("each.") && !plain.starts_with("count.")) {
            resources.insert(plain.substr(0, plain.find('.', name + 1)));
        }
    }
    return resources.size() == 1 ? *resources.begin() : "";
}

} // namespace

// Keys of for_each are texts of JSON, which may have brackets of their own.
std::string without_indices(std::string_view address) {
    std::string plain;
    bool is_inside = false;
    bool is_quoted = false;
    for (std::size_t i = 0; i < address.size(); ++i) {
        const char c = address[i];
        if (is_quoted && c == '\\') {
            ++i;
        } else if (is_inside && c == '"') {
            is_quoted = !is_quoted;
        } else if (!is_quoted && (c == '[' || c == ']')) {
            is_inside = c == '[';
        } else if (!is_inside) {
            plain += c;
        }
    }
    return plain;
}

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
    if (const JsonValue* const root = at_path(plan, "planned_values/root_module")) {
        add_values(*root);
    }
}

// NOLINTNEXTLINE(misc-no-recursion): no deeper than 32 levels, which was checked
void PlanRegions::add_values(const JsonValue& module) {
    const auto entries_of = [&](std::string_view name) {
        const JsonValue* const list = module.find(name);
        return list == nullptr ? std::span<const JsonValue>() : list->entries();
    };
    for (const JsonValue& resource : entries_of("resources")) {
        if (const JsonValue* const values = resource.find("values")) {
            values_[without_indices(text_at(resource, "address"))].push_back(values);
        }
    }
    for (const JsonValue& child : entries_of("child_modules")) {
        add_values(child);
    }
}

// NOLINTNEXTLINE(misc-no-recursion): no deeper than 32 levels, which was checked
void PlanRegions::add_blocks(const JsonValue& module, const std::string& path) {
    if (const JsonValue* const resources = module.find("resources")) {
        for (const JsonValue& resource : resources->entries()) {
            if (std::string block = text_at(resource, "provider_config_key"); !block.empty()) {
                blocks_[path + text_at(resource, "address")] = std::move(block);
            }
            for (const std::string_view field : kClusterFields) {
                const JsonValue* const expression = at_path(resource, fmt::format("expressions/{}", field));
                if (const std::string cluster = expression == nullptr ? "" : resource_in(*expression); !cluster.empty()) {
                    clusters_[path + text_at(resource, "address")] = path + cluster;
                }
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

ProviderRegion PlanRegions::of_resource(std::string_view provider, const std::string& address) const {
    const JsonValue* const all = at_path(plan_, "configuration/provider_config");
    if (all == nullptr) {
        return {};
    }
    const ProviderRow& row = *std::ranges::find(kProviders, provider, &ProviderRow::provider);
    const auto named = blocks_.find(address);
    std::vector<ProviderRegion> regions; // each once
    for (const JsonMember& block : all->members()) {
        const std::string name = text_at(block.value, "name");
        const bool is_its = named != blocks_.end() ? block.name == named->second : (name.empty() ? block.name : name) == row.name;
        if (is_its) {
            ProviderRegion region = region_of_block(plan_, row, block.value);
            if (std::ranges::find(regions, region) == regions.end()) {
                regions.push_back(std::move(region));
            }
        }
    }
    return regions.size() == 1 ? regions.front() : ProviderRegion{};
}

const JsonValue* PlanRegions::cluster_of(const std::string& address) const {
    const auto named = clusters_.find(address);
    const auto found = named == clusters_.end() ? values_.end() : values_.find(named->second);
    const auto is_alike = [&](const JsonValue* values) {
        return text_at(*values, "location") == text_at(*found->second.front(), "location");
    };
    return found != values_.end() && std::ranges::all_of(found->second, is_alike) ? found->second.front() : nullptr;
}

} // namespace costcurve::gate::deployed
