// Pool of PostgreSQL connections, opened on first use and reopened if lost.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/storage/error.hpp"
#include "server/storage/postgres/engine/connection.hpp"
#include "server/storage/sql/pool.hpp"

namespace costcurve::storage::postgres {

using Lease = sql::Lease<Connection>;
using Pool = sql::Pool<Connection>;

[[nodiscard]] inline Pool make_pool(const std::string& url, const ConnectionSettings& settings, std::size_t size,
                                    BusyTimeout busy_timeout, std::string what) {
    return {std::vector<std::unique_ptr<Connection>>(size), busy_timeout, std::move(what),
            [url, settings](std::unique_ptr<Connection>& connection) {
                if (connection == nullptr) {
                    connection = std::make_unique<Connection>(url, settings);
                } else if (connection->is_lost()) {
                    connection->reconnect();
                }
            }};
}

/// Runs a read on a pooled connection; retries it once on a new connection if the first was lost.
template <std::invocable<Connection&> Call>
auto with_connection(Pool& pool, const Call& call, sql::ReadSize size = sql::ReadSize::small) {
    bool is_second = false;
    while (true) {
        const Lease lease = pool.lease(size);
        try {
            return call(*lease);
        } catch (const SqlError& error) {
            if (!error.is_lost() || is_second) {
                throw;
            }
            is_second = true;
        }
    }
}

} // namespace costcurve::storage::postgres
