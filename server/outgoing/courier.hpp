// Sends events to webhooks over HTTP, several at a time: signed, within limited time, without redirects and proxies, and to
// public addresses only unless that is allowed. Stores nothing and repeats nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace costcurve::outgoing {

/// One POST.
struct Message {
    std::int64_t row = 0; ///< names it in what `wait` gives
    std::string id;       ///< of the delivery, the same each time it is tried
    std::string kind;     ///< of the event
    std::string url;
    std::string secret;
    std::int64_t timestamp = 0; ///< Unix seconds, now
    std::string body;           ///< JSON
};

/// Outcome of a POST.
struct Sent {
    std::int64_t row = 0;
    bool delivered = false;    ///< with a status from 200 to 299
    bool refused = false;      ///< permanently: the URL is invalid or has no public address
    std::optional<int> status; ///< nothing where there was no answer
    std::string error;         ///< a sentence; "" where it was delivered
};

/// The transfers under way. One thread at a time, but `wake` from any. What is under way when it goes is cut off.
class Courier {
public:
    explicit Courier(bool allow_private);
    ~Courier();
    Courier(const Courier&) = delete;
    Courier& operator=(const Courier&) = delete;

    /// Starts sending. Timeout: 10 s, of which 5 s to connect.
    void start(const Message& message);
    /// Waits until transfers end, `most` has passed, or `wake` was called; returns the ended ones.
    [[nodiscard]] std::vector<Sent> wait(std::chrono::milliseconds most);
    void wake();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace costcurve::outgoing
