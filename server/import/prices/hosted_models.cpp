// Endpoints of hosted models: prices by class and date, and tables of prefixes and suffixes of models' names.
#include "server/import/prices/hosted_models.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "model/documents/field.hpp"
#include "server/import/curves.hpp"
#include "server/import/prices/prices.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

namespace {

constexpr auto kMakers = std::to_array<std::string_view>(
    {"ai21", "amazon", "anthropic", "cohere", "deepseek", "google", "meta", "mistral", "moonshotai", "openai", "qwen"});
constexpr auto kRegionWords = std::to_array<std::string_view>({"apac", "au", "ca", "eu", "global", "jp", "us", "us-gov"});
struct HostRow {
    std::string_view name; // as a slug
    std::string_view host;
};
// Hosts of models as genai-prices, llm-prices, OpenRouter and LiteLLM name them; LiteLLM's name is ours.
constexpr auto kHosts = std::to_array<HostRow>({
    {"alibaba", "dashscope"},
    {"amazon", "bedrock"},
    {"google", "gemini"},
    {"mistralai", "mistral"},
    {"moonshot-ai", "moonshot"},
    {"moonshotai", "moonshot"},
    {"qwen", "dashscope"},
    {"x-ai", "xai"},
    {"z-ai", "zai"},
    {"z.ai", "zai"},
    {"zhipuai", "zai"},
});
constexpr auto kEnds = std::to_array<std::string_view>({"-instruct", "-versatile", "-instant", "-latest", "-chat-hf", "-it"});

template <std::size_t N> bool is_among(const std::array<std::string_view, N>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_number(char c) { return c >= '0' && c <= '9'; }

// "us.anthropic.claude-…" to the words before the model, and the model.
std::string_view without_makers(std::string_view name, std::string_view* region) {
    for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.')) {
        const std::string_view word = name.substr(0, dot);
        if (is_among(kRegionWords, word) && region != nullptr) {
            *region = word;
        }
        if (!is_among(kMakers, word) && !is_among(kRegionWords, word)) {
            break;
        }
        name.remove_prefix(dot + 1);
    }
    return name;
}

// A version's point written as p, and a family's name that runs into its version: "glm-5p2", "llama3.1-70b".
std::string with_version(std::string_view name) {
    std::string text;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool between = i > 0 && i + 1 < name.size() && is_number(name[i - 1]) && is_number(name[i + 1]);
        text += name[i] == 'p' && between ? "." : name[i] == '+' ? "-plus" : std::string(1, name[i]);
    }
    return text.starts_with("llama") && text.size() > 5 && is_number(text[5]) ? "llama-" + text.substr(5) : text;
}

} // namespace

std::string model_slug(std::string_view name) {
    const std::string small = lower(name.substr(name.find_last_of('/') + 1));
    std::string_view rest = without_makers(small, nullptr);
    if (const std::size_t version = rest.rfind("-v"); version != std::string_view::npos && rest.ends_with(":0")) {
        rest = rest.substr(0, version); // Bedrock's "-v1:0"
    }
    for (bool cut = true; cut;) {
        cut = std::any_of(kEnds.begin(), kEnds.end(), [&](std::string_view end) {
            const bool ends = rest.size() > end.size() && rest.ends_with(end);
            rest.remove_suffix(ends ? end.size() : 0);
            return ends;
        });
    }
    return make_id({with_version(rest)});
}

std::string hosted_region(std::string_view name) {
    const std::string small = lower(name);
    const std::size_t last = small.find_last_of('/');
    if (last != std::string::npos) {
        const std::size_t before = small.find_last_of('/', last - 1);
        std::string middle = before == std::string::npos ? "" : small.substr(before + 1, last - before - 1);
        if (std::count(middle.begin(), middle.end(), '-') >= 2 && is_number(middle.back())) { // us-gov-east-1
            return middle;
        }
    }
    std::string_view region;
    static_cast<void>(without_makers(std::string_view(small).substr(last + 1), &region));
    return std::string(region);
}

std::string read_prices(std::span<const PriceField> fields, const std::function<Number(const char* name)>& number,
                        ClassPrices& prices, double (*convert)(double price), bool is_above) {
    for (const PriceField& field : fields) {
        const Number price = number(field.name);
        if (price.state == Number::State::bad || price.value < 0.0 || (field.is_required && !is_above && price.value <= 0.0)) {
            return fmt::format("{} is no price above 0; zero and blank are not prices", field.name);
        }
        const double converted = convert == nullptr ? price.value : convert(price.value);
        if (converted <= 0.0 && price.value > 0.0) {
            return fmt::format("{} is {:g}, which is 0 per million tokens as prices are kept: it would be free", field.name,
                               price.value);
        }
        prices.*field.price = converted;
    }
    return "";
}

std::vector<DatedPrices> dated_prices(std::span<const PricePeriod> periods, double day, std::string& reason) {
    std::vector<DatedPrices> points;
    bool holds_any = false; // now or later
    for (const PricePeriod& period : periods) {
        if (period.from && period.to && *period.from >= *period.to) {
            reason =
                fmt::format("a price ends on {} and begins on {}", model::date_text(*period.to), model::date_text(*period.from));
            return {};
        }
        const bool holds = (!period.from || *period.from <= day) && (!period.to || day < *period.to);
        holds_any = holds_any || holds || (period.from && *period.from > day);
        if (period.from) {
            points.push_back({*period.from, period.prices});
        } else if (!holds) {
            points.push_back({*period.to - 1.0, period.prices});
        }
        if (holds && period.from != day) {
            points.push_back({day, period.prices});
        }
    }
    std::sort(points.begin(), points.end(), [](const DatedPrices& a, const DatedPrices& b) { return a.day < b.day; });
    const auto twice =
        std::adjacent_find(points.begin(), points.end(), [](const DatedPrices& a, const DatedPrices& b) { return a.day == b.day; });
    if (twice != points.end()) {
        reason = fmt::format("it has two prices of {}", model::date_text(twice->day));
    } else if (!holds_any) {
        reason = "its prices have ended";
    }
    return reason.empty() ? points : std::vector<DatedPrices>();
}

double per_million(double per_token) { return std::round(per_token * 1e18) / 1e12; }

std::string model_host(std::string_view host, std::string_view name) {
    std::string slug = make_id({host});
    const auto row = std::ranges::find(kHosts, slug, &HostRow::name);
    if (row != kHosts.end() && row->host == "gemini" && model_slug(name).starts_with("claude")) {
        return "vertex-ai";
    }
    return row == kHosts.end() ? provider_of(host) : std::string(row->host);
}

model::Endpoint hosted_model(std::string_view host, std::string_view name, const HostedPrices& prices, const Options& options) {
    const DatedPrices since{day_of_option(options), prices};
    return hosted_model(host, name, {&since, 1}, options);
}

namespace {

// The standard prices of a day, or those of a tier; none where it has none.
const PricesByLength& in_tier(const DatedPrices& since, model::ServiceTier tier) {
    static const PricesByLength none;
    const auto found = since.prices.tiers.find(tier);
    return tier == model::ServiceTier::standard ? since.prices : found == since.prices.tiers.end() ? none : found->second;
}

// Of each day the prices by class, or above a threshold; on a day without that threshold the base holds.
std::optional<model::UnitPrice> unit_price(std::span<const DatedPrices> prices, model::ServiceTier tier,
                                           std::optional<double> threshold) {
    struct ClassRow {
        double ClassPrices::*price;
        std::optional<model::Rate> model::UnitPrice::*of_class;
        double ClassPrices::*else_price; // that holds where the class has none
    };
    static constexpr auto kClasses = std::to_array<ClassRow>({
        {&ClassPrices::input, &model::UnitPrice::input, &ClassPrices::input},
        {&ClassPrices::cached_input, &model::UnitPrice::cached_input, &ClassPrices::input},
        {&ClassPrices::cache_write, &model::UnitPrice::cache_write, &ClassPrices::input},
        {&ClassPrices::output, &model::UnitPrice::output, &ClassPrices::output},
        {&ClassPrices::reasoning, &model::UnitPrice::reasoning, &ClassPrices::output},
    });
    const auto on_day = [&](const DatedPrices& since) -> const ClassPrices& {
        const PricesByLength& of_tier = in_tier(since, tier);
        const auto above = threshold ? of_tier.above.find(*threshold) : of_tier.above.end();
        return above == of_tier.above.end() ? of_tier : above->second;
    };
    model::UnitPrice price;
    price.split = true;
    bool is_priced = false;
    for (const ClassRow& row : kClasses) {
        const bool has_price =
            std::any_of(prices.begin(), prices.end(), [&](const DatedPrices& since) { return on_day(since).*row.price > 0.0; });
        if (!has_price) {
            continue;
        }
        is_priced = true;
        model::Curve& curve = (price.*row.of_class).emplace().curve.emplace(price_curve());
        for (const DatedPrices& since : prices) {
            const double own = on_day(since).*row.price;
            append_point(curve, since.day, own > 0.0 ? own : on_day(since).*row.else_price);
        }
    }
    return is_priced ? std::optional(std::move(price)) : std::nullopt;
}

std::vector<model::PriceAbove> prices_above(std::span<const DatedPrices> prices, model::ServiceTier tier) {
    std::set<double> thresholds;
    for (const DatedPrices& since : prices) {
        for (const auto& above : in_tier(since, tier).above) {
            thresholds.insert(above.first);
        }
    }
    std::vector<model::PriceAbove> all;
    for (const double threshold : thresholds) {
        if (std::optional<model::UnitPrice> price = unit_price(prices, tier, threshold)) {
            all.push_back({threshold, std::move(price), model::PriceScope::request});
        }
    }
    return all;
}

// A fee over the days; nothing where no day has one.
std::optional<model::Rate> fee_of(std::span<const DatedPrices> prices, double HostedPrices::*fee) {
    if (std::none_of(prices.begin(), prices.end(), [&](const DatedPrices& since) { return since.prices.*fee > 0.0; })) {
        return std::nullopt;
    }
    model::Rate rate;
    model::Curve& curve = rate.curve.emplace(price_curve());
    for (const DatedPrices& since : prices) {
        append_point(curve, since.day, since.prices.*fee);
    }
    return rate;
}

void add_fees_and_tiers(std::span<const DatedPrices> prices, model::Endpoint& endpoint) {
    const model::HostedFees fees{fee_of(prices, &HostedPrices::request), fee_of(prices, &HostedPrices::search),
                                 fee_of(prices, &HostedPrices::image), std::nullopt};
    endpoint.fees = fees == model::HostedFees{} ? std::nullopt : std::optional(fees);
    const auto tier = [&](model::ServiceTier which) -> std::optional<model::TierPrices> {
        model::TierPrices of_tier;
        of_tier.price_per_million_units = unit_price(prices, which, std::nullopt);
        of_tier.above = prices_above(prices, which);
        return of_tier.price_per_million_units ? std::optional(std::move(of_tier)) : std::nullopt;
    };
    const model::ServiceTiers tiers{tier(model::ServiceTier::batch), tier(model::ServiceTier::flex),
                                    tier(model::ServiceTier::priority)};
    endpoint.service_tiers = tiers == model::ServiceTiers{} ? std::nullopt : std::optional(tiers);
}

// Lists that have a price of what is kept for an hour state that of five minutes beside it (Anthropic's two lifetimes). As a factor
// of the price of input, the largest of the newest prices below and above thresholds.
std::optional<model::HostedCache> cache_of(std::span<const DatedPrices> prices) {
    constexpr double kFiveMinutes = 300.0;
    constexpr double kHour = 3600.0;
    const auto newest =
        std::find_if(prices.rbegin(), prices.rend(), [](const DatedPrices& since) { return since.prices.hour_write > 0.0; });
    if (newest == prices.rend() || newest->prices.input <= 0.0) {
        return std::nullopt;
    }
    double factor = newest->prices.hour_write / newest->prices.input;
    for (const auto& above : newest->prices.above) {
        if (above.second.hour_write > 0.0) {
            factor =
                std::max(factor, above.second.hour_write / (above.second.input > 0.0 ? above.second.input : newest->prices.input));
        }
    }
    model::HostedCache cache;
    if (newest->prices.cache_write > 0.0) {
        cache.write_lifetimes.push_back({kFiveMinutes, std::nullopt});
    }
    cache.write_lifetimes.push_back({kHour, std::round(factor * 1e9) / 1e9});
    return cache;
}

// With its list, as the endpoint's source begins with it: a later one that states no such condition takes it away.
std::string marked_condition(const std::string& condition, const std::string& source, const Options& options) {
    const std::string list = price_source(options);
    std::string marked = fmt::format("{} ({})", condition, list.empty() ? source : list);
    return marked.size() > model::kMaxNameBytes ? condition : marked;
}

} // namespace

model::Endpoint hosted_model(std::string_view host, std::string_view name, std::span<const DatedPrices> prices,
                             const Options& options) {
    model::Endpoint endpoint;
    endpoint.provider = model_host(host, name);
    endpoint.model = model_slug(name);
    endpoint.region = hosted_region(name);
    endpoint.id = make_id({endpoint.provider, endpoint.model, endpoint.region});
    endpoint.source = price_source(options, fmt::format("{} {}", host, name));
    endpoint.currency = dollars_or_option(options);
    constexpr model::ServiceTier kStandard = model::ServiceTier::standard;
    endpoint.price_per_million_units = unit_price(prices, kStandard, std::nullopt); // without one, a merge refuses it by name
    endpoint.above = prices_above(prices, kStandard);
    endpoint.cache = cache_of(prices);
    add_fees_and_tiers(prices, endpoint);
    for (const DatedPrices& since : prices) {
        for (const std::string& unmarked : since.prices.unknown_conditions) {
            std::string condition = marked_condition(unmarked, endpoint.source, options);
            if (std::ranges::find(endpoint.unknown_conditions, condition) == endpoint.unknown_conditions.end()) {
                endpoint.unknown_conditions.push_back(std::move(condition));
            }
        }
    }
    return endpoint;
}

void EndpointList::add(model::Endpoint&& endpoint, std::string_view name, std::size_t row) {
    Prices prices{endpoint.price_per_million_units, endpoint.above, endpoint.service_tiers, endpoint.fees, endpoint.cache};
    const auto [seen, is_new] = seen_.try_emplace(endpoint.id, std::string(name), prices);
    const bool is_same = seen->second.second == prices;
    if (!is_new) {
        report_.skipped += is_same ? 1U : 0U;
        report_.warnings.add(row, fmt::format("{} is {}, as {} above, {}", name, endpoint.id, seen->second.first,
                                              is_same ? "at the same price" : "at another price: it is held"));
    }
    if (is_new || !is_same) {
        report_.add(std::move(endpoint));
    }
}

} // namespace costcurve::imports
