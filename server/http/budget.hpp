// The memory that requests hold because of their clients: bodies, what handlers make of them, answers and streams. One limit for
// all, and a share of it for each client. Knows no sockets.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <unordered_map>

namespace costcurve::http {

/// Counts bytes without allocating them. Thread-safe. Must outlive its bookings.
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

/// A reservation of bytes in a budget, released by the destructor. For one thread at a time.
class Booking {
public:
    /// Bytes that every booking is granted even if the budget is used up, so that small requests continue.
    static constexpr std::size_t kAlwaysGranted = 16U << 10U;

    /// Books nothing, and grants everything.
    Booking() = default;
    Booking(Booking&& other) noexcept;
    Booking& operator=(Booking&& other) noexcept;
    Booking(const Booking&) = delete;
    Booking& operator=(const Booking&) = delete;
    ~Booking() { close(); }

    /// Releases its bytes and switches to this budget.
    void open(Budget& budget);
    /// Counts its bytes against a client's share, too, from now on. False if the client's share has no room.
    [[nodiscard]] bool assign(const std::string& client);
    /// Grows or shrinks to `bytes`. False, and unchanged, if there is no room.
    [[nodiscard]] bool resize(std::size_t bytes);
    /// Like resize without a limit, for memory already allocated.
    void force(std::size_t bytes);
    /// Releases its bytes.
    void close();
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

private:
    void set(std::size_t bytes); // under the budget's mutex

    Budget* budget_ = nullptr;
    Budget::Clients::value_type* client_ = nullptr;
    std::size_t bytes_ = 0;
};

} // namespace costcurve::http
