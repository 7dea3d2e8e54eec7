// Events and their deliveries to webhooks, as values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace costcurve::storage {

/// An event to record in the same transaction as its subject.
struct NewEvent {
    std::string kind;
    std::string subject;    ///< what it is about: "recalculation/7", "webhook/x"
    std::string body;       ///< JSON, opaque here
    std::string webhook;    ///< the id of a webhook that gets the event regardless of its filter; "" for none
    bool only_this = false; ///< no other webhook gets it
};

struct Event {
    std::int64_t id = 0;
    std::string recorded_at;
    std::string kind;
    std::string subject;
    std::string body;
};

struct EventQuery {
    std::size_t limit = 100;
    std::int64_t before = 0;   ///< only events with a smaller id; 0 starts at the newest
    std::string kind, subject; ///< "" for all
};

/// The names are stored in the database: do not rename them.
enum class DeliveryState { pending, delivered, dead };
inline constexpr auto delivery_state_names = std::to_array<std::string_view>({"pending", "delivered", "dead"});
[[nodiscard]] constexpr std::string_view name_of(DeliveryState state) {
    return delivery_state_names[static_cast<std::size_t>(state)];
}

struct Delivery {
    std::int64_t row = 0;
    std::string id;
    std::int64_t event = 0;
    std::string kind; ///< kind of the event
    std::string subject;
    std::string webhook; ///< id of the webhook's document
    DeliveryState state = DeliveryState::pending;
    int attempts = 0;
    std::string next_try_at; ///< "" if the delivery has ended
    std::string last_try_at; ///< "" before the first attempt
    std::optional<int> last_status;
    std::string last_error;
};

struct DeliveryQuery {
    std::size_t limit = 100;
    std::int64_t before = 0; ///< only deliveries with a smaller row; 0 starts at the newest
    std::optional<DeliveryState> state;
    std::string webhook;    ///< "" for all
    std::int64_t event = 0; ///< 0 for all
};

/// A due delivery with everything needed to send it.
struct DueDelivery {
    std::int64_t row = 0;
    std::string id;
    std::string webhook; ///< id of the webhook's document
    std::string url;
    std::string secret; ///< "" if the webhook has no secret
    int attempts = 0;   ///< so far
    Event event;
};

/// A delivery that a user wants sent again.
struct RetriedDelivery {
    std::int64_t event = 0;
    DeliveryState state = DeliveryState::pending; ///< state before the retry
    bool has_webhook = false;                     ///< its webhook exists and is enabled
    [[nodiscard]] bool is_due() const { return state != DeliveryState::delivered && has_webhook; }
};

/// How an attempt ended.
struct DeliveryAttempt {
    std::int64_t row = 0; ///< row of the delivery
    DeliveryState state = DeliveryState::pending;
    std::int64_t next_try_at = 0; ///< time of the next attempt if pending, in microseconds since 1970
    std::optional<int> status;
    std::string error;
};

} // namespace costcurve::storage
