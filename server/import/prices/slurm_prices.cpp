// SkyPilot's template of on-premises prices for Slurm clusters: a price of an accelerator an hour. Prices of a vCPU and a GB are
// of hosts whose size the file does not say.
#include <set>

#include <fmt/format.h>

#include "server/import/identity/aliases.hpp"
#include "server/import/prices/prices.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/read_rows.hpp"

namespace costcurve::imports {

HardError read_slurm_prices(Bytes& bytes, const Options& options, Report& report) {
    Table table(bytes);
    if (!table.require({"Region", "PricePerVCPU", "PricePerMemoryGB", "AcceleratorName", "PricePerAccelerator"})) {
        return table.error();
    }
    const Column region = table.column("Region");
    const Column zone = table.column("Zone");
    const Column name = table.column("AcceleratorName");
    const Column price_column = table.column("PricePerAccelerator");
    std::set<std::string> seen;
    HardError error = each_row(table, report, [&]() -> std::string {
        const std::string_view accelerator = table.text(name);
        const Number price = table.amount(price_column);
        const auto device = device_of(accelerator);
        if (!price || price.value <= 0.0) {
            return fmt::format("PricePerAccelerator is {}; fill in a price above 0 an hour: zero is not a price",
                               table.shown(price_column));
        }
        if (!device) {
            return fmt::format("AcceleratorName is \"{}\", which no alias knows; write a name such as H100", accelerator);
        }
        const std::string_view place = table.text(zone).empty() ? table.text(region) : table.text(zone);
        model::Offer offer =
            offer_of(provider_of(options.provider), fmt::format("1x {}", accelerator), *device, 1, dollars_or_option(options));
        offer.region = table.text(region);
        offer.zone = place == offer.region ? "" : place;
        offer.id = make_id({offer.provider, offer.sku, place, "on-demand"});
        offer.source = price_source(options, accelerator);
        offer.note = "Of one accelerator; vCPUs and memory of the host are not in it.";
        offer.hourly_price = price_since(day_of_option(options), price.value);
        if (!seen.insert(offer.id).second) {
            return fmt::format("{} stands above already; the first price is kept, remove one", offer.id);
        }
        report.add(std::move(offer));
        return "";
    });
    if (!error && report.rows == 0) {
        return hard_error(model::Code::bad_format, 0, "the file has column names and no rows; rows of prices are needed");
    }
    return error;
}

} // namespace costcurve::imports
