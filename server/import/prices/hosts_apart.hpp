// Accelerators and hosts that a price list has in rows of their own, as Google sells them: what a user pays is the sum.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/import/report.hpp"
#include "server/import/text/string_pool.hpp"

namespace costcurve::imports {

/// USD an hour; 0 where there is none.
struct HourPrices {
    double on_demand = 0.0;
    double spot = 0.0;
    [[nodiscard]] bool none() const { return on_demand <= 0.0 && spot <= 0.0; }
    bool operator==(const HourPrices&) const = default;
};

/// What is sold: one row, a host with its accelerator, or a slice. Texts are numbers of names.
struct SoldItem {
    std::size_t row = 0;
    std::uint32_t sku = 0, region = 0;
    std::uint32_t place = 0; // the zone, else the region
    std::uint32_t device = 0;
    int devices = 0;
    bool is_mega = false; // H100 Mega: another host and network, the same board
    HourPrices prices;
};

/// True of a host that accelerators without a family of their own are attached to ("n1-standard-4").
[[nodiscard]] bool is_attachable_host(std::string_view type);

/// Rows are added in any order; `sell` puts them together at the end of the list.
class HostsApart {
public:
    using Sell = std::function<void(const SoldItem& item, std::string_view note)>;

    HostsApart(StringPool& names, Report& report) : names_(names), report_(report) {}
    void add_host(const SoldItem& item) { hosts_.push_back(item); } ///< of a type with certain accelerators
    void add_accelerator(const SoldItem& item) { accelerators_.push_back(item); }
    void add_attachable(std::string_view type, const SoldItem& item);
    /// Hands on each host with its accelerator; complains of halves.
    void sell(const Sell& sell);

private:
    void attach(const SoldItem& accelerator, const Sell& sell);
    bool add_up(SoldItem& host, const SoldItem& accelerator);

    StringPool& names_;
    Report& report_;
    std::vector<SoldItem> hosts_, accelerators_;
    std::unordered_map<std::string, SoldItem> attachable_; // by place and type
    std::set<std::size_t> hosts_used_;                     // rows of attachable ones
};

} // namespace costcurve::imports
