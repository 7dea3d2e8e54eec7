// Limits of a request's computation, from the service's settings.
#pragma once

#include <cstddef>

namespace costcurve::answers {

/// Limits from the settings; docs/operations.md tells the effects of raising them.
struct QuestionLimits {
    std::size_t max_concurrent = 3; ///< concurrent long questions; the last is reserved for a client without one, others must retry
    std::size_t samples = 1'000'000; ///< samples of a simulation or of demand
    std::size_t cells = 250'000;     ///< cells of a map
    std::size_t plans = 100'000;     ///< plans that an optimizer evaluates
    double seconds = 600;            ///< maximum duration of a question
    std::size_t threads = 0;         ///< threads per question; 0 is one per core
};

/// Maximum number of scenarios compared in one request.
inline constexpr std::size_t kMaxScenarios = 100;

} // namespace costcurve::answers
