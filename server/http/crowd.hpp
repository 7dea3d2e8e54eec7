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

/// Up to `count` connections to close, all of the network that has the most connections that may be closed: idle and closing
/// ones, and those whose request has not arrived yet. Connections that are done are first, then those that have waited longest.
/// Empty where every connection has a request in work.
[[nodiscard]] std::vector<int> whom_to_close(const Connections& connections, std::size_t count);

} // namespace costcurve::http
