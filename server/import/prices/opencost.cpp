// OpenCost's custom price sheets: prices of nodes and GPUs an hour, in USD. EndTimestamp is when a price ends.
#include <set>

#include <fmt/format.h>

#include "server/import/identity/aliases.hpp"
#include "server/import/prices/prices.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/table.hpp"

namespace costcurve::imports {

namespace {

struct OpenCostColumns {
    Column end, id, region, asset, type, price;
};

// A GPU's label may say how it is paid behind its name: "a100-ondemand".
struct Label {
    std::string_view name;
    model::Purchase purchase = model::Purchase::on_demand;
};
Label label_of(std::string_view id) {
    struct Row {
        std::string_view end;
        model::Purchase purchase;
    };
    static constexpr Row kEnds[] = {{"-ondemand", model::Purchase::on_demand},
                                    {"-on-demand", model::Purchase::on_demand},
                                    {"-spot", model::Purchase::spot},
                                    {"-reserved", model::Purchase::reserved}};
    const std::string text = lower(id);
    for (const Row& row : kEnds) {
        if (text.ends_with(row.end)) {
            return {id.substr(0, id.size() - row.end.size()), row.purchase};
        }
    }
    return {id};
}

class OpenCostReader {
public:
    OpenCostReader(Table& table, const OpenCostColumns& columns, const Options& options, Report& report)
        : table_(table), columns_(columns), options_(options), report_(report), day_(day_of_option(options)) {}

    void read_row() {
        const std::string asset = lower(table_.text(columns_.asset));
        if (asset == "pv") {
            ++report_.skipped; // storage
        } else if (asset == "gpu") {
            read_gpu();
        } else if (asset == "node") {
            read_node();
        } else {
            reject(fmt::format("AssetClass is {}; node, gpu or pv is needed", table_.text(columns_.asset)));
        }
    }

private:
    void reject(std::string reason) { report_.rejected.add(table_.row(), std::move(reason)); }

    void read_gpu() {
        const std::string_view id = table_.text(columns_.id);
        const Label label = label_of(id);
        const auto device = device_of(label.name);
        if (device) {
            add_offer(id, {*device, 1}, label.purchase);
        } else {
            reject(fmt::format("the GPU is {}, which no alias knows; store an alias (/v1/aliases)", id));
        }
    }

    void read_node() {
        const std::string_view type = table_.text(columns_.type);
        const auto machine = instance_of(type);
        if (machine) {
            add_offer(type, *machine, model::Purchase::on_demand);
        } else {
            reject(fmt::format("node {} has InstanceType \"{}\", which names no accelerators; write an instance type that does",
                               table_.text(columns_.id), type));
        }
    }

    void add_offer(std::string_view sku, const Machine& machine, model::Purchase purchase) {
        const Number price = table_.amount(columns_.price);
        if (!price || price.value <= 0.0) {
            reject(fmt::format("MarketPriceHourly is {}; a price above 0 is needed", table_.shown(columns_.price)));
            return;
        }
        const std::string_view end_text = table_.text(columns_.end);
        const auto end = parse_moment(end_text);
        if (!end && !end_text.empty()) {
            reject(fmt::format("EndTimestamp is {}; a moment such as 2028-01-06 23:34:45 UTC is needed, or nothing", end_text));
            return;
        }
        if (end && day_of(*end) < day_) {
            reject(fmt::format("the price ended on {}, before the option date {}", end_text, options_.date));
            return;
        }
        const std::string_view region = table_.text(columns_.region);
        model::Offer offer;
        offer.provider = provider_of(options_.provider);
        offer.region = region.empty() ? options_.region : region;
        offer.sku = sku;
        offer.source = price_source(options_, sku);
        offer.note = "From a price sheet of a cluster's owner.";
        offer.device = device_reference(machine.device);
        offer.devices = machine.devices;
        offer.purchase = purchase;
        offer.id = offer_id(offer, offer.region);
        offer.hourly_price = price_since(day_, price.value);
        offer.currency = dollars_or_option(options_);
        if (seen_.insert(offer.id).second) {
            report_.add(std::move(offer));
        } else {
            reject(fmt::format("{} stands above already; the first price is kept, remove one", offer.id));
        }
    }

    Table& table_;
    OpenCostColumns columns_;
    const Options& options_;
    Report& report_;
    double day_;
    std::set<std::string> seen_;
};

} // namespace

HardError read_opencost(Bytes& bytes, const Options& options, Report& report) {
    Table table(bytes);
    if (!table.require({"EndTimestamp", "InstanceID", "AssetClass", "MarketPriceHourly"})) {
        return table.error();
    }
    const OpenCostColumns columns{table.column("EndTimestamp"), table.column("InstanceID"),   table.column("Region"),
                                  table.column("AssetClass"),   table.column("InstanceType"), table.column("MarketPriceHourly")};
    OpenCostReader reader(table, columns, options, report);
    while (table.next()) {
        ++report.rows;
        reader.read_row();
    }
    if (!table.error() && report.rows == 0) {
        return hard_error(model::Code::bad_format, 0, "the file has column names and no rows; rows of prices are needed");
    }
    return table.error();
}

} // namespace costcurve::imports
