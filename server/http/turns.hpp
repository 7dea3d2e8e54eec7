// Requests that wait for a worker, in the order in which they are taken: clients take turns.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "server/http/connection.hpp"

namespace costcurve::http {

/// The connections live, and their `client` stays, as long as they wait. One thread at a time.
class Turns {
public:
    /// Adds a connection behind its client's others. Clients take turns: its n-th waits behind the n-th ones of other clients
    /// that came before, and ahead of all (n + 1)-th ones. False where `max` connections wait, or three quarters of `max` of
    /// this client.
    [[nodiscard]] bool add(Connection& connection, std::size_t max);
    /// The next one; there is one.
    [[nodiscard]] Connection* take();
    /// Takes one out, unless it is among the `first` to be taken. False where it stays, or doesn't wait.
    [[nodiscard]] bool remove(const Connection& connection, std::size_t first);
    /// Takes all out, to the end of `to`.
    void take_all(std::vector<Connection*>& to);

    [[nodiscard]] std::size_t size() const { return waiting_.size(); }
    [[nodiscard]] bool empty() const { return waiting_.empty(); }
    /// How long a client has waited since it came or had its last turn: of all that wait, the longest time.
    [[nodiscard]] double waited_s() const;

private:
    struct Waiting {
        Connection* connection;
        std::size_t turn;
        Clock::time_point since; ///< it came, or one of its client's was taken
    };
    std::deque<Waiting> waiting_; ///< by turn; of a client, one a turn
    std::size_t turn_ = 0;        ///< of the one taken last
};

} // namespace costcurve::http
