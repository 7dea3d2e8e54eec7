// An answer that takes its time, as server-sent events: its progress while it is made, then one `result` or `problem`.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "server/api/route.hpp"

namespace costcurve::api {

inline constexpr std::string_view kEventStream = "text/event-stream";

/// Tells how far the work is: of a stage, `done` of `total`. False where the client has left: the work should end, and nobody
/// hears how.
using Tell = std::function<bool(std::string_view stage, std::size_t done, std::size_t total)>;

/// Makes the answer's JSON. What it refers to besides the service must be its own: the request is gone when it runs.
using Work = std::function<Attempt<std::string>(const Tell& tell)>;

/// True where the client asks for such events.
[[nodiscard]] bool wants_events(const http::Request& request);

/// Works on a thread of its own, from now on. Events: progress {stage, done, total} four times a second, then `result` with the
/// answer or `problem` with a problem document. What the work throws is such a problem too.
[[nodiscard]] http::Response stream_progress(Service& service, const Call& call, Work work);

} // namespace costcurve::api
