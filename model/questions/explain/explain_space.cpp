// Cost of space for servers, by power and by rack.
#include "model/assets.hpp"
#include "model/power.hpp"
#include "model/questions/explain/explain_parts.hpp"

namespace costcurve::model::terms {

void add_space(const Question& question, std::size_t p, const Scope& scope, std::vector<Term>& terms) {
    const Server& server = *question.document.pools[p].server;
    const std::vector<double>& racks = question.compiled.pools[p].racks;
    const std::vector<double>& index = question.document.pools[p].site->stored.exchange_index;
    std::vector<Term> by_kw;
    by_kw.push_back(server_months(question, p, scope, 1, "server-months"));
    by_kw.push_back(leaf(question, "nameplate of a server", "(host_max_w + devices × tdp_w) / 1000",
                         server_nameplate_w(server) / 1000, "kW/server",
                         {pool_at(p, "server/host_max_w"), pool_at(p, "server/devices"), pool_at(p, "server/device/tdp_w")}));
    by_kw.push_back(stated(question, "price of a kW", pool_at(p, "site/space_per_kw_month")));
    add_growth(
        question, Category::facility, scope, [&](std::size_t m) { return question.compiled.pools[p].units_paid[m]; }, by_kw, index);
    add_unless_zero(
        terms, product("space by power", "servers × nameplate kW × space_per_kw_month", question.currency(), std::move(by_kw)));
    if (!racks.empty()) {
        std::vector<Term> by_rack;
        by_rack.push_back(over_months(question, scope,
                                      {"rack-months",
                                       "⌈ servers / servers per rack ⌉",
                                       "rack-months",
                                       [&](std::size_t m) { return racks[m]; },
                                       {pool_at(p, "site/rack_kw"), pool_at(p, "server/rack_units")}}));
        by_rack.push_back(stated(question, "price of a rack", pool_at(p, "site/space_per_rack_month")));
        add_growth(
            question, Category::facility, scope, [&](std::size_t m) { return racks[m]; }, by_rack, index);
        add_unless_zero(terms,
                        product("space by the rack", "racks × space_per_rack_month", question.currency(), std::move(by_rack)));
    }
}

} // namespace costcurve::model::terms
