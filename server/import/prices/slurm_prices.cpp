// SkyPilot's template of on-premises prices for Slurm clusters: a price of an accelerator an hour. Prices of a vCPU and a GB are
// of hosts whose size the file does not say.
#include <set>

#include <fmt/format.h>

#include "server/import/identity/aliases.hpp"
#include "server/import/prices/prices.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/table.hpp"

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
    while (table.next()) {
        ++report.rows;
        const std::string_view accelerator = table.text(name);
        const Number price = table.amount(price_column);
        const auto device = device_of(accelerator);
        if (!price || price.value <= 0.0) {
            report.rejected.add(table.row(),
                                fmt::format("PricePerAccelerator is {}; fill in a price above 0 an hour: zero is not a price",
                                            table.shown(price_column)));
            continue;
        }
        if (!device) {
            report.rejected.add(
                table.row(),
                fmt::format("AcceleratorName is \"{}\", which no alias knows; write a name such as H100", accelerator));
            continue;
        }
        const std::string_view place = table.text(zone).empty() ? table.text(region) : table.text(zone);
        model::Offer offer;
        offer.provider = provider_of(options.provider);
        offer.region = table.text(region);
        offer.zone = place == offer.region ? "" : place;
        offer.sku = fmt::format("1x {}", accelerator);
        offer.id = make_id({offer.provider, offer.sku, place, "on-demand"});
        offer.source = price_source(options, accelerator);
        offer.note = "Of one accelerator; vCPUs and memory of the host are not in it.";
        offer.device = device_reference(*device);
        offer.devices = 1;
        offer.hourly_price = price_since(day_of_option(options), price.value);
        offer.currency = dollars_or_option(options);
        if (seen.insert(offer.id).second) {
            report.add(std::move(offer));
        } else {
            report.rejected.add(table.row(), fmt::format("{} stands above already; the first price is kept, remove one", offer.id));
        }
    }
    if (!table.error() && report.rows == 0) {
        return hard_error(model::Code::bad_format, 0, "the file has column names and no rows; rows of prices are needed");
    }
    return table.error();
}

} // namespace costcurve::imports
