// Lists of llm-prices: models of a vendor with the history of their prices, USD per million tokens (JSON); also the site's lists of
// all vendors, of what holds now and of all that held.
#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "server/import/prices/hosted_models.hpp"
#include "server/import/prices/prices.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/json.hpp"

namespace costcurve::imports {

namespace {

constexpr auto kLlmPriceFields = std::to_array<PriceField>({
    {"input", &ClassPrices::input, true},
    {"input_cached", &ClassPrices::cached_input},
    {"output", &ClassPrices::output, true},
});

struct PricedModel {
    std::string vendor, name;
    std::size_t row = 0; // of the model, counted from 1
    std::vector<PricePeriod> periods;
    std::string reason; // why it can't be used
};

// "gpt-5.6-terra-272k" is the price of gpt-5.6-terra for longer prompts: the name of the other; "" of a name without a length.
std::string base_of_long(std::string_view name) {
    const std::size_t hyphen = name.rfind('-');
    const std::string_view end = hyphen == std::string_view::npos ? "" : name.substr(hyphen + 1);
    const bool is_length = end.size() > 1 && end.ends_with('k') &&
                           std::all_of(end.begin(), end.end() - 1, [](char c) { return c >= '0' && c <= '9'; });
    return is_length ? std::string(name.substr(0, hyphen)) : "";
}

// The tokens that such a name says.
double length_of(std::string_view name) {
    return 1000 * parse_number(name.substr(name.rfind('-') + 1, name.size() - name.rfind('-') - 2)).value;
}

// A day of a period; false where it is no day.
bool read_period_day(const Json& price, std::string_view field, std::optional<double>& day) {
    double days = 0.0;
    if (!member(price, field)) {
        return true; // open
    }
    if (!model::parse_date(text_of(price, field), days)) {
        return false;
    }
    day = days;
    return true;
}

// The reason why a price can't be used, or "".
std::string read_period(const Json& price, PricePeriod& period) {
    if (!read_period_day(price, "from_date", period.from) || !read_period_day(price, "to_date", period.to)) {
        return "from_date or to_date is no day; YYYY-MM-DD or null is needed";
    }
    return read_prices(
        kLlmPriceFields, [&](const char* field) { return number_of(price, field); }, period.prices);
}

class LlmPriceReader {
public:
    LlmPriceReader(const Options& options, Report& report) : options_(options), report_(report), list_(report) {}

    // A file of one vendor: its models, each with its history.
    void read_vendor(std::string_view vendor, simdjson::dom::array models) {
        for (const Json model : models) {
            PricedModel& priced = models_.emplace_back();
            priced.row = ++report_.rows;
            priced.vendor = vendor;
            priced.name = text_of(model, "id");
            const auto history = list_of(model, "price_history");
            if (!history || history->size() == 0) {
                priced.reason = "it has no price_history";
                continue;
            }
            for (const Json price : *history) {
                add_period(price, priced);
            }
        }
    }

    // A list of all vendors: a price an element.
    void read_list(simdjson::dom::array prices) {
        std::map<std::pair<std::string, std::string>, std::size_t> places;
        for (const Json price : prices) {
            ++report_.rows;
            const std::string vendor(text_of(price, "vendor"));
            const std::string name(text_of(price, "id"));
            const auto [place, is_new] = places.try_emplace({vendor, name}, models_.size());
            if (is_new) {
                models_.push_back({vendor, name, report_.rows, {}, ""});
            }
            add_period(price, models_[place->second]);
        }
    }

    HardError finish() {
        if (report_.rows == 0) {
            return hard_error(model::Code::bad_format, 0, "there is no model in it");
        }
        for (const PricedModel& priced : models_) {
            if (has_model(priced.vendor, base_of_long(priced.name))) {
                ++report_.skipped; // with the other
            } else {
                add(priced);
            }
        }
        return std::nullopt;
    }

private:
    static void add_period(const Json& price, PricedModel& priced) {
        const std::string reason = read_period(price, priced.periods.emplace_back());
        priced.reason = priced.reason.empty() ? reason : priced.reason;
    }

    [[nodiscard]] bool has_model(std::string_view vendor, std::string_view name) const {
        return !name.empty() && std::any_of(models_.begin(), models_.end(),
                                            [&](const PricedModel& one) { return one.vendor == vendor && one.name == name; });
    }

    void add(const PricedModel& priced) {
        std::string reason = priced.vendor.empty() || priced.name.empty() ? "its vendor or id is missing" : priced.reason;
        std::vector<DatedPrices> points =
            reason.empty() ? dated_prices(priced.periods, day_of_option(options_), reason) : std::vector<DatedPrices>();
        if (!reason.empty()) {
            report_.rejected.add(priced.row, fmt::format("{}: {}", priced.name, reason));
            return;
        }
        for (const PricedModel& one : models_) {
            if (one.vendor == priced.vendor && base_of_long(one.name) == priced.name) {
                add_longer(one, points);
            }
        }
        list_.add(hosted_model(priced.vendor, priced.name, points, options_), priced.name, priced.row);
    }

    // The prices of a model for longer prompts beside its own, on the days of both.
    void add_longer(const PricedModel& longer, std::vector<DatedPrices>& points) {
        std::string reason = longer.reason;
        const std::vector<DatedPrices> above =
            reason.empty() ? dated_prices(longer.periods, day_of_option(options_), reason) : std::vector<DatedPrices>();
        const auto last_of = [](const std::vector<DatedPrices>& all, double day) -> const DatedPrices* {
            const DatedPrices* last = nullptr;
            for (const DatedPrices& since : all) {
                last = since.day <= day ? &since : last;
            }
            return last;
        };
        if (!reason.empty()) {
            report_.rejected.add(longer.row, fmt::format("{}: {}", longer.name, reason));
            return;
        }
        const std::vector<DatedPrices> own = points;
        for (const DatedPrices& since : above) {
            const DatedPrices* const base = last_of(own, since.day);
            if (base != nullptr && base->day != since.day) {
                points.push_back({since.day, base->prices});
            }
        }
        std::sort(points.begin(), points.end(), [](const DatedPrices& a, const DatedPrices& b) { return a.day < b.day; });
        for (DatedPrices& since : points) {
            if (const DatedPrices* const one = last_of(above, since.day)) {
                since.prices.above[length_of(longer.name)] = one->prices;
            }
        }
    }

    const Options& options_;
    Report& report_;
    EndpointList list_;
    std::vector<PricedModel> models_;
};

} // namespace

HardError read_llm_prices(Bytes& bytes, const Options& options, Report& report) {
    const JsonFile file(bytes);
    if (!file.root()) {
        return file.error();
    }
    LlmPriceReader reader(options, report);
    if (const auto models = list_of(*file.root(), "models")) {
        reader.read_vendor(text_of(*file.root(), "vendor"), *models);
    } else if (const auto prices = list_of(*file.root(), "prices")) {
        reader.read_list(*prices);
    } else {
        return hard_error(model::Code::bad_format, 0,
                          "an object of a vendor with a list of models is needed, or with a list of prices");
    }
    return reader.finish();
}

} // namespace costcurve::imports
