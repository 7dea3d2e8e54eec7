// Prices of hosted models by provider, in USD per million tokens, input and output apart: curves over date for API pools.
#include <array>
#include <set>

#include <fmt/format.h>

#include "server/import/prices.hpp"
#include "server/import/readers.hpp"
#include "server/import/table.hpp"

namespace costcurve::imports {

namespace {

struct Side {
    Column column;
    std::string_view word;
};

// "Command-R+" is another model than "Command-R".
std::string model_slug(std::string_view name) {
    std::string text(name);
    for (std::size_t i = text.find('+'); i != std::string::npos; i = text.find('+', i)) {
        text.replace(i, 1, "-plus");
    }
    return make_id({text});
}

} // namespace

HardError read_api_prices(Bytes& bytes, const Options& options, Report& report) {
    Table table(bytes);
    if (!table.require({"model_name", "provider", "price_per_1m_input_tokens", "price_per_1m_output_tokens"})) {
        return table.error();
    }
    const Column model = table.column("model_name");
    const Column provider = table.column("provider");
    const auto sides = std::to_array<Side>(
        {{table.column("price_per_1m_input_tokens"), "input"}, {table.column("price_per_1m_output_tokens"), "output"}});
    const double day = day_of_option(options);
    std::set<std::string> seen;
    while (table.next()) {
        ++report.rows;
        const std::string_view name = table.text(model);
        const std::string_view host = table.text(provider);
        if (name.empty() || host.empty()) {
            report.rejected.add(table.row(), "model_name or provider is blank; both are needed");
            continue;
        }
        for (const Side& side : sides) {
            const Number price = table.amount(side.column);
            if (!price || price.value <= 0.0) {
                report.rejected.add(
                    table.row(), fmt::format("the price of {} tokens is {}; a number above 0 is needed: zero and blank are "
                                             "not prices",
                                             side.word, price.state == Number::State::blank ? "blank" : table.shown(side.column)));
                continue;
            }
            model::Curve curve = price_curve();
            curve.id = make_id({"api", provider_of(host), model_slug(name), side.word});
            curve.source = price_source(options, fmt::format("{} {}", host, name));
            curve.note = fmt::format("{} per million {} tokens.", dollars_or_option(options), side.word);
            static_cast<void>(add_point(curve, day, price.value));
            if (seen.insert(curve.id).second) {
                report.add(std::move(curve));
            } else {
                report.rejected.add(table.row(),
                                    fmt::format("{} stands above already; the first price is kept, remove one", curve.id));
            }
        }
    }
    if (!table.error() && report.rows == 0) {
        return hard_error(model::Code::bad_format, 0, "the file has column names and no rows; rows of models are needed");
    }
    return table.error();
}

} // namespace costcurve::imports
