// Events as JSON: in the log, and as webhooks are told of them.
#pragma once

#include <string>

#include "server/storage/event.hpp"

namespace costcurve::api {

/// {event, recorded_at, kind, subject, data}
[[nodiscard]] std::string encode_event(const storage::Event& event);

} // namespace costcurve::api
