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
    {"input_cost_per_token", &HostedPrices::input, true},
    {"cache_read_input_token_cost", &HostedPrices::cached_input},
    {"cache_creation_input_token_cost", &HostedPrices::cache_write},
    {"output_cost_per_token", &HostedPrices::output, true},
    {"output_cost_per_reasoning_token", &HostedPrices::reasoning},
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
        const auto number = [&](const char* field) { return number_of(entry, field); };
        if (const std::string reason = read_prices(kLiteLlmFields, number, prices, per_million); !reason.empty()) {
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
        if (has_tiers(entry)) {
            endpoint.note = kLongPromptNote;
        }
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
        return std::min(1.0, std::round(std::max(input, output) * 1e6) / 1e6);
    }

    static bool has_tiers(const Json& entry) {
        const auto object = object_of(entry);
        return object && std::any_of(object->begin(), object->end(),
                                     [](const auto field) { return field.key.starts_with("input_cost_per_token_above"); });
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
