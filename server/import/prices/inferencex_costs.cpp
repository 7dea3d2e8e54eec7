// InferenceX's cost constants as a table: SemiAnalysis's estimates of what a GPU-hour costs, rented and owned. A rental becomes
// an offer of one GPU, the cost of owning a price curve over date. They are estimates: nobody sells at these prices.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "server/import/identity/aliases.hpp"
#include "server/import/identity/spellings.hpp"
#include "server/import/prices/prices.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/read_rows.hpp"

namespace costcurve::imports {

namespace {

constexpr double kPlaceholder = 9.99; // where the list says that a figure is to come
constexpr std::string_view kEstimator = "semianalysis";

// What a column's figure is of, USD per GPU-hour.
struct OwnershipRow {
    std::string_view column;
    std::string_view curve; // end of its curve's id; "" of a rental, which becomes an offer
    std::string_view words;
};
constexpr auto kOwnerships = std::to_array<OwnershipRow>({
    {"costh_usd_per_gpu_h", "hyperscaler", "owned at a hyperscaler's volume"},
    {"costn_usd_per_gpu_h", "neocloud", "owned by a large GPU cloud"},
    {"costr_usd_per_gpu_h", "", "rented"},
});

// Rentals whose term the list states; it states none of the others.
struct RentalTermRow {
    std::string_view device;
    int months;
};
constexpr auto kRentalTerms = std::to_array<RentalTermRow>({{"google.tpu-v7", 36}});

class InferenceXCosts {
public:
    InferenceXCosts(Table& table, const Options& options, Report& report)
        : table_(table), options_(options), report_(report), version_(table.column("version_read")), key_(table.column("key")),
          vendor_(table.column("vendor")), label_(table.column("label")), all_in_kw_(table.column("all_in_kw_per_gpu")) {
        for (std::size_t i = 0; i < kOwnerships.size(); ++i) {
            prices_[i] = table.column(kOwnerships[i].column);
        }
    }

    std::string read_row() {
        const std::string_view label = table_.text(label_);
        const std::string_view vendor = table_.text(vendor_);
        std::optional<std::string> device = device_of(label, vendor, "");
        device = device ? device : device_of(table_.text(key_), vendor, "");
        if (!device) {
            return fmt::format("{} ({}) is a device that no alias knows; store an alias (/v1/aliases)", label, table_.text(key_));
        }
        CostRow row{table_.row(), std::string(table_.text(version_)), *device, {}, power_note()};
        bool any = false;
        for (std::size_t i = 0; i < kOwnerships.size(); ++i) {
            const Number price = table_.amount(prices_[i]);
            if (price.state == Number::State::bad || (price && price.value <= 0.0)) {
                return fmt::format("{} is {}; a number above 0 is needed, or nothing", kOwnerships[i].column,
                                   table_.shown(prices_[i]));
            }
            row.prices[i] = price && price.value != kPlaceholder ? price.value : 0.0;
            any = any || row.prices[i] > 0.0;
            if (price && price.value == kPlaceholder) {
                warn(fmt::format("{} of {} is the placeholder 9.99 and left out", kOwnerships[i].column, label));
            }
        }
        if (row.prices[0] > 0.0 && row.prices[0] == row.prices[2]) {
            warn(fmt::format("the rental of {} is the same as its cost of owning", label));
        }
        if (!any) {
            return fmt::format("{} has no price", label);
        }
        rows_.push_back(std::move(row));
        return "";
    }

    HardError finish() {
        std::string undated; // the last version without a date
        for (const CostRow& row : rows_) {
            undated = day_in(row.version) ? undated : row.version;
        }
        for (const CostRow& row : rows_) {
            const std::optional<double> day = day_in(row.version);
            if (!day && row.version != undated) {
                report_.rejected.add(row.row,
                                     fmt::format("version \"{}\" has no date, and \"{}\" below it has none either: give one "
                                                 "version a date, or read them one by one",
                                                 row.version, undated));
            } else {
                add(row, day.value_or(day_of_option(options_)));
            }
        }
        report_.add_all(offers_);
        report_.add_all(curves_);
        return std::nullopt;
    }

private:
    struct CostRow {
        std::size_t row = 0;
        std::string version, device;
        std::array<double, kOwnerships.size()> prices{}; // 0: none
        std::string note;
    };

    void warn(std::string reason) { report_.warnings.add(table_.row(), std::move(reason)); }

    [[nodiscard]] std::string power_note() const {
        const Number kw = table_.amount(all_in_kw_);
        return kw && kw.value > 0.0 && kw.value != kPlaceholder
                   ? fmt::format(" All-in power, with its part of the server, the network and the cooling: {:.4g} kW a GPU.",
                                 kw.value)
                   : "";
    }

    // The day that a version begins with: "2026-04-03 (77ca49a6)".
    static std::optional<double> day_in(std::string_view version) {
        double day = 0.0;
        return model::parse_date(version.substr(0, 10), day) ? std::optional(day) : std::nullopt;
    }

    void add(const CostRow& row, double day) {
        const std::string board = row.device.substr(row.device.find('.') + 1);
        for (std::size_t i = 0; i < kOwnerships.size(); ++i) {
            if (row.prices[i] <= 0.0) {
                continue;
            }
            const std::string note =
                fmt::format("SemiAnalysis's estimate of a GPU-hour, {}; no provider's price.{}", kOwnerships[i].words, row.note);
            model::Curve& curve = kOwnerships[i].curve.empty() ? rental_of(row, board, note) : owning_of(row, i, board, note);
            if (add_point(curve, day, row.prices[i]) == Point::conflict) {
                give_again(kOwnerships[i].curve.empty() ? "" : curve.id, row.device, {day, row.prices[i]});
            }
        }
    }

    static std::string rental_id(const std::string& device) {
        const auto term = std::ranges::find(kRentalTerms, device, &RentalTermRow::device);
        return make_id({kEstimator, gang_name(1, device),
                        term != kRentalTerms.end() ? fmt::format("committed-{}", term->months) : std::string("rental")});
    }

    // What has two prices of a day is given twice, and a merge disputes it. `curve`: its id, "" of a rental.
    void give_again(const std::string& curve, const std::string& device, std::pair<double, double> point) {
        const auto set = [&](model::Curve& price) {
            price.x = {point.first};
            price.y = {point.second};
        };
        if (!curve.empty()) {
            model::Curve other = curves_.at(curve);
            set(other);
            report_.add(Document(std::move(other)));
            return;
        }
        model::Offer other = offers_.at(rental_id(device));
        set(*other.hourly_price.curve);
        report_.add(Document(std::move(other)));
    }

    model::Curve& rental_of(const CostRow& row, const std::string& board, const std::string& note) {
        const auto term = std::ranges::find(kRentalTerms, row.device, &RentalTermRow::device);
        const bool has_term = term != kRentalTerms.end();
        const std::string id = rental_id(row.device);
        model::Offer& offer = offers_[id];
        if (offer.id.empty()) {
            offer = offer_of(std::string(kEstimator), fmt::format("1x {}", board), row.device, 1, "USD");
            offer.id = id;
            offer.source = price_source(options_, fmt::format("costr {}", board));
            offer.purchase = has_term ? model::Purchase::committed : model::Purchase::on_demand;
            offer.term_months = has_term ? std::optional(term->months) : std::nullopt;
            offer.hourly_price.curve = price_curve();
        }
        offer.note = note + (has_term ? "" : " The term of the rental is not stated.");
        return *offer.hourly_price.curve;
    }

    model::Curve& owning_of(const CostRow& row, std::size_t ownership, const std::string& board, const std::string& note) {
        const std::string id = make_id({"tco", kEstimator, board, kOwnerships[ownership].curve});
        model::Curve& curve = curves_.try_emplace(id, price_curve()).first->second;
        if (curve.id.empty()) {
            curve.id = id;
            curve.currency = "USD";
            curve.source = price_source(options_, fmt::format("{} {}", kOwnerships[ownership].column.substr(0, 5), row.device));
        }
        curve.note = "USD per GPU-hour. " + note;
        return curve;
    }

    Table& table_;
    const Options& options_;
    Report& report_;
    Column version_, key_, vendor_, label_, all_in_kw_;
    std::array<Column, kOwnerships.size()> prices_;
    std::vector<CostRow> rows_;
    std::map<std::string, model::Offer> offers_;
    std::map<std::string, model::Curve> curves_;
};

} // namespace

HardError read_inferencex_costs(Bytes& bytes, const Options& options, Report& report) {
    return read_rows<InferenceXCosts>(bytes, {"key", "label", "costh_usd_per_gpu_h", "costr_usd_per_gpu_h"}, options, report,
                                      "GPUs and their costs");
}

} // namespace costcurve::imports
