// The log of events, their deliveries, and the test of a webhook.
#include "server/api/events.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/standing.hpp"
#include "server/api/handlers.hpp"
#include "server/api/json_text.hpp"
#include "server/api/page_answer.hpp"
#include "server/api/records.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"

namespace costcurve::api {

namespace {

JsonWriter& text_or_null(JsonWriter& out, std::string_view name, const std::string& text) {
    return out.member(name, text.empty() ? std::nullopt : std::optional(text));
}

void write_delivery(JsonWriter& out, const storage::Delivery& delivery) {
    out.begin_object().member("id", delivery.id).member("event", static_cast<double>(delivery.event));
    out.member("kind", delivery.kind).member("subject", delivery.subject).member("webhook", delivery.webhook);
    out.member("state", storage::name_of(delivery.state)).member("attempts", delivery.attempts);
    text_or_null(out, "next_try_at", delivery.next_try_at);
    text_or_null(out, "last_try_at", delivery.last_try_at);
    out.member("last_status", delivery.last_status);
    text_or_null(out, "last_error", delivery.last_error).end_object();
}

} // namespace

std::string encode_event(const storage::Event& event) {
    JsonWriter out;
    out.begin_object().member("event", static_cast<double>(event.id)).member("recorded_at", event.recorded_at);
    out.member("kind", event.kind).member("subject", event.subject).key("data").raw(event.body).end_object();
    return out.take();
}

Attempt<http::Response> get_events(Service& service, const Call& call) {
    return number_cursor(call).map([&](std::int64_t before) {
        const std::size_t limit = page_limit(call);
        storage::EventQuery query{limit + 1, before, std::string(parameter(call, "kind")), std::string(parameter(call, "subject"))};
        return page_answer(
            service.store.events(query), limit, [](JsonWriter& out, const storage::Event& event) { out.raw(encode_event(event)); },
            [](const storage::Event& event) { return event.id; });
    });
}

Attempt<http::Response> get_deliveries(Service& service, const Call& call) {
    return number_cursor(call).map([&](std::int64_t before) {
        const std::size_t limit = page_limit(call);
        storage::DeliveryQuery query{limit + 1, before, std::nullopt, std::string(parameter(call, "webhook"))};
        const auto* const state =
            std::find(storage::delivery_state_names.begin(), storage::delivery_state_names.end(), parameter(call, "state"));
        if (state != storage::delivery_state_names.end()) {
            query.state = static_cast<storage::DeliveryState>(state - storage::delivery_state_names.begin());
        }
        query.event = static_cast<std::int64_t>(number_parameter(call, "event").value_or(0));
        return page_answer(service.store.deliveries(query), limit, write_delivery,
                           [](const storage::Delivery& delivery) { return delivery.row; });
    });
}

Attempt<http::Response> post_webhook_test(Service& service, const Call& call) {
    const std::string& id = call.arguments.front();
    const auto revision = service.store.snapshot().load({storage::Kind::webhook, id});
    if (!revision) {
        return tl::unexpected(Refusal{404, fmt::format("no webhook has the id {}", shortened(id, 130))});
    }
    if (!std::get<model::Webhook>(decode_revision(*revision)).enabled) {
        return tl::unexpected(Refusal{409, fmt::format("the webhook {} is not enabled: it is told nothing", id)});
    }
    const std::int64_t event =
        service.store.record_event({std::string(model::name_of(model::EventKind::ping)), "webhook/" + id, "{}", id, true});
    if (service.wake_dispatcher) {
        service.wake_dispatcher();
    }
    JsonWriter out;
    out.begin_object().member("event", static_cast<double>(event)).end_object();
    http::Response response = json_answer(out.take(), 202);
    response.headers.push_back({"Location", fmt::format("/v1/deliveries?event={}", event)});
    return response;
}

} // namespace costcurve::api
