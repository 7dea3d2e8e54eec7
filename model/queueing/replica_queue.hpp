// Requests that come at random to a replica of a language model: how long they wait, and how many of them it keeps within
// objectives. Pure arithmetic; knows no documents.
#pragma once

#include <optional>
#include <vector>

namespace costcurve::model {

/// Requests of one length.
struct QueuedRequest {
    double share = 1.0;    ///< of all; above 0, and they add up to 1
    double prompt_s = 0.0; ///< that its prompt is computed
    double steps = 0.0;    ///< tokens behind the first
};

/// A replica that computes prompts between decode steps, first come first served, while it has a slot free.
struct QueueServer {
    std::vector<double> step_s;          ///< by running requests less one: a decode step alone; as many as there are slots
    std::vector<QueuedRequest> requests; ///< one or more
    double first_s = 0.0;                ///< until the first token, beside the prompt
};

/// What is held of a percentile of the requests; nothing where it is not stated.
struct QueueLimits {
    std::optional<double> ttft_s;
    std::optional<double> itl_s;
    std::optional<double> e2e_s;
    double percentile = 95.0; ///< below 100
};

enum class QueueTime { ttft, itl, e2e };

/// Poisson arrivals of λ a second. With S seconds of a prompt and K steps (means), d_n a step of n requests, c slots, u = λ / λ_c:
///
///     ρ = λ S;  λ_c = 1 / (S + K d_c / c)                            a replica that is never idle
///     z = ((1 + λ² Var S) / (1 − ρ)²)^0.8                            how far the number that runs spreads beyond Poisson's
///     π_n ∝ (Π_{k≤n} λ K d_k / (k (1 − ρ)))^(1/z), n ≤ c;            beyond c a geometric row: P_c, all slots are taken
///     slot:    P(W > t) = P_c e^(−α t),  α = 2 (λ_c − λ) / ((1 + v) g)
///     prompts: P(W > t) = ρ e^(−β t),    β = 2 (1 − ρ) S / E[S²];    and what is left of the step, uniform in 0 to d
///     a step with prompts: d / (1 − ρ), its variance over a request's K steps 2/3 Var d / (1 − ρ)² + λ E[S²] d / ((1 − ρ)³ K)
///
/// v is the variance of S + K d_c / c over its squared mean; g = 1 + (1 − v)⁺ (1 − u)(c − 1)(√(4 + 5c) − 2) / (16 u c). The slots:
/// a row of states with rates by state, which for sharing does not depend on the distribution of lengths (Kelly, Reversibility and
/// Stochastic Networks, 1979, 3.3), for peaked traffic Hayward's 1/z (Fredericks, Bell System Technical Journal 59, 1980); z is
/// the variance over the mean of the arrivals in a delay busy period; α by Allen and Cunneen's factor (Allen, Probability,
/// Statistics and Queueing Theory, 1990, 5.4), g by Cosmetatos (INFOR 13, 1975) and Kimura. Prompts: M/G/1 with vacations, which
/// the steps are (Fuhrmann and Cooper, Operations Research 33, 1985), its wait taken as exponential where there is one. The
/// exponent 0.8 is set by our simulator. A replica that is never idle, d_c + (c − 1) S / K, bounds steps and requests.
/// Times of all parts are added as independent ones. About 0.1 ms for highest_per_s() of 1,024 slots.
class ReplicaQueue {
public:
    /// Steps and prompts are finite, 0 or more, and not all 0.
    explicit ReplicaQueue(QueueServer server);

    /// Requests a second of a replica that is never idle.
    [[nodiscard]] double largest_per_s() const { return largest_; }
    /// The highest arrivals a second at which the limits hold; 0: none.
    [[nodiscard]] double highest_per_s(const QueueLimits& limits) const;
    /// The share of the requests that take longer than `seconds`, at arrivals below the largest.
    [[nodiscard]] double late(QueueTime time, double seconds, double per_s) const;
    /// The time that a percentile of the requests keeps, at arrivals below the largest.
    [[nodiscard]] double percentile_s(QueueTime time, double percentile, double per_s) const;
    /// Requests that run at a time, the mean, at arrivals below the largest.
    [[nodiscard]] double running(double per_s) const;

private:
    /// P(W > t) as a sum of weight × e^(−rate t).
    struct Wait {
        double weight = 0.0, rate = 0.0;
    };
    struct Load {
        double per_s = 0.0;
        double running = 0.0;
        double busy = 0.0;    ///< share of the time in which any runs
        double step_s = 0.0;  ///< that a running request sees, without prompts
        double token_s = 0.0; ///< with them
        double token_var = 0.0;
        double stall_var = 0.0; ///< of prompts, a token
        Wait waits[2];
    };
    struct Mean {
        double mean = 0.0, variance = 0.0;
    };
    [[nodiscard]] Load load_at(double per_s) const;
    void count_running(double log_rate, double peaked, Load& load, double& full) const;
    void set_waits(double full, double slot_rate, Load& load) const;
    [[nodiscard]] Mean own(QueueTime time, const QueuedRequest& request, const Load& load, bool is_full) const;
    [[nodiscard]] double late(QueueTime time, double seconds, const Load& load) const;
    [[nodiscard]] double excess(const QueueLimits& limits, double per_s) const;

    QueueServer server_;
    std::vector<double> log_weights_; ///< [n] Σ_{k≤n} ln(K d_k / k), from n = 0
    double prompt_ = 0.0;             ///< mean
    double prompt_square_ = 0.0;      ///< mean of the square
    double steps_ = 0.0;
    double variation_ = 0.0; ///< v
    double largest_ = 0.0;
};

} // namespace costcurve::model
