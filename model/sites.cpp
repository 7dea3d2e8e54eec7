// Groups sites by id, and compares documents by their field tables.
#include "model/sites.hpp"

#include <algorithm>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/documents/walk.hpp"

namespace costcurve::model {

namespace {

template <class T> std::string difference_in(const T& a, const T& b);

// A field's value as short text.
template <class M> std::string stated_value(const M& value) {
    if constexpr (std::is_enum_v<M>) {
        return std::string(name_of(value));
    } else if constexpr (std::is_same_v<M, std::string>) {
        return "\"" + value + "\"";
    } else if constexpr (is_optional<M>) {
        return value ? stated_value(*value) : "not stated";
    } else if constexpr (std::is_same_v<M, Curve>) {
        return fmt::format("a curve of {} points", value.x.size());
    } else if constexpr (std::is_same_v<M, Rate>) {
        return value.curve ? stated_value(*value.curve) : fmt::format("{}", value.number);
    } else if constexpr (has_fields<M>) {
        return "stated";
    } else if constexpr (is_table<M>) {
        return fmt::format("a table of {}", value.size());
    } else {
        return fmt::format("{}", value);
    }
}

template <class M> std::string stated_values(std::string_view name, const M& a, const M& b) {
    return fmt::format("{} is {} and {}", name, stated_value(a), stated_value(b));
}

template <class M> std::string difference_of(std::string_view name, const M& a, const M& b);

std::string difference_of_curves(std::string_view name, const Curve& a, const Curve& b) {
    const auto of = [&](std::string_view part) { return fmt::format("{}/{}", name, part); };
    for (const std::string& found :
         {difference_of(of("axis"), a.axis, b.axis), difference_of(of("interpolation"), a.interpolation, b.interpolation),
          difference_of(of("outside"), a.outside, b.outside)}) {
        if (!found.empty()) {
            return found;
        }
    }
    for (std::size_t i = 0; i < std::min(a.x.size(), b.x.size()); ++i) {
        if (a.x[i] != b.x[i] || a.y[i] != b.y[i]) {
            return fmt::format("{} is [{}, {}] and [{}, {}]", of(fmt::format("points/{}", i)), a.x[i], a.y[i], b.x[i], b.y[i]);
        }
    }
    return a.x.size() == b.x.size() ? "" : fmt::format("{} has {} entries and {}", of("points"), a.x.size(), b.x.size());
}

// "field is a and b" for the first nested field that differs; "" if a and b are equal.
// NOLINTNEXTLINE(readability-function-cognitive-complexity): one branch a type, chosen by the compiler
template <class M> std::string difference_of(std::string_view name, const M& a, const M& b) {
    if constexpr (is_optional<M>) {
        return a.has_value() == b.has_value() ? a ? difference_of(name, *a, *b) : "" : stated_values(name, a, b);
    } else if constexpr (std::is_same_v<M, Rate>) {
        return a.curve && b.curve                           ? difference_of_curves(name, *a.curve, *b.curve)
               : a.curve || b.curve || a.number != b.number ? stated_values(name, a, b)
                                                            : "";
    } else if constexpr (std::is_same_v<M, Curve>) {
        return difference_of_curves(name, a, b);
    } else if constexpr (std::is_same_v<M, Identity>) {
        return difference_of(name, a.id, b.id);
    } else if constexpr (std::is_same_v<M, Date>) {
        return difference_of(name, a.text, b.text);
    } else if constexpr (is_list_of_fields<M>) {
        for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
            if (std::string found = difference_in(a[i], b[i]); !found.empty()) {
                return fmt::format("{}/{}/{}", name, i, found);
            }
        }
        return a.size() == b.size() ? "" : fmt::format("{} has {} entries and {}", name, a.size(), b.size());
    } else if constexpr (has_fields<M>) {
        const std::string found = difference_in(a, b);
        return found.empty() ? "" : fmt::format("{}/{}", name, found);
    } else { // a number, a text, a name, a list or map of them
        return a == b ? "" : stated_values(name, a, b);
    }
}

template <class T> std::string difference_in(const T& a, const T& b) {
    std::string found;
    for_each_field<T>([&](const auto& field) {
        const bool is_annotation = field.name == "id" || field.name == "source" || field.name == "note";
        if (found.empty() && !is_annotation) {
            found = difference_of(field.name, a.*field.member, b.*field.member);
        }
    });
    return found;
}

} // namespace

std::vector<std::vector<std::size_t>> pools_by_site(const ScenarioDocument& scenario) {
    std::vector<std::vector<std::size_t>> sites;
    for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
        const Pool& pool = scenario.pools[p];
        if (pool.kind != PoolKind::owned || !pool.site) {
            continue;
        }
        const auto same = std::find_if(sites.begin(), sites.end(), [&](const std::vector<std::size_t>& pools) {
            return !pool.site->id.empty() && scenario.pools[pools.front()].site->id == pool.site->id;
        });
        if (same == sites.end()) {
            sites.push_back({p});
        } else {
            same->push_back(p);
        }
    }
    return sites;
}

std::vector<DemandCharge> demand_charges_of(const Site& site) {
    if (site.demand_charge_per_kw_month == 0.0) {
        return site.demand_charges;
    }
    DemandCharge plain;
    plain.per_kw_month = site.demand_charge_per_kw_month;
    return {plain};
}

std::string first_difference(const Site& a, const Site& b) { return difference_in(a, b); }
std::string first_difference(const Server& a, const Server& b) { return difference_in(a, b); }

} // namespace costcurve::model
