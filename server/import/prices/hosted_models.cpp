// Spellings are tables: what stands before a model's name, and what stands behind it.
#include "server/import/prices/hosted_models.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "server/import/prices/prices.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

namespace {

constexpr auto kMakers = std::to_array<std::string_view>(
    {"ai21", "amazon", "anthropic", "cohere", "deepseek", "google", "meta", "mistral", "moonshotai", "openai", "qwen"});
constexpr auto kRegionWords = std::to_array<std::string_view>({"apac", "au", "ca", "eu", "global", "jp", "us", "us-gov"});
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

model::Endpoint hosted_model(std::string_view host, std::string_view name, const HostedPrices& prices, const Options& options) {
    model::Endpoint endpoint;
    endpoint.provider = provider_of(host);
    endpoint.model = model_slug(name);
    endpoint.region = hosted_region(name);
    endpoint.id = make_id({endpoint.provider, endpoint.model, endpoint.region});
    endpoint.source = price_source(options, fmt::format("{} {}", host, name));
    endpoint.currency = dollars_or_option(options);
    model::UnitPrice& price = endpoint.price_per_million_units.emplace();
    price.split = true;
    const double day = day_of_option(options);
    const auto set = [&](std::optional<model::Rate>& of_class, double per_million) {
        if (per_million > 0.0) {
            of_class = price_since(day, per_million);
        }
    };
    set(price.input, prices.input);
    set(price.cached_input, prices.cached_input);
    set(price.cache_write, prices.cache_write);
    set(price.output, prices.output);
    set(price.reasoning, prices.reasoning);
    return endpoint;
}

} // namespace costcurve::imports
