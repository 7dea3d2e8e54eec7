// SkyPilot's catalogues of virtual machines: a row is an instance type in a zone, with its prices on demand and as spot, in USD
// an hour. Google's accelerators and hosts stand in rows of their own and are added up; its TPU slices are rows without a host.
#include <cmath>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "server/import/identity/accelerator_names.hpp"
#include "server/import/prices/hosts_apart.hpp"
#include "server/import/prices/prices.hpp"
#include "server/import/prices/slice_prices.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/read_rows.hpp"
#include "server/import/text/string_pool.hpp"
#include "server/import/text/table.hpp"

namespace costcurve::imports {

namespace {

/// HourPrices that differ by less were rounded differently (27.43298 and 27.433000).
constexpr double kPriceRounding = 1e-5;

// Hosts of type a3-mega… take the accelerators that are called H100-MEGA.
bool is_mega_host(std::string_view type) { return type.starts_with("a3-mega"); }
bool is_mega(std::string_view accelerator) { return lower(accelerator).find("mega") != std::string::npos; }

class SkyPilotReader {
public:
    SkyPilotReader(Table& table, const Options& options, Report& report)
        : table_(table), report_(report), provider_(provider_of(options.provider)), source_(price_source(options)),
          currency_(dollars_or_option(options)), day_(day_of_option(options)), instance_(table.column("InstanceType")),
          accelerator_(table.column("AcceleratorName")), count_(table.column("AcceleratorCount")), info_(table.column("GpuInfo")),
          region_(table.column("Region")), zone_(table.column("AvailabilityZone")), price_(table.column("Price")),
          spot_(table.column("SpotPrice")), upstream_(table.column("UpstreamCloudId")) {}

    // What can't be used is rejected where it is found.
    std::string read_row() {
        const std::string_view instance = table_.text(instance_);
        const std::string_view accelerator = table_.text(accelerator_);
        if (accelerator.empty()) {
            read_host(instance);
        } else if (const std::string name = lower(accelerator); name.starts_with("tpu")) {
            read_slice(name);
        } else if (instance.empty()) {
            read_accelerator(accelerator);
        } else {
            read_instance(instance, accelerator);
        }
        return "";
    }

    HardError finish() {
        hosts_.sell([this](const SoldItem& item, std::string_view note) { add_offers(item, note); });
        add_slices();
        return std::nullopt;
    }

private:
    // A cell as complaints name it.
    [[nodiscard]] std::string said(Column column) const {
        const std::string_view text = table_.text(column);
        return text.empty() ? "blank" : std::string(text);
    }

    void reject(std::string reason) { report_.rejected.add(table_.row(), std::move(reason)); }

    // False where the cell can't be read as a price at all.
    bool read_price(Column column, std::string_view name, double& price) {
        const Number number = table_.amount(column);
        if (number.state == Number::State::bad || number.value < 0.0) {
            reject(fmt::format("{} is {}; a price an hour above 0 is needed, or nothing", name, table_.shown(column)));
            return false;
        }
        price = number.value;
        return true;
    }

    // Of a host, zero is what is to be added to the accelerator's price; of anything else it is no price.
    bool read_prices(HourPrices& prices, bool of_host) {
        if (!read_price(price_, "Price", prices.on_demand) || !read_price(spot_, "SpotPrice", prices.spot)) {
            return false;
        }
        const bool says_zero = !table_.text(price_).empty() && prices.on_demand <= 0.0;
        if (prices.none() && !(of_host && says_zero)) {
            reject(fmt::format("Price is {} and SpotPrice is {}; zero is not a price, nor is what is blank", said(price_),
                               said(spot_)));
            return false;
        }
        if (!prices.none() && says_zero) {
            report_.warnings.add(table_.row(), "Price is 0, which is no price; the spot price alone is used");
        }
        return true;
    }

    // Region, zone and prices of the row; false where it was rejected, or is there already.
    bool read_item(std::string_view sku, SoldItem& item, bool of_host = false) {
        if (!read_prices(item.prices, of_host)) {
            return false;
        }
        const std::string_view zone = table_.text(zone_);
        const std::string_view region = table_.text(region_);
        item.row = table_.row();
        item.sku = names_.intern(sku);
        item.region = names_.intern(region);
        item.place = zone.empty() ? item.region : names_.intern(zone);
        return true;
    }

    // Exact duplicates are skipped; an offer of which the list has two prices is given twice, and a merge disputes it.
    bool is_no_copy(const SoldItem& item) {
        const std::uint64_t key = std::uint64_t{item.sku} << 32U | item.place;
        const auto [found, added] = seen_.try_emplace(key, Seen{item.row, item.prices});
        const bool is_copy = !added && found->second.prices == item.prices;
        report_.skipped += is_copy ? 1U : 0U;
        return !is_copy;
    }

    // Of parts of an offer; a second price for the same one is reported.
    bool is_new(const SoldItem& item) {
        const std::uint64_t key = std::uint64_t{item.sku} << 32U | item.place;
        const auto [found, added] = seen_.try_emplace(key, Seen{item.row, item.prices});
        if (added) {
            return true;
        }
        if (found->second.prices == item.prices) {
            ++report_.skipped;
        } else {
            report_.rejected.add(item.row, fmt::format("row {} has other prices of the same offer; the first are kept, remove one",
                                                       found->second.row));
        }
        return false;
    }

    // Whole accelerators; false where the row was rejected. Blank is 0.
    bool read_count(int& count) {
        constexpr double kMax = 1e6;
        const Number number = table_.number(count_);
        const bool whole = number.value == std::floor(number.value) && number.value >= 1.0 && number.value <= kMax;
        if (number.state == Number::State::bad || (number && !whole)) {
            reject(fmt::format(
                "AcceleratorCount is {}; an offer needs whole devices: store the part as a device, and an alias of the type",
                table_.text(count_)));
            return false;
        }
        count = number ? static_cast<int>(number.value) : 0;
        return true;
    }

    void read_instance(std::string_view instance, std::string_view accelerator) {
        int count = 0;
        const Number said = table_.number(count_);
        const auto& found =
            known_.find({instance, accelerator, table_.text(info_), table_.text(upstream_), said ? said.value : 0.0});
        const bool is_part = found.devices == 1 && said && said.value > 0.0 && said.value < 1.0; // stored as a device of its own
        if (!is_part && !read_count(count)) {
            return;
        }
        SoldItem item;
        item.device = found.device;
        item.devices = found.devices > 0 ? found.devices : count;
        if (!found.reason.empty()) {
            reject(found.reason);
        } else if (item.devices == 0) {
            reject("AcceleratorCount is blank; an offer needs a number of devices");
        } else if (read_item(instance, item) && is_no_copy(item)) {
            if (found.devices > 0 && count > 0 && count != found.devices) {
                report_.warnings.add(item.row, fmt::format("AcceleratorCount is {}; an instance of this type has {}, which is used",
                                                           count, found.devices));
            }
            add_offers(item);
        }
    }

    // An instance without an accelerator: a CPU, or a host of Google's whose accelerator has a row of its own.
    void read_host(std::string_view instance) {
        constexpr std::string_view kWithoutDisks = "-nolssd"; // the same machine without local disks
        const std::string_view type =
            instance.ends_with(kWithoutDisks) ? instance.substr(0, instance.size() - kWithoutDisks.size()) : instance;
        const auto& found = known_.find({type, "", ""});
        SoldItem item;
        if (found.devices > 0) {
            item.device = found.device;
            item.devices = found.devices;
            item.is_mega = is_mega_host(type);
            if (read_item(instance, item, true) && is_new(item)) {
                hosts_.add_host(item);
            }
        } else if (is_accelerator_family(type)) {
            reject(fmt::format("{} has accelerators, but which ones is not known; store an alias (/v1/aliases) of the type",
                               instance));
        } else if (is_attachable_host(type)) {
            if (read_item(instance, item, true) && is_new(item)) {
                hosts_.add_attachable(type, item);
            }
        } else {
            ++report_.skipped;
        }
    }

    void read_accelerator(std::string_view accelerator) {
        SoldItem item;
        const auto& found = known_.find({"", accelerator, table_.text(info_), "", table_.number(count_).value});
        if (!found.reason.empty()) {
            reject(found.reason);
        } else if (read_count(item.devices) && read_item(fmt::format("{} x{}", accelerator, item.devices), item) && is_new(item)) {
            item.device = found.device;
            item.is_mega = is_mega(accelerator);
            hosts_.add_accelerator(item);
        }
    }

    void read_slice(std::string_view name) {
        const auto slice = tpu_slice_of(name);
        SoldItem item;
        int count = 0;
        if (!slice) {
            reject(fmt::format("AcceleratorName is {}, which is no TPU slice of a known generation", name));
        } else if (read_count(count) && count > 1) {
            reject(fmt::format("AcceleratorCount is {}; a TPU slice is counted as 1", count));
        } else if (count <= 1 && read_item(name, item) && is_no_copy(item)) {
            item.device = names_.intern(slice->device);
            item.devices = slice->devices;
            slices_.push_back(item);
        }
    }

    void add_slices() {
        std::vector<SlicePrice> prices; // on demand and spot of each, in turn
        for (const SoldItem& slice : slices_) {
            prices.push_back({slice.device, slice.place, slice.devices, slice.prices.on_demand, false});
            prices.push_back({slice.device, slice.place, slice.devices, slice.prices.spot, true});
        }
        const std::vector<std::string_view> wrong = find_placeholders(prices);
        for (std::size_t i = 0; i < slices_.size(); ++i) {
            SoldItem slice = slices_[i];
            std::string reason;
            const auto leave_out = [&](std::string_view name, std::string_view why, double& price) {
                if (!why.empty()) {
                    reason += fmt::format("{}{} is {} and {}: no price", reason.empty() ? "" : "; ", name, price, why);
                    price = 0.0;
                }
            };
            leave_out("Price", wrong[2 * i], slice.prices.on_demand);
            leave_out("SpotPrice", wrong[2 * i + 1], slice.prices.spot);
            if (slice.prices.none()) {
                report_.rejected.add(slice.row, reason);
                continue;
            }
            if (!reason.empty()) {
                report_.warnings.add(slice.row, reason);
            }
            add_offers(slice);
        }
    }

    void add_offers(const SoldItem& item, std::string_view note = "") {
        const HourPrices& prices = item.prices;
        if (prices.on_demand > 0.0 && prices.spot > prices.on_demand * (1.0 + kPriceRounding)) {
            report_.warnings.add(item.row, fmt::format("SpotPrice {} is above Price {}", prices.spot, prices.on_demand));
        }
        if (prices.on_demand > 0.0) {
            add_offer(item, model::Purchase::on_demand, "on-demand", prices.on_demand, note);
        }
        if (prices.spot > 0.0) {
            add_offer(item, model::Purchase::spot, "spot", prices.spot, note);
        }
    }

    void add_offer(const SoldItem& item, model::Purchase purchase, std::string_view word, double price, std::string_view note) {
        Document document(std::in_place_type<model::Offer>); // it is large: moved no more than needed
        auto& offer = std::get<model::Offer>(document);
        offer.id = id_of(item, word);
        offer.source = source_;
        offer.note = note;
        offer.provider = provider_;
        offer.region = names_[item.region];
        offer.zone = item.place == item.region ? "" : names_[item.place];
        offer.sku = names_[item.sku];
        offer.device = device_reference(names_[item.device]);
        offer.devices = item.devices;
        offer.purchase = purchase;
        offer.hourly_price = price_since(day_, price);
        offer.currency = currency_;
        report_.add(std::move(document));
    }

    // The same as `make_id`, with the slug of each name made once.
    std::string id_of(const SoldItem& item, std::string_view word) {
        constexpr std::size_t kMax = 128;
        std::string id = provider_;
        for (const std::string_view part : {slug_of(item.sku), slug_of(item.place), word}) {
            id.append(part.empty() ? "" : ".").append(part);
        }
        return id.size() <= kMax ? id : make_id({provider_, names_[item.sku], names_[item.place], word});
    }
    std::string_view slug_of(std::uint32_t name) {
        const auto [found, added] = slugs_.try_emplace(name);
        if (added) {
            found->second = make_id({names_[name]});
        }
        return found->second;
    }

    struct Seen {
        std::size_t row = 0;
        HourPrices prices;
    };

    Table& table_;
    Report& report_;
    std::string provider_;
    std::string source_;
    std::string currency_;
    double day_;
    Column instance_, accelerator_, count_, info_, region_, zone_, price_, spot_, upstream_;
    StringPool names_;
    std::unordered_map<std::uint32_t, std::string> slugs_;
    KnownAccelerators known_{names_};
    std::unordered_map<std::uint64_t, Seen> seen_;
    HostsApart hosts_{names_, report_};
    std::vector<SoldItem> slices_;
};

} // namespace

HardError read_skypilot(Bytes& bytes, const Options& options, Report& report) {
    Table table(bytes);
    table.set_currency(options.currency);
    if (table.column("PricePerAccelerator")) {
        table.fail(model::Code::bad_format, 1, "it is a template of prices by vCPU and accelerator; read it as slurm_prices");
        return table.error();
    }
    if (!table.require({"InstanceType", "AcceleratorName", "AcceleratorCount", "Price", "Region"})) {
        return table.error();
    }
    SkyPilotReader reader(table, options, report);
    table.allow_surplus("Generation"); // V1,V2
    return read_rows(table, report, reader, "instance types");
}

} // namespace costcurve::imports
