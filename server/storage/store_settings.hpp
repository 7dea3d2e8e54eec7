// Settings with which a store is opened.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "server/storage/job.hpp"

namespace costcurve::storage {

struct StoreSettings {
    std::string path = "costcurve.db";
    int busy_timeout_ms = 5000;
    std::size_t readers = 4;          ///< connections that read at the same time; further readers wait
    std::int64_t max_database_mb = 0; ///< 0 is no limit; writes beyond it fail as on a full disk
    std::int64_t telemetry_days = 7;  ///< how long raw samples are kept; hourly sums are kept permanently
    JobLimits jobs = {};
    std::function<std::int64_t()> clock = {}; ///< microseconds since 1970, from any thread; empty: the system's
    /// Receives messages to the operator: files whose modes were narrowed, hashes that an upgrade computes. May be empty.
    std::function<void(std::string_view sentence)> log = {};
    bool is_daemons = false; ///< opened by a daemon: also logs if its database role has more rights than a daemon needs
};

} // namespace costcurve::storage
