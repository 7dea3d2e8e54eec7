// Events and deliveries as JSON Schema. Names of members stand in events.cpp too; tests/contract holds the two together.
#include <nlohmann/json.hpp>

#include "model/standing.hpp"
#include "server/api/openapi_schemas.hpp"
#include "server/storage/event.hpp"

namespace costcurve::api {

void add_event_schemas(Schema& schemas) {
    const Schema text = of_type("string");
    const Schema number = {{"type", "integer"}, {"minimum", 1}};
    const Schema time = {{"type", "string"}, {"format", "date-time"}};
    const Schema time_or_null = {{"type", {"string", "null"}}, {"format", "date-time"}};
    const Schema kind = choice_of(model::enum_names<model::EventKind>);
    const Schema subject = described(text, "what it is about: its kind and id");
    schemas["event"] = described(closed_object({{"event", number},
                                                {"recorded_at", time},
                                                {"kind", kind},
                                                {"subject", subject},
                                                {"data", described(of_type("object"), "by kind")}}),
                                 "as webhooks are sent it");
    schemas["events"] = described(page_of("event"), "newest first");
    schemas["event_begun"] = closed_object({{"event", described(number, "GET /v1/deliveries?event= says how it went")}});
    Schema delivery = {{"id", described(text, "X-Costcurve-Delivery: the same each time it is tried")}};
    delivery["event"] = number;
    delivery["kind"] = kind;
    delivery["subject"] = subject;
    delivery["webhook"] = reference_to("slug");
    delivery["state"] = choice_of(storage::delivery_state_names);
    delivery["attempts"] = {{"type", "integer"}, {"minimum", 0}};
    delivery["next_try_at"] = described(time_or_null, "while it is pending");
    delivery["last_try_at"] = time_or_null;
    delivery["last_status"] = described(or_null("integer"), "of HTTP; null where there was no answer");
    delivery["last_error"] = or_null("string");
    schemas["delivery"] = closed_object(std::move(delivery));
    schemas["deliveries"] = described(page_of("delivery"), "newest first");
}

} // namespace costcurve::api
