// Who makes room for a new connection: nobody whose request is answered, and nobody of a small network for the crowd of another.
#include "server/http/crowd.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace costcurve::http {
namespace {

class Crowds : public testing::Test {
protected:
    // At a second of its own.
    Connection& add(const std::string& network, const std::string& received = "") {
        const int number = next_++;
        auto& connection = connections_[number] = std::make_unique<Connection>();
        connection->network = network;
        connection->in = received;
        connection->since = Clock::time_point(std::chrono::seconds(number));
        return *connection;
    }
    [[nodiscard]] std::vector<int> closed(std::size_t count) const {
        std::vector<int> found = whom_to_close(connections_, count);
        std::sort(found.begin(), found.end());
        return found;
    }
    Connections connections_;

private:
    int next_ = 1000000; // no descriptors
};

TEST_F(Crowds, OfTheNetworkThatHasMostGoTheOldest) {
    add("small", "GET");
    add("large", "GET");
    add("large", "GET");
    add("large");
    EXPECT_EQ(closed(2), (std::vector<int>{1000001, 1000002}));
    EXPECT_EQ(closed(9), (std::vector<int>{1000001, 1000002, 1000003}));
}

TEST_F(Crowds, IdleOnesGoFirstAndThoseThatAreAnsweredNever) {
    add("one", "GET");
    add("one").has_answered = true;
    add("one").state = Connection::State::closing;
    EXPECT_EQ(closed(2), (std::vector<int>{1000001, 1000002}));
    for (const auto& [fd, connection] : connections_) {
        connection->state = Connection::State::answering;
    }
    EXPECT_TRUE(closed(2).empty());
}

} // namespace
} // namespace costcurve::http
