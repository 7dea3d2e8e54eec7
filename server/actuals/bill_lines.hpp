// Selects the bill lines that a question compares, with their exchange rates: by filter, currency and category.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "server/actuals/bill_match.hpp"

namespace costcurve::actuals {

enum class BillCategory { usage, purchase, tax, credit, adjustment, allocation };

/// Issue if category allocation is combined with another one: allocations redistribute the other categories' charges.
void check_categories(const std::vector<BillCategory>& categories, model::Failure& issues);
/// Replaces device names in filters by ids; an issue if a pool's entry has nothing to match by.
void check_bill_filters(std::vector<PoolBill>& pools, std::optional<BillMatch>& bill, model::Failure& issues);
/// Issues of entries whose pool the scenario doesn't have.
void check_pools(const std::vector<PoolBill>& pools, const model::ScenarioDocument& scenario, model::Failure& issues);

/// How a question uses a line.
struct LineUse {
    enum class Of { nothing, without_rate, apart, compared };
    Of of = Of::nothing;
    double rate = 1.0; ///< exchange rate of its currency to the scenario's
    model::Tags tags;
};

/// Sorts lines by their use. The arguments of the constructor must outlive it.
class BillLines {
public:
    /// Without categories, usage categories are compared.
    BillLines(const model::ScenarioDocument& scenario, const std::optional<BillMatch>& bill,
              const std::vector<BillCategory>& categories);
    /// How the question uses a line. Commitment purchases are kept apart, because covered charges already carry their cost.
    [[nodiscard]] LineUse use_of(const BillLine& line);
    /// Issues for currencies without an exchange rate.
    [[nodiscard]] model::Failure without_rate() const;

private:
    const model::ScenarioDocument& scenario_;
    const std::optional<BillMatch>& bill_;
    std::set<std::string, std::less<>> categories_;
    std::set<std::string> without_rate_;
};

} // namespace costcurve::actuals

namespace costcurve::model {

template <>
inline constexpr auto enum_names<actuals::BillCategory> = std::to_array<std::string_view>({"usage", "purchase", "tax", "credit",
                                                                                           "adjustment", "allocation"});

/// Rows of requests that compare lines of bills by pool.
template <class R>
inline constexpr auto bill_filter_fields =
    Rows{Field<R, std::vector<actuals::PoolBill>>{
             "pools",
             &R::pools,
             {.min = 1,
              .max = 1000,
              .help = "lines of pools, in place of those that fit their tags and offers; several entries of a pool add up"}},
         Field<R, std::optional<actuals::BillMatch>>{
             "bill", &R::bill, {.help = "of all lines, only those that fit; every one where absent"}},
         Field<R, std::vector<actuals::BillCategory>>{
             "categories",
             &R::categories,
             {.min = 1, .max = 6, .help = "of charges that are compared; usage where absent; the others stand in apart"}}};

} // namespace costcurve::model
