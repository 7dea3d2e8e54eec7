// Bills in the FinOps Open Cost and Usage Specification (FOCUS 1.0 to 1.4, any provider): what was really paid, by day, account,
// thing, resource and tags. Taxes, credits, adjustments and purchases are lines of their own category. Instances with accelerators
// also become offers at the effective price of an hour.
// Columns: https://focus.finops.org/focus-columns/
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "server/import/prices/bill_sums.hpp"
#include "server/import/prices/bill_tags.hpp"
#include "server/import/prices/focus_columns.hpp"
#include "server/import/prices/focus_dates.hpp"
#include "server/import/prices/focus_machines.hpp"
#include "server/import/prices/focus_notes.hpp"
#include "server/import/prices/focus_offers.hpp"
#include "server/import/prices/prices.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/read_rows.hpp"
#include "server/import/text/table.hpp"

namespace costcurve::imports {

namespace {

// What is no usage: kept by its own category, and warned of once.
constexpr auto kKeptApart = std::to_array<std::string_view>({"purchase", "tax", "credit", "adjustment"});

// Days that a bill may have: no provider charged before, and a year such as 9999 stands for no day.
constexpr double kFirstDay = 10957.0; // 2000-01-01
constexpr double kLastDay = 47482.0;  // 2100-01-01
constexpr double kCent = 0.005;       // between two costs that were rounded
// Behind today: the zone of a clock may be ahead; what is no usage may be charged in advance.
constexpr double kUsageAhead = 1.0;
constexpr double kChargeAhead = 31.0;

bool is_currency_code(std::string_view text) {
    return text.size() == 3 && std::all_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

class FocusReader {
public:
    FocusReader(Table& table, const Options& options, Report& report)
        : table_(table), columns_(table), options_(options), report_(report) {}

    std::string read_row() {
        BillLine line;
        line.category = lower(said(columns_.category));
        const bool is_usage = line.category == "usage";
        if (!is_usage && std::find(kKeptApart.begin(), kKeptApart.end(), line.category) == kKeptApart.end()) {
            return fmt::format("ChargeCategory is {}; Usage, Purchase, Tax, Credit or Adjustment is needed",
                               said(columns_.category));
        }
        const std::string_view currency = said(columns_.currency);
        table_.set_currency(currency.empty() ? options_.currency : currency);
        std::string reason = read_costs(line);
        reason = reason.empty() ? read_names(line) : reason;
        if (!reason.empty()) {
            return reason;
        }
        line.commitment_status = lower(said(columns_.commitment));
        note_copy();
        read_labels(line);
        read_quantities(line);
        if (is_usage) {
            read_usage(line);
        } else {
            count_apart(line);
        }
        if (!sums_.add(line)) {
            table_.fail(model::Code::too_large, table_.row(),
                        fmt::format("the bill has more than {} lines of a day, account, thing, resource and tags; import a part of "
                                    "its days, or of its accounts, at a time",
                                    BillSums::kMax));
        }
        return "";
    }

    HardError finish() {
        if (currencies_.size() > 1) {
            return hard_error(
                model::Code::inconsistent, 0,
                fmt::format("BillingCurrency is {} and {} in one bill; say with the option currency which one to read",
                            *currencies_.begin(), *currencies_.rbegin()));
        }
        for (const auto& [category, apart] : apart_) {
            report_.warnings.add(apart.first_row, fmt::format("{} rows are {}, billed at {} in all; they are kept apart from usage",
                                                              apart.rows, category, apart.billed));
        }
        if (spread_.rows > 0) {
            report_.warnings.add(spread_.first_row,
                                 fmt::format("{} purchases of commitments have an EffectiveCost, {} in all, where FOCUS has 0; "
                                             "usage that they cover has it too, so plans are not compared with it",
                                             spread_.rows, spread_.billed));
        }
        notes_.give(report_.warnings);
        if (unit_rows_ > 0) {
            report_.warnings.add(first_unit_, fmt::format("{} rows of instances are in \"{}\" or another unit than hours of an "
                                                          "instance: no price paid is made of them",
                                                          unit_rows_, unit_.substr(0, 60)));
        }
        sums_.give(report_);
        paid_.give(options_, report_);
        return std::nullopt;
    }

private:
    struct Apart {
        std::size_t rows = 0;
        double billed = 0.0;
        std::size_t first_row = 0;
        void add(std::size_t row, double amount) {
            first_row = ++rows == 1 ? row : first_row;
            billed += amount;
        }
    };

    [[nodiscard]] std::string_view said(Column column) const { return columns_.text(column); }

    void count_apart(const BillLine& line) {
        apart_[line.category].add(table_.row(), line.billed_cost);
        if (line.category == "purchase" && !line.commitment.empty() && line.effective_cost != 0.0) {
            spread_.add(table_.row(), line.effective_cost);
        }
    }

    void read_usage(BillLine& line) {
        const int devices = read_machine(line);
        if (line.commitment_status.empty() && line.effective_cost == 0.0 && line.billed_cost > 0.0) {
            notes_.add(FocusNote::unspread, table_.row());
        }
        if (line.commitment_status.empty() && table_.amount(columns_.cost(&BillLine::list_cost)) &&
            line.list_cost < line.effective_cost - kCent && line.effective_cost > 0.0) {
            notes_.add(FocusNote::list_below, table_.row());
        }
        if (devices > 0 && line.effective_cost < 0.0 && line.hours > 0.0) {
            notes_.add(FocusNote::cost_below_zero, table_.row());
            line.hours = 0.0;
            line.device_hours = 0.0;
        }
        if (line.commitment_status != "unused" && devices > 0 && (corrects(line) || line.hours > 0.0)) {
            paid_.add(line, devices, table_.row(), corrects(line));
        }
    }

    // Two charges that nothing tells apart may be one that stands twice.
    void note_copy() {
        std::uint64_t hash = 14695981039346656037U; // FNV-1a, of the hashes of cells
        for (const Column column : columns_.known) {
            hash = (hash ^ std::hash<std::string_view>()(table_.text(column))) * 1099511628211U;
        }
        if (notes_.is_repeated(hash)) {
            notes_.add(FocusNote::repeated, table_.row());
        }
    }

    // Of an amount or of hours that an earlier row of the bill has; it may have no quantity. In a period that is still open FOCUS
    // has the class of corrections of closed ones alone: what is below 0 corrects too.
    [[nodiscard]] bool corrects(const BillLine& line) const {
        return line.effective_cost < 0.0 || line.hours < 0.0 || lower(said(columns_.charge_class)) == "correction";
    }

    // Texts, and tags. A cost that is allocated has the tags of what it is allocated to, before its own.
    void read_labels(BillLine& line) {
        columns_.read_texts(line);
        const std::string_view cell = said(columns_.tags);
        const TagCells::Entry& tags = tags_.canonical(cell, said(columns_.allocated_tags));
        line.tags = tags.tags;
        if (!tags.complaint.empty()) {
            report_.warnings.add(table_.row(), fmt::format("Tags is {}: {}; give a JSON object such as {{\"team\": \"search\"}}; "
                                                           "the row is kept without those tags",
                                                           cell.substr(0, 60), tags.complaint));
        }
    }

    // Of what a commitment left unused nothing is consumed.
    void read_quantities(BillLine& line) {
        const Number consumed = quantity(columns_.consumed);
        if (consumed && line.commitment_status != "unused") {
            line.consumed_unit = said(columns_.consumed_unit);
            line.consumed_quantity = line.consumed_unit.empty() ? 0.0 : consumed.value;
        }
        if (const Number priced = quantity(columns_.priced)) {
            line.priced_unit = said(columns_.priced_unit);
            line.priced_quantity = line.priced_unit.empty() ? 0.0 : priced.value;
        }
        const std::string_view currency = said(columns_.pricing_currency);
        if (const Number cost = quantity(columns_.pricing_currency_cost);
            cost && !currency.empty() && !is_national_currency(currency)) {
            line.virtual_currency = currency;
            line.virtual_currency_cost = cost.value;
        }
        if (line.category != "usage") {
            return;
        }
        if (const auto tokens = tokens_in(line.consumed_unit)) {
            line.tokens = line.consumed_quantity * *tokens;
        } else if (const auto priced = tokens_in(line.priced_unit); priced && line.virtual_currency.empty()) {
            line.tokens = line.commitment_status == "unused" ? 0.0 : line.priced_quantity * *priced;
        }
    }

    Number quantity(Column column) {
        const Number number = table_.amount(column);
        if (number.state == Number::State::bad) {
            report_.warnings.add(table_.row(), fmt::format("a quantity is {}; it is not read", table_.shown(column)));
        }
        return number;
    }

    // Why the row has no costs or no day, or "".
    std::string read_costs(BillLine& line) {
        if (std::string reason = columns_.read_costs(line); !reason.empty()) {
            return reason;
        }
        const auto day = charge_day(said(columns_.start), said(columns_.period_start), said(columns_.period_end));
        if (!day) {
            return fmt::format("ChargePeriodStart is {}; a moment such as 2024-09-01T00:00:00Z is needed, or a billing period that "
                               "says which number is the month",
                               said(columns_.start));
        }
        if (std::string reason = wrong_with_day(*day, line.category == "usage"); !reason.empty()) {
            return reason;
        }
        line.day = std::llround(*day);
        if (line.category == "usage" && reaches_another_month(*day)) {
            notes_.add(FocusNote::several_months, table_.row());
        }
        return "";
    }

    [[nodiscard]] bool reaches_another_month(double day) const {
        const auto end = parse_moment(said(columns_.end)); // the first moment after the charge
        const double last = end ? std::ceil(end->seconds / 86400.0) - 1 : day;
        const auto month = [](double of) { return model::date_text(of).substr(0, 7); };
        return last > day && month(last) != month(day);
    }

    // Why no charge is of the day, or "".
    [[nodiscard]] std::string wrong_with_day(double day, bool is_usage) const {
        const std::string_view start = said(columns_.start);
        if (day < kFirstDay || day >= kLastDay) {
            return fmt::format("ChargePeriodStart is {}; days from 2000-01-01 to 2099-12-31 are read: correct the row", start);
        }
        const auto moment = parse_moment(start);
        const auto end = parse_moment(said(columns_.end));
        if (moment && end && end->seconds < moment->seconds) {
            return fmt::format("ChargePeriodEnd is {}, before ChargePeriodStart {}: correct the row", said(columns_.end), start);
        }
        const double last = options_.today.value_or(kLastDay) + (is_usage ? kUsageAhead : kChargeAhead);
        return day <= last
                   ? ""
                   : fmt::format("ChargePeriodStart is {}, a day to come: {} up to {} are billed, and what is planned is no "
                                 "bill (force reads it all the same)",
                                 start, is_usage ? "usage" : "other charges", model::date_text(last));
    }

    // Why the row has no provider or no currency, or "".
    std::string read_names(BillLine& line) {
        const std::string_view provider = said(columns_.provider);
        const std::string_view region = said(columns_.region);
        const std::string_view currency = said(columns_.currency);
        line.provider = provider_of(provider.empty() ? options_.provider : provider);
        line.region = region.empty() ? options_.region : region;
        line.currency = currency.empty() ? options_.currency : currency;
        line.account = said(columns_.account);
        if (const std::string_view part = said(columns_.sub_account); !part.empty()) {
            line.account.append("/").append(part);
        }
        if (line.provider.empty()) {
            return "ServiceProviderName or ProviderName is blank; give the option provider";
        }
        if (!is_currency_code(line.currency)) {
            return fmt::format("BillingCurrency is {}; three capital letters are needed, or the option currency", currency);
        }
        if (!options_.currency.empty() && line.currency != options_.currency) {
            return fmt::format("BillingCurrency is {}; the bill is read in {}", line.currency, options_.currency);
        }
        currencies_.insert(line.currency);
        return "";
    }

    // The machine that the row pays for, its hours, and how it is paid; gives its devices, 0 where they are none of ours.
    int read_machine(BillLine& line) {
        const std::string service = lower(said(columns_.service));
        if (!service.empty() && service != "compute") {
            return 0;
        }
        auto hours = hours_of_row();
        if (!hours && corrects(line) && has_no_other_unit()) {
            hours = 0.0; // of an amount alone
        }
        if (!hours) {
            note_unit();
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
        const std::string resource = lower(said(columns_.resource_type));
        if (!named && resource.find("instance") == std::string::npos && resource.find("virtual machine") == std::string::npos) {
            return 0;
        }
        const bool is_committed = !line.commitment_status.empty() || lower(said(columns_.pricing)).starts_with("commit");
        line.purchase = is_committed ? "committed" : is_spot ? "spot" : "on_demand";
        line.hours = line.commitment_status == "unused" ? 0.0 : *hours;
        if (!named) {
            return 0;
        }
        line.sku = named->type;
        line.device = named->machine.device;
        line.device_hours = line.hours * named->machine.devices;
        return named->machine.devices;
    }

    // An instance by the hour whose unit is none of hours gets no price, which is said once.
    void note_unit() {
        const std::string_view unit = said(columns_.consumed_unit);
        texts_.clear();
        for (const Column column : columns_.texts) {
            texts_.push_back(said(column));
        }
        if (!unit.empty() && find_instance(texts_)) {
            first_unit_ = ++unit_rows_ == 1 ? table_.row() : first_unit_;
            unit_ = unit_.empty() ? std::string(unit) : unit_;
        }
    }

    // What has another unit than time is beside the machine.
    [[nodiscard]] bool has_no_other_unit() const {
        const auto is_of_time = [&](Column unit) { return said(unit).empty() || hours_in(said(unit)); };
        return is_of_time(columns_.consumed_unit) && is_of_time(columns_.priced_unit);
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
        }
        return std::nullopt;
    }

    Table& table_;
    FocusColumns columns_;
    const Options& options_;
    Report& report_;
    std::vector<std::string_view> texts_; // of the row
    TagCells tags_;
    BillSums sums_;
    PaidPrices paid_;
    std::map<std::string, Apart> apart_; // by category
    Apart spread_;                       // purchases of commitments at a cost that what they cover has too
    std::set<std::string> currencies_;
    FocusNotes notes_;
    std::string unit_;
    std::size_t unit_rows_ = 0;
    std::size_t first_unit_ = 0;
};

} // namespace

HardError read_focus(Bytes& bytes, const Options& options, Report& report) {
    Table table(bytes);
    const bool is_complete =
        options.currency.empty()
            ? table.require({"BilledCost", "EffectiveCost", "BillingCurrency", "ChargeCategory", "ChargePeriodStart"})
            : table.require({"BilledCost", "EffectiveCost", "ChargeCategory", "ChargePeriodStart"});
    if (!is_complete) {
        return table.error();
    }
    report.format_version = focus_version(table.header());
    FocusReader reader(table, options, report);
    return read_rows(table, report, reader, "charges");
}

} // namespace costcurve::imports
