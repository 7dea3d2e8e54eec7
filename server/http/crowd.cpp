// Chooses connections to close where there are too many: several in one pass, so that clients who reconnect don't cost a pass each.
#include "server/http/crowd.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>

namespace costcurve::http {

namespace {

bool may_close(const Connection& connection) {
    return connection.state == Connection::State::closing || connection.state == Connection::State::reading;
}

bool has_no_use(const Connection& connection) {
    return connection.state == Connection::State::closing || (is_idle(connection) && connection.has_answered);
}

} // namespace

std::vector<int> whom_to_close(const Connections& connections, std::size_t count) {
    std::unordered_map<std::string_view, std::size_t> crowds;
    for (const auto& [fd, connection] : connections) {
        if (may_close(*connection)) {
            ++crowds[connection->network];
        }
    }
    const auto largest =
        std::max_element(crowds.begin(), crowds.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    if (largest == crowds.end()) {
        return {};
    }
    std::vector<int> of_largest;
    of_largest.reserve(largest->second);
    for (const auto& [fd, connection] : connections) {
        if (may_close(*connection) && connection->network == largest->first) {
            of_largest.push_back(fd);
        }
    }
    const std::size_t kept = of_largest.size() - std::min(of_largest.size(), count);
    const auto end = of_largest.end() - static_cast<std::ptrdiff_t>(kept);
    std::partial_sort(of_largest.begin(), end, of_largest.end(), [&](int a, int b) {
        const Connection& one = *connections.at(a);
        const Connection& other = *connections.at(b);
        return std::tuple(!has_no_use(one), one.since) < std::tuple(!has_no_use(other), other.since);
    });
    of_largest.erase(end, of_largest.end());
    return of_largest;
}

} // namespace costcurve::http
