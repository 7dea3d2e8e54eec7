// OpenRouter's list of models (JSON, api/v1/models): USD a token by class, as texts. OpenRouter is the provider of all of them.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "server/import/prices/hosted_models.hpp"
#include "server/import/prices/prices.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/json.hpp"

namespace costcurve::imports {

namespace {

constexpr std::string_view kOpenRouter = "openrouter";

constexpr auto kOpenRouterFields = std::to_array<PriceField>({
    {"prompt", &ClassPrices::input, true},
    {"input_cache_read", &ClassPrices::cached_input},
    {"input_cache_write", &ClassPrices::cache_write},
    {"completion", &ClassPrices::output, true},
    {"internal_reasoning", &ClassPrices::reasoning},
});

class OpenRouterReader {
public:
    OpenRouterReader(const Options& options, Report& report) : options_(options), report_(report), list_(report) {}

    void read_model(const Json& model) {
        ++report_.rows;
        const std::string_view name = text_of(model, "id");
        const std::optional<Json> pricing = member(model, "pricing");
        if (name.empty() || !pricing) {
            reject("an id and pricing are needed");
            return;
        }
        if (name.starts_with('~') || name.ends_with(":free") || has_other_output(model) || varies(*pricing)) {
            ++report_.skipped; // a name of another model, no price at all, images and sound, a router's choice
            return;
        }
        HostedPrices prices;
        const auto number = [&](const char* field) { return number_of(*pricing, field); };
        std::string reason = read_prices(kOpenRouterFields, number, prices, per_million);
        reason = reason.empty() ? read_overrides(*pricing, prices) : reason;
        if (!reason.empty()) {
            reject(fmt::format("{}: {}", name, reason));
            return;
        }
        if (prices.cache_write > 0.0 && prices.cache_write < prices.input) {
            prices.cache_write = 0.0; // of storage, beside the input's: Gemini's
            ++storage_;
        }
        list_.add(hosted_model(kOpenRouter, name, prices, options_), name, report_.rows);
    }

    HardError finish() {
        if (report_.rows == report_.skipped) {
            return hard_error(model::Code::bad_format, 0, "no model in it has a price of text by the token");
        }
        const auto warn = [&](std::size_t count, std::string_view what) {
            if (count > 0) {
                report_.warnings.add(0, fmt::format("{} models {}", count, what));
            }
        };
        warn(storage_, "have an input_cache_write below their price of input, which is no price of written tokens: left out");
        return std::nullopt;
    }

private:
    void reject(std::string reason) { report_.rejected.add(report_.rows, std::move(reason)); }

    // Prices of longer prompts, and of a request.
    static std::string read_overrides(const Json& pricing, HostedPrices& prices) {
        const auto overrides = list_of(pricing, "overrides");
        for (std::size_t i = 0; overrides && i < overrides->size(); ++i) {
            const Json one = overrides->at(i).value_unsafe();
            const Number tokens = number_of(one, "min_prompt_tokens");
            if (!tokens || tokens.value <= 0.0) {
                return "an override of its prices has no min_prompt_tokens above 0";
            }
            ClassPrices& above = prices.above[tokens.value];
            const auto number = [&](const char* field) { return number_of(one, field); };
            if (std::string reason = read_prices(kOpenRouterFields, number, above, per_million, true); !reason.empty()) {
                return reason;
            }
            above.cache_write = above.cache_write < above.input ? 0.0 : above.cache_write; // of storage
        }
        std::string reason;
        for (const auto& [field, price] :
             {std::pair{"request", &HostedPrices::request}, std::pair{"web_search", &HostedPrices::search}}) {
            const Number fee = number_of(pricing, field);
            prices.*price = fee.value;
            const bool is_price = fee.state != Number::State::bad && fee.value >= 0.0;
            reason = reason.empty() && !is_price ? fmt::format("{} is no price", field) : reason;
        }
        return reason;
    }

    // What else than text it gives has prices of its own.
    static bool has_other_output(const Json& model) {
        const std::optional<Json> architecture = member(model, "architecture");
        const std::vector<std::string_view> outputs =
            architecture ? texts_of(*architecture, "output_modalities") : std::vector<std::string_view>();
        return std::any_of(outputs.begin(), outputs.end(), [](std::string_view output) { return output != "text"; });
    }

    // -1 is the price of a router, which is that of the model that it picks.
    static bool varies(const Json& pricing) {
        return number_of(pricing, "prompt").value == -1.0 && number_of(pricing, "completion").value == -1.0;
    }

    const Options& options_;
    Report& report_;
    EndpointList list_;
    std::size_t storage_ = 0;
};

} // namespace

HardError read_openrouter(Bytes& bytes, const Options& options, Report& report) {
    const JsonFile file(bytes);
    if (!file.root()) {
        return file.error();
    }
    const auto models = list_of(member(*file.root(), "data").value_or(*file.root()));
    if (!models) {
        return hard_error(model::Code::bad_format, 0, "an object with a list data of models is needed");
    }
    OpenRouterReader reader(options, report);
    for (const Json model : *models) {
        reader.read_model(model);
    }
    return reader.finish();
}

} // namespace costcurve::imports
