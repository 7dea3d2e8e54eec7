// Bodies of webhook deliveries: the event as JSON, or a sentence in a chat's format. Sends nothing.
#pragma once

#include <string>

#include "model/documents/automation.hpp"
#include "server/storage/event.hpp"
#include "server/storage/roles.hpp"

namespace costcurve::outgoing {

/// The event as a sentence for people, by fixed rules from its data; ends with a full stop.
[[nodiscard]] std::string sentence_of(const storage::Event& event);

/// The body of a delivery. Slack: {"text"}, with &, < and > escaped as it asks. Teams: a message with an Adaptive Card, as the
/// webhooks of its workflows take them; its text is shown as it is, without Markdown.
[[nodiscard]] std::string message_of(const storage::Event& event, model::WebhookFormat format);

/// The body in the format of the delivery's webhook. Throws StoreError where the webhook's document can't be read.
[[nodiscard]] std::string delivery_body(const storage::DocumentStore& store, const storage::DueDelivery& delivery);

} // namespace costcurve::outgoing
