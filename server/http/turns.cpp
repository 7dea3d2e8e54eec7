// Requests that wait for a worker, in the order of turns: a few hundred at most, mostly no request.
#include "server/http/turns.hpp"

#include <algorithm>

namespace costcurve::http {

bool Turns::add(Connection& connection, std::size_t max) {
    std::size_t turn = turn_;
    std::size_t own = 0;
    for (const Waiting& one : waiting_) {
        if (one.connection->client == connection.client) {
            ++own;
            turn = one.turn + 1;
        }
    }
    if (waiting_.size() >= max || own >= max - max / 4) {
        return false;
    }
    const auto later = std::upper_bound(waiting_.begin(), waiting_.end(), turn,
                                        [](std::size_t value, const Waiting& one) { return value < one.turn; });
    waiting_.insert(later, {&connection, turn, Clock::now()});
    return true;
}

Connection* Turns::take() {
    Connection* const connection = waiting_.front().connection;
    turn_ = waiting_.front().turn;
    waiting_.pop_front();
    if (!waiting_.empty()) {
        const Clock::time_point now = Clock::now();
        for (Waiting& one : waiting_) {
            if (one.connection->client == connection->client) {
                one.since = now;
            }
        }
    }
    return connection;
}

bool Turns::remove(const Connection& connection, std::size_t first) {
    const auto found =
        std::find_if(waiting_.begin(), waiting_.end(), [&](const Waiting& one) { return one.connection == &connection; });
    if (found == waiting_.end() || static_cast<std::size_t>(found - waiting_.begin()) < first) {
        return false;
    }
    waiting_.erase(found);
    return true;
}

void Turns::take_all(std::vector<Connection*>& to) {
    for (const Waiting& one : waiting_) {
        to.push_back(one.connection);
    }
    waiting_.clear();
}

double Turns::waited_s() const {
    const auto longest =
        std::min_element(waiting_.begin(), waiting_.end(), [](const Waiting& a, const Waiting& b) { return a.since < b.since; });
    return longest == waiting_.end() ? 0.0 : std::chrono::duration<double>(Clock::now() - longest->since).count();
}

} // namespace costcurve::http
