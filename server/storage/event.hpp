// Events and their deliveries to webhooks, as values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace costcurve::storage {

/// Something that happened, to be recorded together with what it is about.
struct NewEvent {
    std::string kind;
    std::string subject;    ///< what it is about: "recalculation/7", "webhook/x"
    std::string body;       ///< JSON, opaque here
    std::string webhook;    ///< the id of a subscriber whatever its filter of events; "" for none
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
    std::int64_t before = 0;   ///< below this id; 0: from the newest
    std::string kind, subject; ///< "" for all
};

/// Its words are stored: do not rename.
enum class DeliveryState { pending, delivered, dead };
inline constexpr auto delivery_state_names = std::to_array<std::string_view>({"pending", "delivered", "dead"});
[[nodiscard]] constexpr std::string_view name_of(DeliveryState state) {
    return delivery_state_names[static_cast<std::size_t>(state)];
}

struct Delivery {
    std::int64_t row = 0;
    std::string id;
    std::int64_t event = 0;
    std::string kind; ///< of the event, as the next
    std::string subject;
    std::string webhook; ///< its document's id
    DeliveryState state = DeliveryState::pending;
    int attempts = 0;
    std::string next_try_at; ///< "" where it has ended
    std::string last_try_at; ///< "" where there was none
    std::optional<int> last_status;
    std::string last_error;
};

struct DeliveryQuery {
    std::size_t limit = 100;
    std::int64_t before = 0; ///< below this row; 0: from the newest
    std::optional<DeliveryState> state;
    std::string webhook;    ///< "" for all
    std::int64_t event = 0; ///< 0 for all
};

/// A delivery that is due, with all that sending it needs.
struct DueDelivery {
    std::int64_t row = 0;
    std::string id;
    std::string webhook; ///< its document's id
    std::string url;
    std::string secret; ///< "" where it has none
    int attempts = 0;   ///< so far
    Event event;
};

/// A delivery that somebody wants sent again.
struct RetriedDelivery {
    std::int64_t event = 0;
    DeliveryState state = DeliveryState::pending; ///< before
    bool has_webhook = false;                     ///< there is an enabled one to deliver to
    [[nodiscard]] bool is_due() const { return state != DeliveryState::delivered && has_webhook; }
};

/// How an attempt ended.
struct DeliveryAttempt {
    std::int64_t row = 0; ///< of the delivery
    DeliveryState state = DeliveryState::pending;
    std::int64_t next_try_at = 0; ///< microseconds since 1970; of a pending one
    std::optional<int> status;
    std::string error;
};

} // namespace costcurve::storage
