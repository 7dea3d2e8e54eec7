// Prices of hosted models by provider, in USD per million tokens, input and output apart: an endpoint each.
#include <array>

#include <fmt/format.h>

#include "server/import/prices/hosted_models.hpp"
#include "server/import/prices/prices.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/read_rows.hpp"

namespace costcurve::imports {

namespace {

class ApiPrices {
public:
    ApiPrices(Table& table, const Options& options, Report& report)
        : table_(table), options_(options), model_(table.column("model_name")), host_(table.column("provider")),
          input_(table.column("price_per_1m_input_tokens")), output_(table.column("price_per_1m_output_tokens")),
          ttft_(table.column("median_ttft_seconds")), list_(report) {}

    std::string read_row() {
        const std::string_view name = table_.text(model_);
        const std::string_view host = table_.text(host_);
        if (name.empty() || host.empty()) {
            return "model_name or provider is blank; both are needed";
        }
        HostedPrices prices;
        prices.input = table_.amount(input_).value;
        prices.output = table_.amount(output_).value;
        if (prices.input <= 0.0 || prices.output <= 0.0) {
            return prices.input <= 0.0 ? no_price(input_, "input") : no_price(output_, "output");
        }
        model::Endpoint endpoint = hosted_model(host, name, prices, options_);
        if (const Number ttft = table_.amount(ttft_); ttft && ttft.value > 0.0) {
            endpoint.ttft_s = ttft.value;
            endpoint.latency_percentile = 50.0; // a median
        }
        list_.add(std::move(endpoint), name, table_.row());
        return "";
    }
    static HardError finish() { return {}; }

private:
    [[nodiscard]] std::string no_price(Column column, std::string_view word) const {
        return fmt::format("the price of {} tokens is {}; a number above 0 is needed: zero and blank are not prices", word,
                           table_.amount(column).state == Number::State::blank ? "blank" : table_.shown(column));
    }

    Table& table_;
    const Options& options_;
    Column model_, host_, input_, output_, ttft_;
    EndpointList list_;
};

} // namespace

HardError read_api_prices(Bytes& bytes, const Options& options, Report& report) {
    return read_rows<ApiPrices>(bytes, {"model_name", "provider", "price_per_1m_input_tokens", "price_per_1m_output_tokens"},
                                options, report, "models");
}

} // namespace costcurve::imports
