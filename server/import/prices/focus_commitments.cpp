// What contracts commit to, the dataset Contract Commitment of FOCUS 1.3 and 1.4: hours of machines over a term become offers at
// the price of an hour that was agreed on, with a point at each day on which a term begins. Columns:
// https://focus.finops.org/focus-columns/, and the dataset's in FinOps-Open-Cost-and-Usage-Spec/FOCUS_Spec.
#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "server/import/identity/aliases.hpp"
#include "server/import/prices/focus_columns.hpp"
#include "server/import/prices/focus_machines.hpp"
#include "server/import/prices/prices.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/read_rows.hpp"
#include "server/import/text/table.hpp"

namespace costcurve::imports {

namespace {

struct CommitmentColumns {
    explicit CommitmentColumns(Table& table)
        : id(table.column("ContractCommitmentId")), type(table.column("ContractCommitmentType")),
          category(table.column("ContractCommitmentCategory")), cost(table.column("ContractCommitmentCost")),
          quantity(table.column("ContractCommitmentQuantity")), unit(table.column("ContractCommitmentUnit")),
          description(table.column("ContractCommitmentDescription")), start(table.column("ContractCommitmentPeriodStart")),
          end(table.column("ContractCommitmentPeriodEnd")), currency(table.column("BillingCurrency")),
          provider(table.column("ServiceProviderName")), status(table.column("ContractCommitmentLifecycleStatus")) {}

    Column id, type, category, cost, quantity, unit, description, start, end, currency, provider, status;
};

// Of ContractCommitmentLifecycleStatus (1.4): what nobody has agreed on, or what another row or an end has taken the place of.
constexpr std::array<std::string_view, 3> kNoLongerAgreed = {"Proposed", "Canceled", "Superseded"};

// Calendar months between two days; 0 if they aren't whole months.
int months_of_term(double first, double end) {
    const auto part_of = [](const std::string& date, std::size_t from, std::size_t size) {
        int value = 0;
        std::from_chars(date.data() + from, date.data() + from + size, value);
        return value;
    };
    const std::string a = model::date_text(first);
    const std::string b = model::date_text(end);
    const int months = 12 * (part_of(b, 0, 4) - part_of(a, 0, 4)) + part_of(b, 5, 2) - part_of(a, 5, 2);
    return part_of(a, 8, 2) == part_of(b, 8, 2) && months > 0 ? months : 0;
}

class CommitmentReader {
public:
    CommitmentReader(Table& table, const Options& options, Report& report)
        : table_(table), options_(options), report_(report), columns_(table) {}

    std::string read_row() {
        table_.set_currency(table_.text(columns_.currency));
        const std::string_view status = table_.text(columns_.status);
        if (std::find(kNoLongerAgreed.begin(), kNoLongerAgreed.end(), status) != kNoLongerAgreed.end()) {
            return fmt::format("{} is {}: no price of it can be had", table_.text(columns_.id), status);
        }
        if (table_.text(columns_.category) == "Spend") {
            return fmt::format("{} commits {} {} of money, to no machine: put what it takes off prices into a pool's "
                               "discount_fraction",
                               table_.text(columns_.id), table_.text(columns_.cost), table_.text(columns_.currency));
        }
        return read_hours();
    }

    HardError finish() {
        report_.add_all(offers_);
        return std::nullopt;
    }

private:
    // A cell as complaints name it.
    [[nodiscard]] std::string said(Column column) const { return table_.text(column).empty() ? "blank" : table_.shown(column); }

    // The machine that the texts name, or else the option's device. Why there is none, or "".
    std::string read_machine(model::Offer& offer) const {
        const std::array texts{table_.text(columns_.description), table_.text(columns_.type)};
        const auto named = find_instance(texts);
        if (!named && options_.device.empty()) {
            return fmt::format("ContractCommitmentDescription is {}, which names no instance with accelerators; give device",
                               said(columns_.description));
        }
        offer.sku = named ? named->type : fmt::format("1x {}", options_.device);
        offer.device = device_reference(named ? named->machine.device : device_of(options_.device).value_or(options_.device));
        offer.devices = named ? named->machine.devices : 1;
        return "";
    }

    // Of hours of use over a term. Why it can't, or "".
    std::string read_hours() {
        const auto hours = hours_in(table_.text(columns_.unit));
        const Number cost = table_.amount(columns_.cost);
        const Number quantity = table_.amount(columns_.quantity);
        const auto start = parse_moment(table_.text(columns_.start));
        const auto end = parse_moment(table_.text(columns_.end));
        const int months = start && end ? months_of_term(day_of(*start), day_of(*end)) : 0;
        if (table_.text(columns_.provider).empty() && options_.provider.empty()) {
            return "ServiceProviderName is blank; give the option provider";
        }
        if (!hours) {
            return fmt::format("ContractCommitmentUnit is {}; hours of a machine are needed", said(columns_.unit));
        }
        if (!cost || !quantity || cost.value <= 0.0 || quantity.value <= 0.0) {
            return fmt::format("ContractCommitmentCost is {} and ContractCommitmentQuantity is {}; both above 0 make a price",
                               said(columns_.cost), said(columns_.quantity));
        }
        if (months == 0) {
            return fmt::format("its period is {} to {}; whole months are needed", table_.text(columns_.start),
                               table_.text(columns_.end));
        }
        model::Offer offer;
        const std::string_view seller = table_.text(columns_.provider);
        offer.provider = provider_of(seller.empty() ? std::string_view(options_.provider) : seller);
        offer.region = options_.region;
        offer.purchase = model::Purchase::committed;
        offer.term_months = months;
        offer.currency = table_.text(columns_.currency);
        offer.source = price_source(options_);
        std::string reason = read_machine(offer);
        return !reason.empty() ? reason : add(std::move(offer), day_of(*start), cost.value / (quantity.value * *hours));
    }

    std::string add(model::Offer offer, double day, double price) {
        offer.id = make_id({"contract", offer.provider, offer.sku, offer.region, purchase_word(offer)});
        offer.note = fmt::format("What a contract commits to: {}, until {}, {} {} for {} {}; an hour's price is their ratio.",
                                 table_.text(columns_.id), table_.text(columns_.end).substr(0, 10), table_.text(columns_.cost),
                                 table_.text(columns_.currency), table_.text(columns_.quantity), table_.text(columns_.unit));
        const auto found = offers_.find(offer.id);
        if (found == offers_.end()) {
            offer.hourly_price = price_since(day, price);
            offers_.emplace(offer.id, std::move(offer));
            return "";
        }
        model::Offer& kept = found->second;
        if (kept.currency != offer.currency) {
            return fmt::format("{} is in {} above and in {} here", offer.id, kept.currency, offer.currency);
        }
        switch (add_point(*kept.hourly_price.curve, day, price)) {
        case Point::conflict: // given twice, a merge disputes it
            offer.hourly_price = price_since(day, price);
            report_.add(Document(std::move(offer)));
            return "";
        case Point::same:
            ++report_.skipped;
            return "";
        case Point::added:
            kept.note = kept.hourly_price.curve->x.back() == day ? offer.note : kept.note;
        }
        return "";
    }

    Table& table_;
    const Options& options_;
    Report& report_;
    CommitmentColumns columns_;
    std::map<std::string, model::Offer> offers_;
};

} // namespace

HardError read_focus_commitments(Bytes& bytes, const Options& options, Report& report) {
    Table table(bytes);
    if (!table.require({"ContractCommitmentId", "ContractCommitmentCategory", "ContractCommitmentCost",
                        "ContractCommitmentQuantity", "ContractCommitmentUnit", "ContractCommitmentPeriodStart",
                        "ContractCommitmentPeriodEnd", "BillingCurrency"})) {
        return table.error();
    }
    report.format_version = focus_version(table.header());
    CommitmentReader reader(table, options, report);
    return read_rows(table, report, reader, "commitments");
}

} // namespace costcurve::imports
