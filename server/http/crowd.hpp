// Who makes room where there are as many connections as may be: those who have most of them, and keep them for nothing.
#pragma once

#include <cstddef>
#include <memory>
#include <unordered_map>
#include <vector>

#include "server/http/connection.hpp"

namespace costcurve::http {

/// By descriptor.
using Connections = std::unordered_map<int, std::unique_ptr<Connection>>;

/// Whom to close, at most so many, all of the network that has most of those that may be closed: connections that are idle or
/// closing, and those whose request has not arrived yet; those first that were asked and answered, then those that have waited the
/// longest. Empty where each has a request that is answered.
[[nodiscard]] std::vector<int> whom_to_close(const Connections& connections, std::size_t count);

} // namespace costcurve::http
