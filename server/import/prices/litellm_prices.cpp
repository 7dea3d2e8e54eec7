// LiteLLM's list of hosted models (model_prices_and_context_window.json): USD a token by class, an endpoint each.
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "server/import/prices/hosted_models.hpp"
#include "server/import/prices/prices.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/json.hpp"

namespace costcurve::imports {

namespace {

constexpr auto kLiteLlmFields = std::to_array<PriceField>({
    {"input_cost_per_token", &ClassPrices::input, true},
    {"cache_read_input_token_cost", &ClassPrices::cached_input},
    {"cache_creation_input_token_cost", &ClassPrices::cache_write},
    {"output_cost_per_token", &ClassPrices::output, true},
    {"output_cost_per_reasoning_token", &ClassPrices::reasoning},
});

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
    void add(std::string_view name, const Json& entry, const HostedPrices& prices) {
        const std::string host = host_of(text_of(entry, "litellm_provider"));
        model::Endpoint endpoint = hosted_model(host, name, prices, options_);
        endpoint.batch_price_fraction = batch_fraction(name, entry);
        list_.add(std::move(endpoint), name, report_.rows);
    }

    // Of the price, where a batch is priced; that of the dearer side where they differ.
    double batch_fraction(std::string_view name, const Json& entry) {
        const auto fraction = [&](std::string_view batch, std::string_view live) {
            const Number of_batch = number_of(entry, batch);
            return of_batch && of_batch.value > 0.0 ? of_batch.value / number_of(entry, live).value : 1.0;
        };
        const double input = fraction("input_cost_per_token_batches", "input_cost_per_token");
        const double output = fraction("output_cost_per_token_batches", "output_cost_per_token");
        if (std::abs(input - output) > 1e-6) {
            report_.warnings.add(report_.rows, fmt::format("{}: a batch costs {:.3g} of the price of input and {:.3g} of that of "
                                                           "output; the larger is taken",
                                                           name, input, output));
        }
        const double larger = std::round(std::max(input, output) * 1e6) / 1e6;
        if (larger > 1.0) {
            report_.warnings.add(report_.rows,
                                 fmt::format("{}: a batch costs {:.3g} times the price; the price is taken", name, larger));
        }
        return std::min(1.0, larger);
    }

    static std::string read_entry(const Json& entry, HostedPrices& prices) {
        const auto tiers = list_of(entry, "tiered_pricing");
        std::string reason = tiers && tiers->size() > 0 ? read_tiers(*tiers, prices)
                                                        : read_prices(kLiteLlmFields, fields_of(entry), prices, per_million);
        for (const auto& threshold : thresholds(entry)) {
            const auto above = [&](const char* field) { return number_of(entry, field + threshold.second); };
            reason = reason.empty() ? read_prices(kLiteLlmFields, above, prices.above[threshold.first], per_million, true) : reason;
        }
        const Number fee = number_of(entry, "input_cost_per_request");
        prices.request = std::max(0.0, fee.value);
        return reason.empty() && (fee.state == Number::State::bad || fee.value < 0.0) ? "input_cost_per_request is no price"
                                                                                      : reason;
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

    // Of fields such as input_cost_per_token_above_200k_tokens: the prompt's tokens, and the ends of the fields' names.
    static std::map<double, std::string> thresholds(const Json& entry) {
        constexpr std::string_view kFirst = "input_cost_per_token_above_";
        constexpr std::string_view kEnd = "k_tokens";
        std::map<double, std::string> found;
        const auto object = object_of(entry);
        for (const auto field : *object) {
            if (field.key.starts_with(kFirst) && field.key.ends_with(kEnd)) {
                const std::string_view digits = field.key.substr(kFirst.size(), field.key.size() - kFirst.size() - kEnd.size());
                if (const Number thousands = parse_number(digits); thousands && thousands.value > 0.0) {
                    found.emplace(1000 * thousands.value,
                                  std::string(field.key.substr(kFirst.size() - std::string_view("_above_").size())));
                }
            }
        }
        return found;
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
