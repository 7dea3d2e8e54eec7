// Follows a pointer by means of the field tables; a * in it stands for every element.
#include "model/questions/wildcard.hpp"

#include <algorithm>
#include <initializer_list>
#include <span>
#include <type_traits>

#include "model/documents/walk.hpp"
#include "model/sites.hpp"

namespace costcurve::model {

namespace {

using NameSpan = std::span<const std::string>;

constexpr std::string_view kWildcard = "*";

template <class V>
inline constexpr bool is_by_class =
    std::is_same_v<V, UnitPrice> || std::is_same_v<V, UnitsPerRequest> || std::is_same_v<V, ClassWeights>;
// Whether the elements of a value of this type are named by an index or by a name from the document.
template <class V> inline constexpr bool is_collection = is_list_of_fields<V> || is_table<V> || is_by_class<V>;

class WildcardSearch {
public:
    std::vector<std::vector<std::string>> found;

    template <class M> void visit(const M& member, NameSpan names) {
        unwrap(member, [&]<class V>(const V& value) {
            if constexpr (std::is_same_v<V, double> || std::is_same_v<V, int>) {
                if (names.empty()) {
                    found.push_back(path_);
                }
            } else if constexpr (std::is_same_v<V, Curve>) {
                visit_curve(value, names);
            } else if constexpr (has_parts<V>) {
                visit_parts(value, names);
            }
        });
    }

private:
    void visit_curve(const Curve& curve, NameSpan names) {
        const bool is_point =
            names.size() == 3 && names[0] == "points" && index_of(names[1], curve.y.size()).has_value() && names[2] == "1";
        if (names.empty() || is_point) {
            found.push_back(path_);
            found.back().insert(found.back().end(), names.begin(), names.end());
        }
    }

    template <class V> void visit_parts(const V& value, NameSpan names) {
        const bool is_each = names.empty() ? is_by_class<V> : is_collection<V> && names.front() == kWildcard;
        if (is_each) {
            for_each_part(value, {}, [&](std::string_view name, const auto& part, const FieldSpec& /*spec*/) {
                enter(name, part, names.empty() ? names : names.subspan(1));
            });
        } else if (!names.empty()) {
            visit_part(value, names.front(), {},
                       [&](const auto& part, const FieldSpec& /*spec*/) { enter(names.front(), part, names.subspan(1)); });
        }
    }

    template <class M> void enter(std::string_view name, const M& part, NameSpan names) {
        path_.emplace_back(name);
        visit(part, names);
        path_.pop_back();
    }

    std::vector<std::string> path_;
};

// The places that the unit price of an API pool stands for: all prices that its hosted model states for the named pool or endpoint,
// above thresholds and in tiers. Factors of tiers and lifetimes scale with them; fees do not.
std::vector<std::vector<std::string>> meant_by(const std::vector<std::string>& names) {
    constexpr std::string_view kPrice = "price_per_million_units";
    const bool is_of_endpoint = names.size() == 4 && names[2] == "endpoint";
    if ((names.size() != 3 && !is_of_endpoint) || names[0] != "pools" || names.back() != kPrice) {
        return {names};
    }
    const std::vector<std::string> pool(names.begin(), names.begin() + 2);
    std::vector<std::vector<std::string>> all;
    const auto add = [&](std::vector<std::string> model) {
        const auto add_price = [&](std::initializer_list<std::string> within) {
            std::vector<std::string>& place = all.emplace_back(model);
            place.insert(place.end(), within);
            place.emplace_back(kPrice);
        };
        add_price({});
        add_price({"above", "*"});
        for_each_field<ServiceTiers>([&](const auto& field) {
            const std::string tier(field.name);
            add_price({"service_tiers", tier});
            add_price({"service_tiers", tier, "above", "*"});
        });
    };
    if (!is_of_endpoint) {
        add(pool);
    }
    add({pool[0], pool[1], "endpoint"});
    return all;
}

template <class M> void forget_on_way(M& member, NameSpan names) {
    unwrap(member, [&]<class V>(V& value) {
        if constexpr (is_stored<V>) {
            value.stored = {};
        }
        if constexpr (has_parts<V>) {
            if (!names.empty()) {
                visit_part(value, names.front(), {},
                           [&](auto& part, const FieldSpec& /*spec*/) { forget_on_way(part, names.subspan(1)); });
            }
        }
    });
}

} // namespace

bool has_wildcard(const std::vector<std::string>& names) { return std::find(names.begin(), names.end(), kWildcard) != names.end(); }

std::vector<std::vector<std::string>> expand_wildcards(const ScenarioDocument& scenario, const std::vector<std::string>& names) {
    WildcardSearch search;
    for (const std::vector<std::string>& place : meant_by(names)) {
        search.visit(scenario, place);
    }
    std::vector<std::vector<std::string>> all = search.found;
    for (const std::vector<std::string>& place : search.found) {
        for (std::vector<std::string>& other : same_site(scenario, place)) {
            if (std::find(all.begin(), all.end(), other) == all.end()) {
                all.push_back(std::move(other));
            }
        }
    }
    return all;
}

std::vector<std::vector<std::string>> same_site(const ScenarioDocument& scenario, const std::vector<std::string>& names) {
    std::vector<std::vector<std::string>> others;
    if (names.size() < 4 || names[0] != "pools" || names[2] != "site") {
        return others;
    }
    const std::size_t p = *index_of(names[1], scenario.pools.size());
    for (const std::vector<std::size_t>& pools : pools_by_site(scenario)) {
        for (const std::size_t q : pools) {
            if (q != p && std::find(pools.begin(), pools.end(), p) != pools.end()) {
                others.push_back(names);
                others.back()[1] = std::to_string(q);
            }
        }
    }
    return others;
}

void forget_stored(ScenarioDocument& scenario, const std::vector<std::string>& names) { forget_on_way(scenario, names); }

} // namespace costcurve::model
