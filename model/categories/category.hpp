// The categories of cost, with a table of their properties.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "model/documents/enum_names.hpp"

namespace costcurve::model {

/// Categories of cost (model.md, section 8).
enum class Category {
    compute,
    usage,
    commitment,
    hardware,
    facility,
    energy,
    demand_charge,
    maintenance,
    software,
    staff,
    network,
    storage,
    egress,
    engineering,
    carbon,
    unserved,
    disposal,
    lease,
    financing,
    other,
    count_
};
template <>
inline constexpr auto enum_names<Category> =
    std::to_array<std::string_view>({"compute",     "usage",    "commitment", "hardware", "facility",  "energy", "demand_charge",
                                     "maintenance", "software", "staff",      "network",  "storage",   "egress", "engineering",
                                     "carbon",      "unserved", "disposal",   "lease",    "financing", "other"});

inline constexpr std::size_t kCategories = static_cast<std::size_t>(Category::count_);

/// Groups of categories in charts that compare plans, in the charts' order.
enum class CategoryGroup { rented, servers, facility, energy, people };
template <>
inline constexpr auto enum_names<CategoryGroup> = std::to_array<std::string_view>({"tokens and rented GPUs", "servers", "facility",
                                                                                   "energy and carbon",
                                                                                   "people, network, porting, other"});

/// Properties of a category; a new category needs a row.
struct CategoryRow {
    std::string_view label; ///< of charts and explanations
    /// Colours on light and dark pages: indigo for compute, greys and muted tones for the rest, so that they aren't mistaken for
    /// scenarios (which use the palette of Okabe and Ito, 2008). Contrast to white and to the dark page's card (#161b22) is at
    /// least 3 (WCAG 2.2, 1.4.11).
    std::string_view light, dark;
    /// Whether a scenario may state yearly price growth for it, and whether the inflation rate is the default.
    enum class Growth { none, where_stated, inflates } growth;
    bool is_of_devices; ///< in comparisons of plans: part of the cost of a device-hour; false: listed as a reason of its own
    CategoryGroup group;
    std::string_view focus_service; ///< FOCUS's ServiceCategory, a closed list (focus.finops.org, 1.2)
};
/// One row for each Category, in its order.
inline constexpr auto kCategoryRows = [] {
    using Growth = CategoryRow::Growth;
    using Group = CategoryGroup;
    return std::to_array<CategoryRow>({
        {"compute", "#35426f", "#b3bef0", Growth::none, true, Group::rented, "Compute"},
        {"API usage", "#5b6cab", "#93a2e0", Growth::where_stated, false, Group::rented, "AI and Machine Learning"},
        {"commitment", "#7c89bd", "#6f7fbf", Growth::none, true, Group::rented, "Compute"},
        {"hardware", "#3f4a56", "#d5dbe1", Growth::none, true, Group::servers, "Compute"},
        {"facility", "#7f8a96", "#808b97", Growth::inflates, true, Group::facility, "Other"},
        {"energy", "#56808f", "#8fb6c4", Growth::none, false, Group::energy, "Other"},
        {"demand charge", "#3f6571", "#6f97a5", Growth::inflates, false, Group::facility, "Other"},
        {"maintenance", "#66717d", "#a3adb7", Growth::inflates, true, Group::servers, "Other"},
        {"software", "#54586a", "#b7bacb", Growth::inflates, true, Group::servers, "Other"},
        {"staff", "#5f6b58", "#b5c2a8", Growth::inflates, false, Group::people, "Other"},
        {"network", "#7f8a77", "#8f9c85", Growth::inflates, false, Group::people, "Networking"},
        {"storage", "#6f7d74", "#a3b3a8", Growth::inflates, false, Group::people, "Storage"},
        {"data egress", "#8a8a8a", "#9a9a9a", Growth::where_stated, false, Group::people, "Networking"},
        {"engineering", "#6a5f56", "#b9aca0", Growth::none, false, Group::people, "Other"},
        {"carbon price", "#4d5357", "#c0c6ca", Growth::none, false, Group::energy, "Other"},
        {"unserved demand", "#b3261e", "#ff8f85", Growth::none, false, Group::people, "Other"},
        {"disposal", "#86698f", "#c4a6ce", Growth::none, true, Group::servers, "Other"},
        {"lease", "#8a7682", "#b7a3b0", Growth::none, true, Group::servers, "Compute"},
        {"financing", "#655470", "#a592b1", Growth::none, true, Group::servers, "Other"},
        {"other", "#857e76", "#b0a89f", Growth::inflates, false, Group::people, "Other"},
    });
}();
static_assert(kCategoryRows.size() == kCategories);
static_assert(std::all_of(kCategoryRows.begin(), kCategoryRows.end(),
                          [](const CategoryRow& row) { return !row.focus_service.empty(); }));

[[nodiscard]] constexpr const CategoryRow& row_of(Category category) { return kCategoryRows[static_cast<std::size_t>(category)]; }

/// Categories that are charged directly to one workload; all others are allocated by device-hours.
inline constexpr std::array kDirect = {Category::usage, Category::egress, Category::engineering, Category::unserved};

constexpr bool is_direct(std::size_t category) {
    for (const Category direct : kDirect) {
        if (static_cast<std::size_t>(direct) == category) {
            return true;
        }
    }
    return false;
}

} // namespace costcurve::model
