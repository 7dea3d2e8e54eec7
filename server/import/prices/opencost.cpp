// OpenCost's custom price sheets: prices of nodes and GPUs an hour, in USD. EndTimestamp is when a price ends.
#include <map>

#include <fmt/format.h>

#include "server/import/identity/aliases.hpp"
#include "server/import/prices/prices.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/read_rows.hpp"

namespace costcurve::imports {

namespace {

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
    OpenCostReader(Table& table, const Options& options, Report& report)
        : table_(table), options_(options), report_(report), end_(table.column("EndTimestamp")), id_(table.column("InstanceID")),
          region_(table.column("Region")), asset_(table.column("AssetClass")), type_(table.column("InstanceType")),
          price_(table.column("MarketPriceHourly")), day_(day_of_option(options)) {}

    std::string read_row() {
        const std::string asset = lower(table_.text(asset_));
        if (asset == "pv") {
            ++report_.skipped; // storage
            return "";
        }
        return asset == "gpu"    ? read_gpu()
               : asset == "node" ? read_node()
                                 : fmt::format("AssetClass is {}; node, gpu or pv is needed", table_.text(asset_));
    }
    static HardError finish() { return {}; }

private:
    std::string read_gpu() {
        const std::string_view id = table_.text(id_);
        const Label label = label_of(id);
        const auto device = device_of(label.name);
        return device ? add_offer(id, {*device, 1}, label.purchase)
                      : fmt::format("the GPU is {}, which no alias knows; store an alias (/v1/aliases)", id);
    }

    std::string read_node() {
        const std::string_view type = table_.text(type_);
        const auto machine = instance_of(type);
        return machine
                   ? add_offer(type, *machine, model::Purchase::on_demand)
                   : fmt::format("node {} has InstanceType \"{}\", which names no accelerators; write an instance type that does",
                                 table_.text(id_), type);
    }

    std::string add_offer(std::string_view sku, const Machine& machine, model::Purchase purchase) {
        const Number price = table_.amount(price_);
        if (!price || price.value <= 0.0) {
            return fmt::format("MarketPriceHourly is {}; a price above 0 is needed", table_.shown(price_));
        }
        const std::string_view end_text = table_.text(end_);
        const auto end = parse_moment(end_text);
        if (!end && !end_text.empty()) {
            return fmt::format("EndTimestamp is {}; a moment such as 2028-01-06 23:34:45 UTC is needed, or nothing", end_text);
        }
        if (end && day_of(*end) < day_) {
            return fmt::format("the price ended on {}, before the option date {}", end_text, options_.date);
        }
        const std::string_view region = table_.text(region_);
        model::Offer offer = offer_of(provider_of(options_.provider), std::string(sku), machine.device, machine.devices,
                                      dollars_or_option(options_));
        offer.region = region.empty() ? options_.region : region;
        offer.source = price_source(options_, sku);
        offer.note = "From a price sheet of a cluster's owner.";
        offer.purchase = purchase;
        offer.id = offer_id(offer, offer.region);
        offer.hourly_price = price_since(day_, price.value);
        const auto [seen, is_new] = seen_.try_emplace(offer.id, price.value);
        if (is_new || seen->second != price.value) { // given twice, a merge disputes it
            report_.add(std::move(offer));
        } else {
            ++report_.skipped;
        }
        return "";
    }

    Table& table_;
    const Options& options_;
    Report& report_;
    Column end_, id_, region_, asset_, type_, price_;
    double day_;
    std::map<std::string, double> seen_; // prices by id
};

} // namespace

HardError read_opencost(Bytes& bytes, const Options& options, Report& report) {
    return read_rows<OpenCostReader>(bytes, {"EndTimestamp", "InstanceID", "AssetClass", "MarketPriceHourly"}, options, report,
                                     "prices");
}

} // namespace costcurve::imports
