// The log of events, their deliveries, and the test of a webhook.
#include <algorithm>

#include <fmt/format.h>

#include "model/documents/automation.hpp"
#include "server/api/handlers/handlers.hpp"
#include "server/api/page_answer.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/documents/records.hpp"
#include "server/documents/store_entries.hpp"

namespace costcurve::api {

namespace {

// 202 Accepted: the deliveries of an event are due now.
http::Response begun(Service& service, std::int64_t event) {
    if (service.wake_dispatcher) {
        service.wake_dispatcher();
    }
    http::Response response = json_answer(answers::encode_answer(documents::EventBegun{event}), 202);
    response.headers.push_back({"Location", fmt::format("/v1/deliveries?event={}", event)});
    return response;
}

} // namespace

Attempt<http::Response> get_events(Service& service, const Call& call) {
    return number_cursor(call).map([&](std::int64_t before) {
        const std::size_t limit = page_limit(call);
        storage::EventQuery query{limit + 1, before, std::string(parameter(call, "kind")), std::string(parameter(call, "subject"))};
        return page_answer<storage::Event>(service.store.events(query), limit,
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
        return page_answer<storage::Delivery>(service.store.deliveries(query), limit,
                                              [](const storage::Delivery& delivery) { return delivery.row; });
    });
}

Attempt<http::Response> post_webhook_test(Service& service, const Call& call) {
    const std::string& id = call.arguments.front();
    const auto revision = service.store.snapshot()->load({storage::Kind::webhook, id});
    if (!revision) {
        return tl::unexpected(Refusal{404, fmt::format("no webhook has the id {}", shortened(id, 130))});
    }
    if (!std::get<model::Webhook>(documents::decode_revision(*revision)).enabled) {
        return tl::unexpected(Refusal{409, fmt::format("the webhook {} is not enabled: nothing is delivered to it", id)});
    }
    const std::int64_t event = service.store.record_event(
        author_of(call), "test_webhook", {std::string(model::name_of(model::EventKind::ping)), "webhook/" + id, "{}", id, true});
    return begun(service, event);
}

Attempt<http::Response> post_delivery_retry(Service& service, const Call& call) {
    const std::string& id = call.arguments.front();
    const std::optional<storage::RetriedDelivery> found = service.store.retry_delivery(author_of(call), id);
    if (!found) {
        return tl::unexpected(Refusal{404, fmt::format("no delivery has the id {}", shortened(id, 40))});
    }
    if (found->state == storage::DeliveryState::delivered) {
        return tl::unexpected(Refusal{409, "it was delivered; a receiver that lost it can read the event at /v1/events"});
    }
    if (!found->has_webhook) {
        return tl::unexpected(Refusal{409, "its webhook is deleted or not enabled: nothing is delivered to it"});
    }
    return begun(service, found->event);
}

} // namespace costcurve::api
