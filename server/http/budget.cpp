// The memory budget of all connections.
#include "server/http/budget.hpp"

#include <utility>

namespace costcurve::http {

std::size_t Budget::used() const {
    const std::lock_guard lock(mutex_);
    return used_;
}

Booking::Booking(Booking&& other) noexcept
    : budget_(std::exchange(other.budget_, nullptr)), client_(std::exchange(other.client_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)) {}

Booking& Booking::operator=(Booking&& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(client_, other.client_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

void Booking::open(Budget& budget) {
    close();
    budget_ = &budget;
}

bool Booking::assign(const std::string& client) {
    if (budget_ == nullptr || client_ != nullptr) {
        return true;
    }
    const std::lock_guard lock(budget_->mutex_);
    Budget::Clients::value_type& entry = *budget_->clients_.try_emplace(client).first;
    if (bytes_ > kAlwaysGranted && entry.second.bytes + bytes_ > budget_->max_client_bytes_) {
        if (entry.second.bookings == 0) {
            budget_->clients_.erase(client);
        }
        return false;
    }
    entry.second.bytes += bytes_;
    ++entry.second.bookings;
    client_ = &entry;
    return true;
}

bool Booking::resize(std::size_t bytes) {
    if (budget_ == nullptr) {
        return true;
    }
    const std::lock_guard lock(budget_->mutex_);
    if (bytes > bytes_ && bytes > kAlwaysGranted) {
        const std::size_t more = bytes - bytes_;
        if (budget_->used_ + more > budget_->max_bytes_ ||
            (client_ != nullptr && client_->second.bytes + more > budget_->max_client_bytes_)) {
            return false;
        }
    }
    set(bytes);
    return true;
}

void Booking::force(std::size_t bytes) {
    if (budget_ != nullptr) {
        const std::lock_guard lock(budget_->mutex_);
        set(bytes);
    }
}

void Booking::set(std::size_t bytes) {
    budget_->used_ += bytes - bytes_; // modulo 2^64, which is what it comes to
    if (client_ != nullptr) {
        client_->second.bytes += bytes - bytes_;
    }
    bytes_ = bytes;
}

void Booking::close() {
    if (budget_ == nullptr) {
        return;
    }
    const std::lock_guard lock(budget_->mutex_);
    set(0);
    if (client_ != nullptr && --client_->second.bookings == 0) {
        budget_->clients_.erase(budget_->clients_.find(client_->first));
    }
    client_ = nullptr;
    budget_ = nullptr;
}

} // namespace costcurve::http
