// The memory that requests hold because of their clients: bodies, what handlers make of them, answers and streams. One limit for
// all, and a share of it for each client. Knows no sockets.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <unordered_map>

namespace costcurve::http {

/// Counts bytes; allocates nothing of what it counts. Thread-safe. Outlives its bookings.
class Budget {
public:
    Budget(std::size_t max_bytes, std::size_t max_client_bytes) : max_bytes_(max_bytes), max_client_bytes_(max_client_bytes) {}
    [[nodiscard]] std::size_t used() const;

private:
    friend class Booking;
    struct Client {
        std::size_t bytes = 0;
        std::size_t bookings = 0;
    };
    using Clients = std::unordered_map<std::string, Client>;

    std::size_t max_bytes_;
    std::size_t max_client_bytes_;
    mutable std::mutex mutex_; ///< guards what follows
    std::size_t used_ = 0;
    Clients clients_; ///< those that have a booking
};

/// Bytes of a budget, given back at its end. One thread at a time.
class Booking {
public:
    /// So many bytes of a booking are always granted: what small requests need goes on when the budget is used up.
    static constexpr std::size_t kAlwaysGranted = 16U << 10U;

    /// Books nothing, and grants everything.
    Booking() = default;
    Booking(Booking&& other) noexcept;
    Booking& operator=(Booking&& other) noexcept;
    Booking(const Booking&) = delete;
    Booking& operator=(const Booking&) = delete;
    ~Booking() { close(); }

    /// Releases what it holds, and books from this budget from now on.
    void open(Budget& budget);
    /// Counts what it holds against the share of a client too, from now on. False where the client has no room for it.
    [[nodiscard]] bool assign(const std::string& client);
    /// Grows or shrinks to so many bytes. False where there is no room: then it stays as it was.
    [[nodiscard]] bool resize(std::size_t bytes);
    /// The same without a limit, for memory that is there already.
    void force(std::size_t bytes);
    /// Releases what it holds.
    void close();
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

private:
    void set(std::size_t bytes); // under the budget's mutex

    Budget* budget_ = nullptr;
    Budget::Clients::value_type* client_ = nullptr;
    std::size_t bytes_ = 0;
};

} // namespace costcurve::http
