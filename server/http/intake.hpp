// A request on its way in: from the bytes that have arrived to a decision. It waits for more, refuses, answers at the head, or has
// the whole request. Knows no descriptors.
#pragma once

#include <string_view>

#include "server/http/connection.hpp"
#include "server/http/exchange.hpp"
#include "server/http/server.hpp"

namespace costcurve::http {

enum class Step {
    wait,         ///< for more bytes
    say_continue, ///< likewise, after 100 Continue
    send,         ///< `out` has an answer of the loop's own; `close_after` says whether the connection goes on
    hand_over,    ///< the request is whole: to the workers
};

/// Used by the loop's thread alone.
class Intake {
public:
    /// Without `admit`, every request is handed over.
    Intake(const Settings& settings, const Exchange& exchange, Admit admit, Budget& budget);

    /// Goes on with the request at hand, after bytes were received into `in` or the request's body.
    [[nodiscard]] Step proceed(Connection& connection);

    /// Refuses the request at hand, and frees its memory.
    Step refuse(Connection& connection, int status, std::string_view detail) const;

    /// True where a body has arrived too slowly so far.
    [[nodiscard]] bool is_too_slow(const Connection& connection, Clock::time_point now) const;

private:
    bool begin(Connection& connection);
    Step answer_at_head(Connection& connection, Response response) const;
    Step read_body(Connection& connection) const;

    const Settings& settings_;
    const Exchange& exchange_;
    Admit admit_;
    Budget& budget_;
};

/// Ready for the next request; what was received ahead stays.
void forget_request(Connection& connection);

} // namespace costcurve::http
