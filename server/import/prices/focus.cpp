// Bills in the FinOps Open Cost and Usage Specification (FOCUS 1.0 and later, any provider): what was really paid. Usage is rolled
// up by day; instances with accelerators also become offers at the effective price of an hour.
// FocusColumns: https://focus.finops.org/focus-columns/
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "server/import/prices/focus_machines.hpp"
#include "server/import/prices/prices.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/read_rows.hpp"
#include "server/import/text/table.hpp"

namespace costcurve::imports {

namespace {

struct FocusColumns {
    explicit FocusColumns(Table& table)
        : provider(table.column({"ProviderName", "ServiceProviderName", "Provider"})), region(table.column({"RegionId", "Region"})),
          sku(table.column("SkuId")), category(table.column("ChargeCategory")), charge_class(table.column("ChargeClass")),
          start(table.column("ChargePeriodStart")), currency(table.column("BillingCurrency")), billed(table.column("BilledCost")),
          effective(table.column("EffectiveCost")), list(table.column("ListCost")), consumed(table.column("ConsumedQuantity")),
          consumed_unit(table.column("ConsumedUnit")), priced(table.column("PricingQuantity")),
          priced_unit(table.column("PricingUnit")), pricing(table.column("PricingCategory")),
          commitment(table.column("CommitmentDiscountStatus")), service(table.column("ServiceCategory")),
          resource(table.column("ResourceType")), account(table.column("BillingAccountId")),
          sub_account(table.column("SubAccountId")) {
        for (const std::string_view name :
             {"x_InstanceType", "InstanceType", "x_UsageType", "x_SkuMeterName", "SkuMeter", "ResourceType", "ChargeDescription",
              "x_SkuDescription", "SkuPriceDetails", "x_SkuDetails"}) {
            if (const Column column = table.column(name)) {
                texts.push_back(column);
            }
        }
    }
    Column provider, region, sku, category, charge_class, start, currency, billed, effective, list, consumed, consumed_unit, priced,
        priced_unit, pricing, commitment, service, resource, account, sub_account;
    std::vector<Column> texts; // that may name an instance type
};

// Of a file's rows, of all accounts, those that have a price: neither corrections of earlier bills nor commitments that nobody
// used.
struct Paid {
    BillLine line;   // what is paid for, and when
    int devices = 0; // 0: no instance of ours
    double cost = 0.0;
    double hours = 0.0;
    std::size_t row = 0; // the first one
};

class FocusReader {
public:
    FocusReader(Table& table, const Options& options, Report& report)
        : table_(table), columns_(table), options_(options), report_(report) {}

    void read_row() {
        const std::string category = lower(said(columns_.category));
        if (category == "usage") {
            read_usage();
        } else if (category == "purchase" || category == "tax" || category == "credit" || category == "adjustment") {
            ++report_.skipped;
            LeftOut& left_out = left_out_[category];
            ++left_out.rows;
            left_out.first_row = left_out.rows == 1 ? table_.row() : left_out.first_row;
            left_out.billed += table_.amount(columns_.billed).value;
        } else {
            reject(
                fmt::format("ChargeCategory is {}; Usage, Purchase, Tax, Credit or Adjustment is needed", said(columns_.category)));
        }
    }

    HardError finish() {
        if (currencies_.size() > 1) {
            return hard_error(
                model::Code::inconsistent, 0,
                fmt::format("BillingCurrency is {} and {} in one bill; say with the option currency which one to read",
                            *currencies_.begin(), *currencies_.rbegin()));
        }
        for (const auto& [category, left_out] : left_out_) {
            report_.warnings.add(left_out.first_row,
                                 fmt::format("{} rows are {}, billed at {} in all; they are no usage and are left out",
                                             left_out.rows, category, left_out.billed));
        }
        if (unspread_ > 0) {
            report_.warnings.add(
                first_unspread_,
                fmt::format("{} rows without a commitment have EffectiveCost 0 at a BilledCost above 0; prices paid "
                            "come out too low",
                            unspread_));
        }
        for (const BillLine& line : lines_) {
            report_.add(line);
        }
        add_offers();
        return std::nullopt;
    }

private:
    struct LeftOut {
        std::size_t rows = 0;
        double billed = 0.0;
        std::size_t first_row = 0;
    };

    void reject(std::string reason) { report_.rejected.add(table_.row(), std::move(reason)); }

    // NULL stands for no value.
    [[nodiscard]] std::string_view said(Column column) const {
        const std::string_view text = table_.text(column);
        return text == "NULL" || text == "null" ? std::string_view() : text;
    }

    void read_usage() {
        BillLine line;
        if (!read_costs(line) || !read_names(line)) {
            return;
        }
        const std::string status = lower(said(columns_.commitment));
        const int devices = read_machine(line, status);
        if (status.empty() && line.effective_cost == 0.0 && line.billed_cost > 0.0) {
            first_unspread_ = ++unspread_ == 1 ? table_.row() : first_unspread_;
        }
        const bool is_correction = lower(said(columns_.charge_class)) == "correction";
        if (!is_correction && status != "unused" && devices > 0 && line.hours > 0.0) {
            Paid& paid = paid_[names_of(line)];
            paid.line = line;
            paid.devices = devices;
            paid.row = paid.row == 0 ? table_.row() : paid.row;
            paid.cost += line.effective_cost;
            paid.hours += line.hours;
        }
        add(line);
    }

    bool read_costs(BillLine& line) {
        const Number billed = table_.amount(columns_.billed);
        const Number effective = table_.amount(columns_.effective);
        const Number list = table_.amount(columns_.list);
        const auto start = parse_moment(said(columns_.start));
        if (!billed || !effective || list.state == Number::State::bad) {
            reject(fmt::format("BilledCost is {}, EffectiveCost is {}, ListCost is {}; numbers are needed",
                               table_.shown(columns_.billed), table_.shown(columns_.effective), table_.shown(columns_.list)));
            return false;
        }
        if (!start) {
            reject(fmt::format("ChargePeriodStart is {}; a moment such as 2024-09-01T00:00:00Z is needed", said(columns_.start)));
            return false;
        }
        line.billed_cost = billed.value;
        line.effective_cost = effective.value;
        line.list_cost = list.value;
        line.day = day_of(*start);
        return true;
    }

    bool read_names(BillLine& line) {
        const std::string_view provider = said(columns_.provider);
        const std::string_view region = said(columns_.region);
        const std::string_view currency = said(columns_.currency);
        line.provider = provider_of(provider.empty() ? options_.provider : provider);
        line.region = region.empty() ? options_.region : region;
        line.currency = currency.empty() ? options_.currency : currency;
        line.sku = said(columns_.sku);
        line.account = said(columns_.account);
        if (const std::string_view part = said(columns_.sub_account); !part.empty()) {
            line.account.append("/").append(part);
        }
        const bool three_capitals = line.currency.size() == 3 && std::all_of(line.currency.begin(), line.currency.end(),
                                                                             [](char c) { return c >= 'A' && c <= 'Z'; });
        if (line.provider.empty()) {
            reject("ProviderName is blank; give the option provider");
        } else if (!three_capitals) {
            reject(fmt::format("BillingCurrency is {}; three capital letters are needed, or the option currency", currency));
        } else if (!options_.currency.empty() && line.currency != options_.currency) {
            reject(fmt::format("BillingCurrency is {}; the bill is read in {}", line.currency, options_.currency));
        } else {
            currencies_.insert(line.currency);
            return true;
        }
        return false;
    }

    // The machine that the row pays for, its hours, and how it is paid; gives its devices, 0 where they are none of ours.
    int read_machine(BillLine& line, std::string_view status) {
        const auto hours = hours_of_row();
        const std::string service = lower(said(columns_.service));
        if (!hours || (!service.empty() && service != "compute")) {
            return 0;
        }
        texts_.clear();
        bool is_spot = lower(said(columns_.pricing)) == "dynamic";
        for (const Column column : columns_.texts) {
            texts_.push_back(said(column));
            if (is_beside_the_machine(texts_.back())) {
                return 0;
            }
            is_spot = is_spot || says_spot(texts_.back());
        }
        const auto named = find_instance(texts_);
        const std::string resource = lower(said(columns_.resource));
        if (!named && resource.find("instance") == std::string::npos && resource.find("virtual machine") == std::string::npos) {
            return 0;
        }
        const bool is_committed = !status.empty() || lower(said(columns_.pricing)).starts_with("commit");
        line.purchase = is_committed ? "committed" : is_spot ? "spot" : "on_demand";
        line.hours = status == "unused" ? 0.0 : *hours;
        if (!named) {
            return 0;
        }
        line.sku = named->type;
        line.device = named->machine.device;
        line.device_hours = line.hours * named->machine.devices;
        return named->machine.devices;
    }

    // What was consumed, else what was priced, where it is time.
    [[nodiscard]] std::optional<double> hours_of_row() const {
        const std::pair<Column, Column> pairs[] = {{columns_.consumed, columns_.consumed_unit},
                                                   {columns_.priced, columns_.priced_unit}};
        for (const auto& [quantity, unit] : pairs) {
            const auto hours = hours_in(said(unit));
            const Number number = table_.amount(quantity);
            if (hours && number) {
                return number.value * *hours;
            }
            if (hours && number.state == Number::State::bad) {
                report_.warnings.add(table_.row(), fmt::format("a quantity is {}; it is not read", table_.shown(quantity)));
            }
        }
        return std::nullopt;
    }

    // What a line is for, whoever pays for it.
    static std::string names_of(const BillLine& line) {
        return fmt::format("{:08}\n{}\n{}\n{}\n{}\n{}", line.day, line.provider, line.region, lower(line.sku), line.purchase,
                           line.currency);
    }

    void add(const BillLine& line) {
        const auto [found, added] = places_.try_emplace(names_of(line) + "\n" + line.account, lines_.size());
        if (added) {
            lines_.push_back(line);
            return;
        }
        BillLine& sum = lines_[found->second];
        sum.hours += line.hours;
        sum.device_hours += line.device_hours;
        sum.billed_cost += line.billed_cost;
        sum.effective_cost += line.effective_cost;
        sum.list_cost += line.list_cost;
    }

    void add_offers() {
        std::map<std::string, model::Offer> offers;
        for (const auto& [names, paid] : paid_) {
            const BillLine& line = paid.line;
            const double price = paid.cost / paid.hours;
            if (price <= 0.0) {
                report_.rejected.add(paid.row, fmt::format("{} {} {}, {}, {}: EffectiveCost is {} in {} hours; zero is not a price",
                                                           line.provider, line.sku, line.region, line.purchase,
                                                           model::date_text(line.day), paid.cost, paid.hours));
                continue;
            }
            const std::string word = line.purchase == "on_demand" ? "on-demand" : line.purchase;
            const std::string id = make_id({"paid", line.provider, line.sku, line.region, word});
            auto [found, added] = offers.try_emplace(id);
            if (added) {
                found->second = offer_of(line, paid.devices);
                found->second.id = id;
            }
            if (add_point(*found->second.hourly_price.curve, line.day, price) == Point::conflict) {
                report_.rejected.add(paid.row,
                                     fmt::format("{} has two prices on one day: names that differ in punctuation alone", id));
            }
        }
        for (auto& [id, offer] : offers) {
            report_.add(std::move(offer));
        }
    }

    model::Offer offer_of(const BillLine& line, int devices) {
        model::Offer offer;
        offer.source = price_source(options_, line.sku);
        offer.note = "What was paid: EffectiveCost over hours of use, by day; commitments are spread over what they cover.";
        offer.provider = line.provider;
        offer.region = line.region;
        offer.sku = line.sku;
        offer.device = device_reference(line.device);
        offer.devices = devices;
        offer.purchase = line.purchase == "spot"        ? model::Purchase::spot
                         : line.purchase == "committed" ? model::Purchase::committed
                                                        : model::Purchase::on_demand;
        offer.hourly_price.curve = price_curve();
        offer.currency = line.currency;
        return offer;
    }

    Table& table_;
    FocusColumns columns_;
    const Options& options_;
    Report& report_;
    std::vector<std::string_view> texts_; // of the row
    std::unordered_map<std::string, std::size_t> places_;
    std::vector<BillLine> lines_;
    std::map<std::string, Paid> paid_; // by names_of
    std::map<std::string, LeftOut> left_out_;
    std::set<std::string> currencies_;
    std::size_t unspread_ = 0;
    std::size_t first_unspread_ = 0; // its row
};

} // namespace

HardError read_focus(Bytes& bytes, const Options& options, Report& report) {
    Table table(bytes);
    if (!table.require({"BilledCost", "EffectiveCost", "BillingCurrency", "ChargeCategory", "ChargePeriodStart"})) {
        return table.error();
    }
    FocusReader reader(table, options, report);
    return read_rows(table, report, reader, "charges");
}

} // namespace costcurve::imports
