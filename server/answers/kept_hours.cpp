// Cache of the calendar's hours between evaluations, the table used last first.
#include "server/answers/kept_hours.hpp"

#include <utility>

namespace costcurve::answers {

model::HourTable KeptHours::take() {
    const std::lock_guard lock(mutex_);
    if (kept_.empty()) {
        return {};
    }
    model::HourTable last = std::move(kept_.back());
    kept_.pop_back();
    return last;
}

void KeptHours::give(model::HourTable hours) noexcept {
    const std::lock_guard lock(mutex_);
    if (kept_.size() < kMaxTables && hours.values.size() + hours.weights.size() <= kMaxValues) {
        kept_.push_back(std::move(hours));
    }
}

} // namespace costcurve::answers
