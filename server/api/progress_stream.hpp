// Long answers as server-sent events: progress, then one `result` or `problem`.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "server/api/route.hpp"

namespace costcurve::api {

inline constexpr std::string_view kEventStream = "text/event-stream";

/// Reports progress: `done` of `total` in a stage. False if the client has disconnected: the work should then end, and its result
/// is discarded.
using Tell = std::function<bool(std::string_view stage, std::size_t done, std::size_t total)>;

/// Computes the answer's JSON. It must own everything it uses except the service, because the request is gone when it runs.
using Work = std::function<Attempt<std::string>(const Tell& tell)>;

/// Whether the client accepts events.
[[nodiscard]] bool wants_events(const http::Request& request);

/// Starts the work on its own thread. Events: progress {stage, done, total} four times a second, then `result` with the answer or
/// `problem` with a problem document. Exceptions of the work become such a problem, too.
[[nodiscard]] http::Response stream_progress(Service& service, const Call& call, Work work);

} // namespace costcurve::api
