// A new-handler ([new.handler]) with a reserve of memory. An unwinding thread takes from the reserve, as a destructor that throws
// ends the process. Any other thread waits for others to free memory, and throws std::bad_alloc at the end of its wait.
#include "server/commands/memory_reserve.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <new>
#include <thread>

namespace costcurve::commands {

namespace {

// nlohmann-json's destructor lists the members of what it destroys, 16 bytes each and up to twice that while the list grows: a body
// of 8 MiB has at most 2 million.
constexpr std::size_t kReserveBytes = 64U << 20U;

std::atomic<void*> reserve = nullptr;

// Called again and again until there is memory, or it throws.
void find_memory() {
    using Clock = std::chrono::steady_clock;
    using std::chrono::milliseconds;
    thread_local Clock::time_point begun;
    thread_local Clock::time_point last;
    const Clock::time_point now = Clock::now();
    begun = now - last > milliseconds(50) ? now : begun; // another allocation than the last time
    last = now;
    const bool is_unwinding = std::uncaught_exceptions() > 0;
    if (is_unwinding) {
        if (void* const held = reserve.exchange(nullptr)) {
            operator delete(held);
            return;
        }
    }
    const auto own = static_cast<int>(std::hash<std::thread::id>{}(std::this_thread::get_id()) % 500);
    if (now - begun > (is_unwinding ? milliseconds(5000) : milliseconds(100 + own))) {
        throw std::bad_alloc();
    }
    std::this_thread::sleep_for(milliseconds(1));
}

} // namespace

void hold_memory_reserve() {
    if (reserve.load() == nullptr) {
        std::set_new_handler(nullptr); // whoever fails now fails at once, as this may
        void* const held = operator new(kReserveBytes, std::nothrow);
        std::set_new_handler(find_memory);
        void* expected = nullptr;
        if (!reserve.compare_exchange_strong(expected, held)) {
            operator delete(held);
        }
    }
}

} // namespace costcurve::commands
