// LiteLLM's list of hosted models (model_prices_and_context_window.json): USD a token by class, an endpoint each.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "server/import/prices/hosted_models.hpp"
#include "server/import/prices/prices.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/json.hpp"
#include "server/import/text/utf8.hpp"

namespace costcurve::imports {

namespace {

constexpr auto kLiteLlmFields = std::to_array<PriceField>({
    {"input_cost_per_token", &ClassPrices::input, true},
    {"cache_read_input_token_cost", &ClassPrices::cached_input},
    {"cache_creation_input_token_cost", &ClassPrices::cache_write},
    {"cache_creation_input_token_cost_above_1hr", &ClassPrices::hour_write},
    {"output_cost_per_token", &ClassPrices::output, true},
    {"output_cost_per_reasoning_token", &ClassPrices::reasoning},
});

struct TierEnd {
    std::string_view end;
    model::ServiceTier tier;
};
constexpr auto kTierEnds = std::to_array<TierEnd>({{"", model::ServiceTier::standard},
                                                   {"_batches", model::ServiceTier::batch},
                                                   {"_flex", model::ServiceTier::flex},
                                                   {"_priority", model::ServiceTier::priority}});
// Priced fields that are read beside those by class.
constexpr auto kReadFields =
    std::to_array<std::string_view>({"input_cost_per_image", "input_cost_per_request", "input_cost_per_token_cache_hit",
                                     "search_context_cost_per_query", "tiered_pricing"});
// Parts of the names of prices that requests of text in the region of the list don't pay.
constexpr auto kOtherMedia =
    std::to_array<std::string_view>({"audio", "character", "code_interpreter", "computer_use", "file_search", "image", "pixel",
                                     "regional_processing", "second", "session", "vector_store", "video"});
constexpr std::string_view kAlwaysSearches = "perplexity";

bool is_text_model(std::string_view mode) { return mode == "chat" || mode == "completion" || mode == "responses"; }

// "vertex_ai-anthropic_models" is Vertex AI, "bedrock_converse" an interface of Bedrock.
std::string host_of(std::string_view provider) {
    std::string host(provider.substr(0, provider.find('-')));
    host = host.starts_with("bedrock") ? "bedrock" : host;
    std::replace(host.begin(), host.end(), '_', '-');
    return host;
}

class LiteLlmReader {
public:
    LiteLlmReader(const Options& options, Report& report) : options_(options), report_(report), list_(report) {}

    void read(std::string_view name, const Json& entry) {
        ++report_.rows;
        if (name == "sample_spec" || !is_text_model(text_of(entry, "mode"))) {
            ++report_.skipped;
            return;
        }
        HostedPrices prices;
        if (const std::string reason = read_entry(entry, prices); !reason.empty()) {
            report_.rejected.add(report_.rows, fmt::format("{}: {}", name, reason));
        } else {
            add(name, entry, prices);
        }
    }

private:
    void add(std::string_view name, const Json& entry, HostedPrices& prices) {
        const std::string host = host_of(text_of(entry, "litellm_provider"));
        const double batch = one_batch_fraction(prices);
        if (const auto found = prices.tiers.find(model::ServiceTier::batch); found != prices.tiers.end()) {
            const double dearest = std::max(found->second.input / prices.input, found->second.output / prices.output);
            if (dearest > 1.0) {
                report_.warnings.add(report_.rows, fmt::format("{}: a batch costs {:.3g} times the price", name, dearest));
            }
            if (batch != 1.0) {
                prices.tiers.erase(found);
            }
        }
        if (host == kAlwaysSearches) { // and bills each request by it
            prices.request = std::max(prices.request, std::exchange(prices.search, 0.0));
        }
        model::Endpoint endpoint = hosted_model(host, name, prices, options_);
        endpoint.batch_price_fraction = batch;
        list_.add(std::move(endpoint), name, report_.rows);
    }

    // Of the price, where a batch costs the same part of input and output and no more than it; else 1.
    static double one_batch_fraction(const HostedPrices& prices) {
        const auto found = prices.tiers.find(model::ServiceTier::batch);
        if (found == prices.tiers.end() || !found->second.above.empty()) {
            return 1.0;
        }
        const ClassPrices& batch = found->second;
        const double input = batch.input / prices.input;
        const double output = batch.output / prices.output;
        const bool is_one = batch.input > 0.0 && std::abs(input - output) <= 1e-6 && batch.cached_input == 0.0 &&
                            batch.cache_write == 0.0 && batch.reasoning == 0.0;
        return is_one && input < 1.0 ? std::round(input * 1e6) / 1e6 : 1.0;
    }

    static std::string read_entry(const Json& entry, HostedPrices& prices) {
        const auto tiers = list_of(entry, "tiered_pricing");
        std::string reason = tiers && tiers->size() > 0 ? read_tiers(*tiers, prices)
                                                        : read_prices(kLiteLlmFields, fields_of(entry), prices, per_million);
        const Number hit = number_of(entry, "input_cost_per_token_cache_hit"); // DeepSeek's name of the field
        if (prices.cached_input == 0.0 && hit && hit.value > 0.0) {
            prices.cached_input = per_million(hit.value);
        }
        for (const auto& [end, place] : ends_of_fields(entry)) {
            PricesByLength& of_tier =
                place.tier == model::ServiceTier::standard ? static_cast<PricesByLength&>(prices) : prices.tiers[place.tier];
            ClassPrices& into = place.tokens > 0.0 ? of_tier.above[place.tokens] : of_tier;
            const auto field = [&, &end = end](const char* name) { return number_of(entry, name + end); };
            reason = reason.empty() ? read_prices(kLiteLlmFields, field, into, per_million, true) : reason;
        }
        for (auto& [tier, of_tier] : prices.tiers) {
            keep_dearer_kin(prices, of_tier);
        }
        reason = reason.empty() ? read_fees(entry, prices) : reason;
        note_conditions(entry, prices);
        return reason;
    }

    // A class that a dearer tier states no price of costs as much more as its kin does.
    static void keep_dearer_kin(const ClassPrices& standard, ClassPrices& tier) {
        const auto keep = [&](double ClassPrices::*price, double ClassPrices::*kin) {
            if (tier.*price == 0.0 && standard.*price > 0.0 && tier.*kin > standard.*kin && standard.*kin > 0.0) {
                tier.*price = standard.*price * (tier.*kin / (standard.*kin));
            }
        };
        keep(&ClassPrices::cached_input, &ClassPrices::input);
        keep(&ClassPrices::cache_write, &ClassPrices::input);
        keep(&ClassPrices::reasoning, &ClassPrices::output);
    }

    // Of a search the largest price: which context is searched is not known of a request.
    static std::string read_fees(const Json& entry, HostedPrices& prices) {
        const auto fee = [&](const Json& json, std::string_view name, double& into) {
            const Number number = number_of(json, name);
            into = std::max(into, number.value);
            return number.state != Number::State::bad && number.value >= 0.0;
        };
        std::string reason;
        for (const auto& [name, price] : {std::pair{"input_cost_per_request", &HostedPrices::request},
                                          std::pair{"input_cost_per_image", &HostedPrices::image}}) {
            reason = reason.empty() && !fee(entry, name, prices.*price) ? fmt::format("{} is no price", name) : reason;
        }
        if (const std::optional<Json> search = member(entry, "search_context_cost_per_query")) {
            for (const std::string_view size :
                 {"search_context_size_low", "search_context_size_medium", "search_context_size_high"}) {
                reason = reason.empty() && !fee(*search, size, prices.search) ? fmt::format("{} is no price", size) : reason;
            }
        }
        return reason;
    }

    // A price of a unit that requests of text may have and no field holds.
    static void note_conditions(const Json& entry, HostedPrices& prices) {
        const auto ends = ends_of_fields(entry);
        const auto members = object_of(entry);
        for (const auto field : *members) {
            const auto has = [&](std::string_view part) { return field.key.find(part) != std::string_view::npos; };
            const bool is_read = std::ranges::find(kReadFields, field.key) != kReadFields.end() ||
                                 std::ranges::any_of(kLiteLlmFields, [&](const PriceField& one) {
                                     return field.key == one.name ||
                                            (field.key.starts_with(one.name) &&
                                             ends.contains(std::string(field.key.substr(std::string_view(one.name).size()))));
                                 });
            const bool is_price = has("cost") || has("pric");
            double value = 0.0;
            const bool is_zero = field.value.get(value) == simdjson::SUCCESS && value == 0.0;
            if (is_price && !is_read && !is_zero && !field.value.is_null() && std::ranges::none_of(kOtherMedia, has)) {
                prices.unknown_conditions.emplace_back(clipped(field.key));
            }
        }
    }

    // Prices by ranges of the prompt's tokens, each from the end of the one before.
    static std::string read_tiers(const simdjson::dom::array& tiers, HostedPrices& prices) {
        double before = 0.0;
        for (const Json tier : tiers) {
            const auto range = list_of(tier, "range");
            double from = 0.0;
            double to = 0.0;
            if (!range || range->size() != 2 || range->at(0).get(from) != simdjson::SUCCESS ||
                range->at(1).get(to) != simdjson::SUCCESS || from != before || to <= from) {
                return "tiered_pricing has no ranges that follow one another from 0";
            }
            ClassPrices& of_tier = before > 0.0 ? prices.above[before] : prices;
            if (std::string reason = read_prices(kLiteLlmFields, fields_of(tier), of_tier, per_million); !reason.empty()) {
                return reason;
            }
            before = to;
        }
        return "";
    }

    static std::function<Number(const char*)> fields_of(const Json& entry) {
        return [entry](const char* field) { return number_of(entry, field); };
    }

    // What stands behind the names of the fields by class: "_above_272k_tokens_priority" is of prompts above 272,000 tokens, first
    // come.
    struct Place {
        double tokens = 0.0;
        model::ServiceTier tier = model::ServiceTier::standard;
    };
    static std::map<std::string, Place> ends_of_fields(const Json& entry) {
        std::map<std::string, Place> found;
        const auto members = object_of(entry);
        for (const auto field : *members) {
            for (const PriceField& one : kLiteLlmFields) {
                const std::string_view name = one.name;
                const std::string_view end = field.key.starts_with(name) ? field.key.substr(name.size()) : "";
                if (const std::optional<Place> place = place_of(end)) {
                    found.emplace(end, *place);
                }
            }
        }
        return found;
    }
    static std::optional<Place> place_of(std::string_view end) {
        constexpr std::string_view kAbove = "_above_";
        constexpr std::string_view kTokens = "k_tokens";
        Place place;
        if (end.empty()) {
            return std::nullopt;
        }
        if (end.starts_with(kAbove)) {
            const std::size_t tokens = std::min(end.find(kTokens), end.size());
            const Number thousands = parse_number(end.substr(kAbove.size(), tokens - kAbove.size()));
            if (tokens == end.size() || !thousands || thousands.value <= 0.0) {
                return std::nullopt; // "_above_1hr", of a cache
            }
            place.tokens = 1000 * thousands.value;
            end.remove_prefix(tokens + kTokens.size());
        }
        const auto tier = std::ranges::find(kTierEnds, end, &TierEnd::end);
        if (tier == kTierEnds.end()) {
            return std::nullopt;
        }
        place.tier = tier->tier;
        return place;
    }

    const Options& options_;
    Report& report_;
    EndpointList list_;
};

} // namespace

HardError read_litellm_prices(Bytes& bytes, const Options& options, Report& report) {
    const JsonFile file(bytes);
    if (!file.root()) {
        return file.error();
    }
    const auto models = object_of(*file.root());
    if (!models) {
        return hard_error(model::Code::bad_format, 0, "the file is no object of models by name");
    }
    LiteLlmReader reader(options, report);
    for (const auto entry : *models) {
        reader.read(entry.key, entry.value);
    }
    if (report.rows == report.skipped) {
        return hard_error(model::Code::bad_format, 0, "no member has a mode chat, completion or responses and a price a token");
    }
    return {};
}

} // namespace costcurve::imports
