// Lists of genai-prices: a provider's models with USD per million tokens by class (YAML), prices that begin on a date among them.
// Of prices by the time of day the dearest are taken, and that they are so is a condition that no field holds.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "server/import/prices/hosted_models.hpp"
#include "server/import/prices/prices.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/utf8.hpp"
#include "server/import/text/yaml.hpp"

namespace costcurve::imports {

namespace {

constexpr auto kGenaiFields = std::to_array<PriceField>({
    {"input_mtok", &ClassPrices::input, true},
    {"cache_read_mtok", &ClassPrices::cached_input},
    {"cache_write_mtok", &ClassPrices::cache_write},
    {"cache_write_1h_mtok", &ClassPrices::hour_write},
    {"output_mtok", &ClassPrices::output, true},
});

// A price that depends on the length of the prompt is a map: its base.
Number base_price(const YAML::Node& prices, const char* field) {
    const YAML::Node found = yaml_member(prices, field);
    return found && found.IsMap() ? yaml_number(found, "base") : yaml_number(prices, field);
}

// And its tiers, each from a number of tokens on.
std::string read_tiers(const YAML::Node& prices, HostedPrices& into) {
    for (const PriceField& field : kGenaiFields) {
        const YAML::Node found = yaml_member(prices, field.name);
        const YAML::Node tiers = found && found.IsMap() ? yaml_member(found, "tiers") : YAML::Node();
        for (std::size_t i = 0; tiers.IsSequence() && i < tiers.size(); ++i) {
            const Number start = yaml_number(tiers[i], "start");
            const Number price = yaml_number(tiers[i], "price");
            if (!start || !price || start.value <= 0.0 || price.value <= 0.0) {
                return fmt::format("a tier of {} has no start and price above 0", field.name);
            }
            into.above[start.value].*field.price = price.value;
        }
    }
    return "";
}

class GenaiReader {
public:
    GenaiReader(std::string vendor, const Options& options, Report& report)
        : vendor_(std::move(vendor)), options_(options), report_(report), list_(report), day_(day_of_option(options)) {}

    void read_model(const YAML::Node& model) {
        ++report_.rows;
        const std::string name = model.IsMap() ? yaml_text(model, "id") : "";
        if (name.empty()) {
            report_.rejected.add(yaml_line(model), "a model without an id; one is needed");
            return;
        }
        const YAML::Node prices = yaml_member(model, "prices");
        if (yaml_text(model, "removed") == "true" || !is_of_text(prices)) {
            ++report_.skipped;
            return;
        }
        std::vector<PricePeriod> periods;
        std::string reason = read_periods(prices, periods);
        const std::vector<DatedPrices> points = reason.empty() ? dated_prices(periods, day_, reason) : std::vector<DatedPrices>();
        if (!reason.empty()) {
            report_.rejected.add(yaml_line(model), fmt::format("{}: {}", name, reason));
            return;
        }
        list_.add(hosted_model(vendor_, name, points, options_), name, yaml_line(model));
    }

    HardError finish() {
        if (report_.rows == report_.skipped) {
            return hard_error(model::Code::bad_format, 0, "no model has prices of input_mtok and output_mtok");
        }
        return std::nullopt;
    }

private:
    // Models without a price of tokens, in and out, are of something else: embeddings, speech, images.
    static bool is_of_text(const YAML::Node& prices) {
        const YAML::Node first =
            prices && prices.IsSequence() && prices.size() > 0 && prices[0].IsMap() ? yaml_member(prices[0], "prices") : prices;
        return first && first.IsMap() && yaml_member(first, "input_mtok") && yaml_member(first, "output_mtok");
    }

    // The prices of a model: a map, or a list of them of which all but one begin on a date. The reason why they can't be used, or
    // "".
    static std::string read_periods(const YAML::Node& prices, std::vector<PricePeriod>& periods) {
        if (prices.IsMap()) {
            return read_prices(prices, periods.emplace_back().prices);
        }
        std::vector<HostedPrices> by_hour;
        for (const auto& item : prices) {
            if (const std::string hours = hours_of(item); !hours.empty()) {
                HostedPrices& of_hours = by_hour.emplace_back();
                if (std::string reason = read_prices(yaml_member(item, "prices"), of_hours); !reason.empty()) {
                    return reason;
                }
                of_hours.unknown_conditions.push_back(hours);
                continue;
            }
            PricePeriod& period = periods.emplace_back();
            if (std::string reason = read_start(item, period); !reason.empty()) {
                return reason;
            }
            if (std::string reason = read_prices(yaml_member(item, "prices"), period.prices); !reason.empty()) {
                return reason;
            }
        }
        if (!by_hour.empty() && periods.size() > 1) {
            return "its prices depend on the time of day and on a date; store an endpoint with the price of your hours";
        }
        for (const HostedPrices& of_hours : by_hour) {
            keep_dearest(of_hours, periods.empty() ? periods.emplace_back().prices : periods.front().prices);
        }
        std::sort(periods.begin(), periods.end(), [](const PricePeriod& a, const PricePeriod& b) {
            return a.from.value_or(-HUGE_VAL) < b.from.value_or(-HUGE_VAL);
        });
        for (std::size_t i = 0; i + 1 < periods.size(); ++i) {
            if (!periods[i + 1].from) {
                return "two of its prices have no constraint; which one holds is not known";
            }
            periods[i].to = periods[i + 1].from;
        }
        return "";
    }

    // "the time of day: from 00:30:00Z to 16:30:00Z"; "" of a price that holds all day.
    static std::string hours_of(const YAML::Node& item) {
        const YAML::Node constraint = item.IsMap() ? yaml_member(item, "constraint") : YAML::Node();
        if (!constraint || !constraint.IsMap() || !yaml_member(constraint, "start_time") || yaml_member(constraint, "start_date")) {
            return "";
        }
        return fmt::format("the time of day: another price from {} to {}", clipped(yaml_text(constraint, "start_time")),
                           clipped(yaml_text(constraint, "end_time")));
    }

    // Of prices by the hour the dearest hold, and that it is not known which does.
    static void keep_dearest(const HostedPrices& one, HostedPrices& dearest) {
        for (const PriceField& field : kGenaiFields) {
            dearest.*field.price = std::max(dearest.*field.price, one.*field.price);
        }
        dearest.unknown_conditions.insert(dearest.unknown_conditions.end(), one.unknown_conditions.begin(),
                                          one.unknown_conditions.end());
    }

    static std::string read_start(const YAML::Node& item, PricePeriod& period) {
        const YAML::Node constraint = yaml_member(item, "constraint");
        if (!item.IsMap() || !yaml_member(item, "prices")) {
            return "prices is a list with an item that has none";
        }
        if (!constraint || constraint.IsNull()) {
            return "";
        }
        const std::string start = constraint.IsMap() ? yaml_text(constraint, "start_date") : "";
        if (start.empty()) {
            return "its price depends on more than a date or the time of day; store an endpoint with your price";
        }
        double day = 0.0;
        if (!model::parse_date(start, day)) {
            return fmt::format("start_date is {}; a day as YYYY-MM-DD is needed", start);
        }
        period.from = day;
        return "";
    }

    static std::string read_prices(const YAML::Node& map, HostedPrices& prices) {
        if (!map.IsMap()) {
            return "prices is no map of prices by class";
        }
        const auto number = [&](const char* field) { return base_price(map, field); };
        std::string reason = imports::read_prices(kGenaiFields, number, prices);
        reason = reason.empty() ? read_tiers(map, prices) : reason;
        constexpr double kCount = 1000.0; // that a price is of
        for (const auto& [field, price] :
             {std::pair{"requests_kcount", &HostedPrices::request}, std::pair{"web_searches_kcount", &HostedPrices::search}}) {
            const Number fee = yaml_number(map, field);
            prices.*price = fee.value / kCount;
            const bool is_price = fee.state != Number::State::bad && fee.value >= 0.0;
            reason = reason.empty() && !is_price ? fmt::format("{} is no price", field) : reason;
        }
        return reason;
    }

    std::string vendor_;
    const Options& options_;
    Report& report_;
    EndpointList list_;
    double day_;
};

} // namespace

HardError read_genai_prices(Bytes& bytes, const Options& options, Report& report) {
    return read_yaml(bytes, [&](const YAML::Node& root) -> HardError {
        const YAML::Node models = yaml_member(root, "models");
        if (!models || !models.IsSequence() || yaml_text(root, "id").empty()) {
            return hard_error(model::Code::missing, 0, "a map with the id of a provider and a list of models is needed");
        }
        GenaiReader reader(yaml_text(root, "id"), options, report);
        for (const auto& model : models) {
            reader.read_model(model);
        }
        return reader.finish();
    });
}

} // namespace costcurve::imports
