// Accelerators and hosts with prices of their own, added up by place.
#include "server/import/prices/hosts_apart.hpp"

#include <fmt/format.h>

namespace costcurve::imports {

namespace {

// Hosts that Google's accelerators without a family of their own are attached to, and the vCPUs of one for an accelerator: as many
// as Azure and Amazon give one of their machines with a T4.
constexpr std::string_view kAttachable = "n1-standard-";
constexpr int kHostCpus = 4;

} // namespace

bool is_attachable_host(std::string_view type) { return type.starts_with(kAttachable); }

void HostsApart::add_attachable(std::string_view type, const SoldItem& item) {
    attachable_.emplace(fmt::format("{} {}", item.place, type), item);
}

// What a user pays is host and accelerator. Several hosts can take the same accelerator.
void HostsApart::sell(const Sell& sell) {
    std::vector<bool> used(accelerators_.size());
    std::unordered_map<std::string, std::size_t> places;
    const auto key = [](const SoldItem& item) {
        return fmt::format("{} {} {} {}", item.place, item.device, item.devices, item.is_mega);
    };
    for (std::size_t i = 0; i < accelerators_.size(); ++i) {
        places.emplace(key(accelerators_[i]), i);
    }
    for (SoldItem host : hosts_) {
        const auto found = places.find(key(host));
        if (found == places.end()) {
            report_.rejected.add(host.row, fmt::format("{} in {}: the file has no row of its {} x {}, whose price is to be added",
                                                       names_[host.sku], names_[host.place], host.devices, names_[host.device]));
            continue;
        }
        const SoldItem& accelerator = accelerators_[found->second];
        used[found->second] = true;
        if (host.prices.none()) {
            report_.warnings.add(
                host.row, fmt::format("the host's price is 0: row {} of the accelerator is taken for the whole", accelerator.row));
            host.prices = accelerator.prices;
            sell(host, "The host's row says 0: the accelerator's row has the whole price.");
        } else if (add_up(host, accelerator)) {
            sell(host, "The host's price and its accelerator's, added up.");
        }
    }
    for (std::size_t i = 0; i < accelerators_.size(); ++i) {
        if (!used[i]) {
            attach(accelerators_[i], sell);
        }
    }
    report_.skipped += attachable_.size() - hosts_used_.size(); // as all hosts that have no accelerator
}

// Google attaches what it has no family for to any N1 host: the price is that of the accelerators and one with four vCPUs for
// each.
void HostsApart::attach(const SoldItem& accelerator, const Sell& sell) {
    const std::string type = fmt::format("{}{}", kAttachable, kHostCpus * accelerator.devices);
    const auto found = attachable_.find(fmt::format("{} {}", accelerator.place, type));
    if (found == attachable_.end()) {
        report_.rejected.add(accelerator.row,
                             fmt::format("{} in {} is an accelerator alone, and the file has no host for it (its own type, or {}); "
                                         "no offer is made",
                                         names_[accelerator.sku], names_[accelerator.place], type));
        return;
    }
    SoldItem host = found->second;
    host.sku = names_.intern(fmt::format("{} + {}", type, names_[accelerator.sku]));
    host.device = accelerator.device;
    host.devices = accelerator.devices;
    if (add_up(host, accelerator)) {
        hosts_used_.insert(found->second.row);
        sell(host, "The host's price and its accelerator's, added up; the host has four vCPUs for each.");
    }
}

// False where no price has both halves.
bool HostsApart::add_up(SoldItem& host, const SoldItem& accelerator) {
    const auto add = [&](std::string_view name, double& price, double added) {
        if ((price > 0.0) != (added > 0.0)) {
            const bool host_has_none = price <= 0.0;
            report_.warnings.add(host.row,
                                 fmt::format("{}: the {} (row {}) has none; no offer is made of the other half", name,
                                             host_has_none ? "host" : "accelerator", host_has_none ? host.row : accelerator.row));
            price = 0.0;
        }
        price += price > 0.0 ? added : 0.0;
    };
    add("Price", host.prices.on_demand, accelerator.prices.on_demand);
    add("SpotPrice", host.prices.spot, accelerator.prices.spot);
    return !host.prices.none();
}

} // namespace costcurve::imports
