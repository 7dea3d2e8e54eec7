// Chooses connections to close at the connection limit: those of networks with the most unused connections.
#pragma once

#include <cstddef>
#include <memory>
#include <unordered_map>
#include <vector>

#include "server/http/connection.hpp"

namespace costcurve::http {

/// By descriptor.
using Connections = std::unordered_map<int, std::unique_ptr<Connection>>;

/// Up to `count` connections to close, all of the network with the most closable connections: idle, closing, or with an incomplete
/// request. Finished connections come first, then those that have waited longest. Empty if every connection has a request in
/// progress.
[[nodiscard]] std::vector<int> whom_to_close(const Connections& connections, std::size_t count);

} // namespace costcurve::http
