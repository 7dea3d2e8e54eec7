// What was computed of a stored scenario, as it was kept: /v1/scenarios/{id}/results.
#include <charconv>

#include <fmt/format.h>

#include "server/api/handlers.hpp"
#include "server/api/json_text.hpp"
#include "server/api/request.hpp"
#include "server/api/results.hpp"
#include "server/api/service.hpp"

namespace costcurve::api {

namespace {

Refusal not_found(std::string detail) { return {404, std::move(detail)}; }

void write_result(JsonWriter& out, const storage::StoredResult& result) {
    out.begin_object().member("number", static_cast<double>(result.number)).member("recalculation", std::to_string(result.run));
    out.member("recorded_at", result.recorded_at).member("inputs_hash", result.inputs_hash);
    out.member("model_version", result.model_version).member("currency", result.headline.currency);
    out.key("total").begin_object().member("cost", result.headline.cost).member("cash", result.headline.cash);
    out.member("npv", result.headline.npv).member("npv_after_tax", result.headline.npv_after_tax);
    out.member("energy_kwh", result.headline.energy_kwh).member("carbon_kg", result.headline.carbon_kg).end_object().end_object();
}

http::Response body_of(const Service& service, const storage::StoredResult& result) {
    http::Response response = json_answer(service.store.result_body(result));
    response.headers.push_back({"ETag", entity_tag(result.number)});
    return response;
}

} // namespace

Attempt<storage::StoredResult> find_result(const Service& service, const std::string& scenario, std::string_view number) {
    std::int64_t wanted = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), wanted);
    const bool is_number = error == std::errc() && end == number.data() + number.size() && wanted > 0;
    const auto found =
        number == "latest" || is_number ? service.store.results(scenario, is_number ? wanted + 1 : 0, 1) : std::nullopt;
    if (!found || found->empty() || (is_number && found->front().number != wanted)) {
        return tl::unexpected(not_found(fmt::format("there is no result {} of a scenario {}; POST /v1/recalculations makes one",
                                                    shortened(number, 40), shortened(scenario, 130))));
    }
    return found->front();
}

Attempt<http::Response> list_results(Service& service, const Call& call) {
    constexpr double kUsualLimit = 100;
    const auto limit = static_cast<std::size_t>(number_parameter(call, "limit").value_or(kUsualLimit));
    const auto before = static_cast<std::int64_t>(number_parameter(call, "before").value_or(0));
    auto results = service.store.results(call.arguments.front(), before, limit + 1);
    if (!results) {
        return tl::unexpected(not_found("there never was such a scenario"));
    }
    const bool more = results->size() > limit;
    results->resize(std::min(limit, results->size()));
    JsonWriter out;
    out.begin_object().key("items").begin_array();
    for (const storage::StoredResult& result : *results) {
        write_result(out, result);
    }
    out.end_array().member("next", more ? std::optional(std::to_string(results->back().number)) : std::nullopt).end_object();
    return json_answer(out.take());
}

Attempt<http::Response> get_result(Service& service, const Call& call) {
    return find_result(service, call.arguments[0], call.arguments[1]).map([&](const storage::StoredResult& result) {
        return body_of(service, result);
    });
}

} // namespace costcurve::api
