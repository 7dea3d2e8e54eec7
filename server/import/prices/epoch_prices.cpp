// Epoch AI's list of hardware prices: of a chip at a date, rented by the hour or bought, in USD. Rentals become offers, purchases
// curves of the price of a chip.
#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include <fmt/format.h>

#include "server/import/identity/aliases.hpp"
#include "server/import/prices/focus_machines.hpp"
#include "server/import/prices/prices.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/read_rows.hpp"
#include "server/import/text/table.hpp"

namespace costcurve::imports {

namespace {

struct RegionRow {
    std::string_view location;
    std::string_view region;
};
// Names of regions as the clouds print them beside their ids.
constexpr auto kRegions = std::to_array<RegionRow>({
    {"East US", "eastus"},
    {"East US 2", "eastus2"},
    {"West US", "westus"},
    {"West US 2", "westus2"},
    {"US East (N. Virginia)", "us-east-1"},
    {"US East (Northern Virginia)", "us-east-1"},
    {"US East (Ohio)", "us-east-2"},
    {"US West (Oregon)", "us-west-2"},
});

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kSpaces = " \t\r\n\"";
    const std::size_t begin = text.find_first_not_of(kSpaces);
    return begin == std::string_view::npos ? std::string_view() : text.substr(begin, text.find_last_not_of(kSpaces) + 1 - begin);
}

// "Iowa (us-central1)" is us-central1; what isn't known by a name stays as it is written.
std::string_view region_of(std::string_view location) {
    const auto known = std::ranges::find(kRegions, location, &RegionRow::location);
    if (known != kRegions.end()) {
        return known->region;
    }
    const std::size_t open = location.find('(');
    const std::string_view inside =
        open == std::string_view::npos ? "" : location.substr(open + 1, location.find(')', open) - open - 1);
    return inside.find('-') != std::string_view::npos && inside.find(' ') == std::string_view::npos ? inside : location;
}

// One cell may hold several regions, at the same price.
std::vector<std::string> regions_of(std::string_view cell) {
    std::vector<std::string> regions;
    while (true) {
        const std::size_t comma = cell.find_first_of(",;\n");
        const std::string_view location = trimmed(cell.substr(0, comma));
        if (!location.empty()) {
            regions.emplace_back(region_of(location));
        }
        if (comma == std::string_view::npos) {
            break;
        }
        cell.remove_prefix(comma + 1);
    }
    return regions.empty() ? std::vector<std::string>{""} : regions;
}

// What the notes say of a rental: "instance NC24s v3 number of GPUs: 4X OS/Software: …".
struct Note {
    std::string_view instance; // "" where there is none
    int devices = 0;           // 0 where they don't say
};
Note read_note(std::string_view text) {
    constexpr std::string_view kInstance = "instance ";
    constexpr std::string_view kNumber = "number of GPUs: ";
    constexpr std::size_t kLongest = 24; // more is a sentence
    Note note;
    const std::size_t number = text.find(kNumber);
    if (number != std::string_view::npos) {
        const std::string_view digits = text.substr(number + kNumber.size());
        std::from_chars(digits.data(), digits.data() + digits.size(), note.devices);
        text = text.substr(0, number);
    }
    text = text.substr(0, text.find(" have "));
    text = trimmed(text);
    text = text.starts_with(kInstance) ? trimmed(text.substr(kInstance.size())) : text;
    note.instance = text.size() <= kLongest ? text : std::string_view();
    return note;
}

// "nvidia.a100-sxm4-80gb" is of the family nvidia.a100, with a memory of 80gb.
std::string_view family_of(std::string_view device) { return device.substr(0, device.find('-')); }
std::string_view memory_of(std::string_view device) {
    return device.ends_with("gb") ? device.substr(device.rfind('-') + 1) : std::string_view();
}

struct EpochPriceColumns {
    explicit EpochPriceColumns(Table& table)
        : date(table.column("Price date")), model(table.column("Hardware model")), vendor(table.column("Vendor")),
          location(table.column("Location")), bought(table.column("Price (hardware purchase)")), notes(table.column("Notes")),
          description(table.column("Cloud GPU description")), count(table.column("Number of GPUs")) {}
    Column date, model, vendor, location, bought, notes, description, count;
};

struct EpochPriceWay {
    Column price;
    model::Purchase purchase;
    int term_months;
    std::string_view word;
};

class EpochPriceReader {
public:
    EpochPriceReader(Table& table, const Options& options, Report& report)
        : table_(table), options_(options), report_(report), columns_(table),
          ways_{{{table.column("Price per chip-hour (on-demand)"), model::Purchase::on_demand, 0, "on-demand"},
                 {table.column("Price per chip-hour (1-year CUD)"), model::Purchase::committed, 12, "committed-12"},
                 {table.column("Price per chip-hour (3-year CUD)"), model::Purchase::committed, 36, "committed-36"}}} {}

    std::string read_row() {
        const auto moment = parse_moment(table_.text(columns_.date));
        const std::string_view model = table_.text(columns_.model);
        if (!moment) {
            return fmt::format("Price date is {}; a day such as 2024-01-29 is needed", table_.text(columns_.date));
        }
        day_ = day_of(*moment);
        const Note note = read_note(table_.text(columns_.notes));
        const std::string_view texts[] = {note.instance, table_.text(columns_.notes)};
        const bool is_rental = !table_.text(columns_.vendor).empty();
        const auto instance = is_rental ? find_instance(texts) : std::nullopt;
        const auto device = instance ? instance->machine.device : device_of(model);
        if (!device) {
            return fmt::format("Hardware model is {}, which no alias knows; store an alias (/v1/aliases)", model);
        }
        if (!agrees(*device)) {
            return fmt::format("Hardware model is {}, but Cloud GPU description is {}; correct one of them", model,
                               table_.text(columns_.description));
        }
        const bool is_bought = read_purchase(*device);
        const bool is_rented = read_rental(*device, note, instance);
        return is_bought || is_rented ? "" : "it has no price: of a chip-hour, or of a purchase; a number above 0 is needed";
    }

    HardError finish() {
        report_.add_all(offers_);
        report_.add_all(curves_);
        return std::nullopt;
    }

private:
    void reject(std::string reason) { report_.rejected.add(table_.row(), std::move(reason)); }

    // Vendor's description and model must be of the same board: some rows call a P100 a P4.
    [[nodiscard]] bool agrees(std::string_view device) const {
        const std::string_view description = table_.text(columns_.description);
        const auto described = device_of(trimmed(description.substr(0, description.find('\n'))));
        if (!described) {
            return true;
        }
        const bool same_memory =
            memory_of(*described).empty() || memory_of(device).empty() || memory_of(*described) == memory_of(device);
        return family_of(*described) == family_of(device) && same_memory;
    }

    // 0 if absent, negative if rejected.
    double price_in(Column column) {
        const Number number = table_.number(column);
        if (number.state == Number::State::bad || (number && number.value <= 0.0)) {
            reject(fmt::format("a price is {}; a number above 0 is needed, or nothing", table_.text(column)));
            return -1.0;
        }
        return number.value;
    }

    // The number of devices that the row is about; 0 where it doesn't say.
    int devices_of_row(const Note& note, const std::optional<NamedInstance>& instance) {
        constexpr double kMax = 1e5;
        const Number count = table_.number(columns_.count);
        if (instance) {
            return instance->machine.devices;
        }
        return count && count.value >= 1.0 && count.value <= kMax ? static_cast<int>(count.value) : note.devices;
    }

    bool read_purchase(const std::string& device) {
        const double price = price_in(columns_.bought);
        if (price <= 0.0) {
            return price < 0.0;
        }
        const int devices = devices_of_row({}, std::nullopt);
        const std::string id = make_id({"hardware", device, devices > 0 ? fmt::format("{}x", devices) : ""});
        const auto [found, added] = curves_.try_emplace(id, price_curve());
        if (added) {
            found->second.id = id;
            found->second.currency = "USD";
            found->second.source = price_source(options_, table_.text(columns_.model));
            found->second.note =
                devices > 1 ? fmt::format("USD per chip, bought in systems of {}.", devices) : "USD per chip, bought.";
        }
        put(found->second, price);
        if (lower(table_.text(columns_.notes)).find("estimat") != std::string::npos) {
            report_.warnings.add(table_.row(), fmt::format("{}: the source says that this price is estimated", id));
        }
        return true;
    }

    bool read_rental(const std::string& device, const Note& note, const std::optional<NamedInstance>& instance) {
        bool any = false;
        for (const EpochPriceWay& way : ways_) {
            const double price = price_in(way.price);
            any = any || price != 0.0;
            if (price <= 0.0) {
                continue;
            }
            if (table_.text(columns_.vendor).empty()) {
                reject("Vendor is blank; who rents it out is needed");
                return true;
            }
            for (const std::string& region : regions_of(table_.text(columns_.location))) {
                add_rental(device, note, instance, region, way, price);
            }
        }
        return any;
    }

    void add_rental(const std::string& device, const Note& note, const std::optional<NamedInstance>& instance,
                    const std::string& region, const EpochPriceWay& way, double chip_price) {
        const int counted = devices_of_row(note, instance);
        const int devices = std::max(counted, 1);
        const std::string board = device.substr(device.find('.') + 1);
        const std::string boards = fmt::format("{}x {}", devices, board);
        // A host that isn't sold with accelerators alone is named with them; a row that counts none is of one chip.
        const std::string sku = instance                                ? instance->type
                                : counted > 0 && !note.instance.empty() ? fmt::format("{} + {}", note.instance, boards)
                                                                        : boards;
        const std::string provider = provider_of(table_.text(columns_.vendor));
        const std::string id = make_id({provider, sku, region, way.word});
        const auto [found, added] = offers_.try_emplace(id);
        model::Offer& offer = found->second;
        if (added) {
            offer = offer_of(provider, sku, device, devices, "USD");
            offer.id = id;
            offer.source = price_source(options_, fmt::format("{}, {}", table_.text(columns_.model), table_.text(columns_.vendor)));
            offer.note = counted > 0 ? fmt::format("The published price is of a chip-hour, x {}.", devices)
                                     : "Of one chip; the list does not say how many an instance has.";
            offer.region = region;
            offer.purchase = way.purchase;
            offer.term_months = way.term_months > 0 ? std::optional(way.term_months) : std::nullopt;
            offer.hourly_price.curve = price_curve();
        }
        put(offer, chip_price * devices);
    }

    static model::Curve& price_curve_of(model::Curve& curve) { return curve; }
    static model::Curve& price_curve_of(model::Offer& offer) { return *offer.hourly_price.curve; }

    // What has two prices of a day is given twice, and a merge disputes it.
    template <class T> void put(T& document, double price) {
        const Point point = add_point(price_curve_of(document), day_, price);
        if (point == Point::conflict) {
            T other = document;
            price_curve_of(other).x = {day_};
            price_curve_of(other).y = {price};
            report_.add(Document(std::move(other)));
        }
        report_.skipped += point == Point::same ? 1 : 0;
    }

    Table& table_;
    const Options& options_;
    Report& report_;
    EpochPriceColumns columns_;
    std::array<EpochPriceWay, 3> ways_;
    double day_ = 0.0;
    std::map<std::string, model::Offer> offers_;
    std::map<std::string, model::Curve> curves_;
};

} // namespace

HardError read_epoch_prices(Bytes& bytes, const Options& options, Report& report) {
    return read_rows<EpochPriceReader>(
        bytes, {"Price date", "Hardware model", "Vendor", "Price per chip-hour (on-demand)", "Price (hardware purchase)"}, options,
        report, "prices");
}

} // namespace costcurve::imports
