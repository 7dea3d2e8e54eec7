// Exceptions to outcomes: one chain of catch clauses for all loops.
#include "server/failure/guard.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <system_error>

#include <fmt/format.h>

namespace costcurve::failure {

Thrown current_exception() noexcept {
    Thrown thrown{"out of memory", std::nullopt, true}; // short enough to need no memory itself
    try {
        try {
            throw;
        } catch (const storage::StoreError& error) {
            thrown = {error.what(), error.cause(), false};
        } catch (const std::bad_alloc&) { // as it is
        } catch (const std::system_error& error) {
            thrown = {error.what(), std::nullopt, error.code() == std::errc::resource_unavailable_try_again};
        } catch (const std::exception& error) { thrown = {error.what(), std::nullopt, false}; } catch (...) {
            thrown = {"an exception of no standard class", std::nullopt, false};
        }
    } catch (...) { // NOLINT(bugprone-empty-catch): not even the text could be copied: memory has run out
    }
    return thrown;
}

void log_failure(const LogFailure& log, std::string_view what, std::string_view id) noexcept {
    try {
        if (log) {
            log(what, id);
        }
    } catch (...) { // NOLINT(bugprone-empty-catch): there is nobody left to say it to
    }
}

std::chrono::seconds Guard::pause(std::string_view id) const {
    constexpr int kMaxDoublings = 6;
    constexpr int kMaxPauseS = 60;
    const auto failing = failing_.find(id);
    return std::chrono::seconds(
        failing == failing_.end() ? 0 : std::min(kMaxPauseS, 1 << std::min(kMaxDoublings, failing->second.times - 1)));
}

void Guard::note(std::string_view id, const std::optional<Thrown>& thrown) noexcept {
    try {
        const auto before = failing_.find(id);
        if (!thrown) {
            if (before != failing_.end()) {
                const std::string text = fmt::format("works again, after {} failures", before->second.times);
                failing_.erase(before);
                log_failure(log_, text, id);
            }
            return;
        }
        Failing& failing = before == failing_.end() ? failing_[std::string(id)] : before->second;
        ++failing.times;
        if (failing.what != thrown->what) {
            log_failure(log_, thrown->what, id);
            failing.what = thrown->what;
        }
    } catch (...) { // what could not be noted is logged again at the next turn
        log_failure(log_, thrown ? std::string_view(thrown->what) : "works again", id);
    }
}

} // namespace costcurve::failure
