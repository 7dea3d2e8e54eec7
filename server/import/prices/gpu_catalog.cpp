// The catalogue of GPUs that llm-d-planner keeps: what one costs an hour at each cloud, in round numbers kept by hand.
#include <optional>
#include <set>

#include <fmt/format.h>

#include "server/import/identity/aliases.hpp"
#include "server/import/prices/prices.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/json.hpp"

namespace costcurve::imports {

namespace {

// The device that the names of an entry agree on: all of those that the table of aliases knows.
std::set<std::string> entry_devices(const Json& gpu) {
    std::set<std::string> devices;
    const auto add = [&](std::string_view name) {
        if (auto device = device_of(name)) {
            devices.insert(std::move(*device));
        }
    };
    add(text_of(gpu, "gpu_type"));
    add(text_of(gpu, "node_selector_label"));
    for (const std::string_view alias : texts_of(gpu, "aliases")) {
        add(alias);
    }
    return devices;
}

void add_offer(std::string_view name, std::string_view cloud, const std::string& device, double price, const Options& options,
               Report& report) {
    model::Offer offer = offer_of(cloud == "usd" ? "market" : provider_of(cloud), fmt::format("1x {}", name), device, 1, "USD");
    offer.id = make_id({"gpu-catalog", offer.provider, name, "on-demand"});
    offer.source = price_source(options, fmt::format("{} cost_per_hour_{}", name, cloud));
    offer.note = cloud == "usd" ? "A round number kept by hand, of one GPU, of no cloud in particular."
                                : "A round number kept by hand, of one GPU; the cloud's instances may have several.";
    offer.hourly_price = price_since(day_of_option(options), price);
    report.add(std::move(offer));
}

// One that is there twice is given twice: a merge disputes it where its prices differ.
void read_gpu(const Json& gpu, const Options& options, Report& report) {
    constexpr std::string_view kPrefix = "cost_per_hour_";
    const std::string_view name = text_of(gpu, "gpu_type");
    const std::set<std::string> devices = entry_devices(gpu);
    const auto reject = [&](std::string reason) { report.rejected.add(report.rows, std::move(reason)); };
    const auto members = object_of(gpu);
    if (!members || name.empty()) {
        reject("it has no gpu_type; a name is needed");
        return;
    }
    if (devices.size() != 1) {
        reject(devices.empty()
                   ? fmt::format("gpu_type is {}, which no alias knows; store an alias (/v1/aliases)", name)
                   : fmt::format("{} names both {} and {}; one device is needed", name, *devices.begin(), *devices.rbegin()));
        return;
    }
    bool any = false;
    for (const auto entry : *members) {
        if (!entry.key.starts_with(kPrefix) || entry.value.is_null()) {
            continue;
        }
        const Number price = number_of(gpu, entry.key);
        if (price.state == Number::State::bad || price.value <= 0.0) {
            reject(fmt::format("{}: {} is no price; a number above 0 is needed, or null", name, entry.key));
            continue;
        }
        any = true;
        add_offer(name, entry.key.substr(kPrefix.size()), *devices.begin(), price.value, options, report);
    }
    if (!any) {
        reject(fmt::format("{} has no cost_per_hour_… above 0", name));
    }
}

} // namespace

HardError read_gpu_catalog(Bytes& bytes, const Options& options, Report& report) {
    const JsonFile file(bytes);
    if (!file.root()) {
        return file.error();
    }
    const auto gpus = list_of(*file.root(), "gpu_types");
    if (!gpus || gpus->size() == 0) {
        return hard_error(model::Code::missing, 0, "an object with a list gpu_types is needed");
    }
    for (const Json gpu : *gpus) {
        ++report.rows;
        read_gpu(gpu, options, report);
    }
    return std::nullopt;
}

} // namespace costcurve::imports
