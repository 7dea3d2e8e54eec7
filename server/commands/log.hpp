// The daemon's log: lines on standard output, written by its own thread so that a stalled reader doesn't block the daemon.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "server/http/message.hpp"

namespace costcurve::commands {

enum class Level { info, warn, error };

/// Sets up what spdlog writes to while it lives. Thread-safe. Lines wait in a queue of bounded length; where it is full, the oldest
/// are dropped and counted, and the next line that gets through says how many. When it goes, it waits a second for its reader.
class Log {
public:
    /// Writes to the file descriptor, which stays open.
    Log(std::string_view level, bool json, int descriptor = 1);
    ~Log();
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;

    void access(const http::Request& request, const http::Response& response, double milliseconds) const;
    void event(Level level, std::string_view event, std::string_view detail, std::string_view id = "") const;

    /// Number of dropped lines since the start.
    [[nodiscard]] std::uint64_t dropped() const;

private:
    class Sink;
    std::shared_ptr<Sink> sink_; ///< spdlog's loggers share their sinks
    bool json_;
};

} // namespace costcurve::commands
