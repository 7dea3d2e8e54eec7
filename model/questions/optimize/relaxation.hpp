// Builds the relaxed problem of a bound: columns and rows by pool, month and block of hours.
#pragma once

#include <map>
#include <vector>

#include "model/questions/optimize/bound.hpp"
#include "model/questions/optimize/bound_capacity.hpp"
#include "model/questions/optimize/burst_cuts.hpp"
#include "model/questions/optimize/hour_blocks.hpp"
#include "model/questions/optimize/rounding_cuts.hpp"

namespace costcurve::model {

class LinearBound::Relaxation {
public:
    Relaxation(const Scenario& scenario, const std::vector<Decision>& decisions, Goal goal, const Limits& limits,
               std::size_t blocks);
    Bound solve(const Box& box);
    [[nodiscard]] double fixed_lines(const Box& box) const { return lines_of_capacity_.least(box); }

private:
    struct Option {
        std::size_t column;
        ServerOption server;
    };
    struct Purchased { ///< a purchase, and the row of its servers over all months it may be made in
        std::size_t row = 0;
        std::vector<Option> options;
        double most = 0.0;
    };
    struct Instances { ///< columns; the same of a committed pool, and of provisioned units
        std::size_t least = 0;
        std::size_t most = 0;
    };
    struct Unserved {
        std::vector<LinearTerm> terms; ///< share columns, each with its units as factor
        double demanded = 0.0;
    };
    struct Month {
        std::size_t m = 0;
        MonthColumns columns;
        std::vector<EnergyValues> energy;                ///< by pool, where metered
        std::map<std::size_t, std::size_t> peak;         ///< column of a site's peak kW in the month, by site
        std::vector<std::vector<LinearTerm>> deferrable; ///< by workload: units done
        std::vector<LinearTerm> burst;                   ///< running demand-following instances, averaged over the month
        std::vector<std::vector<LinearTerm>> relieved;   ///< by workload: units/s that need no device, averaged over the month
    };
    struct Load {                      ///< of a pool in a block of hours
        std::vector<LinearTerm> taken; ///< devices; units/s of an API
        std::vector<LinearTerm> busy;  ///< devices
        Measures busy_hour;            ///< of one busy device
    };

    std::size_t add_column(const Measures& measures, double low, double high);
    [[nodiscard]] const Decision* decided(std::size_t pool, Lever lever, std::size_t purchase = 0) const;
    [[nodiscard]] bool is_there(std::size_t p, std::size_t m) const;
    [[nodiscard]] bool serves(std::size_t p, std::size_t m) const;
    /// Factor on prices for the least support and for extra costs charged on the bill, then prices that include both.
    [[nodiscard]] double bill_factor(std::size_t p, std::size_t m) const;
    [[nodiscard]] double hourly_price(std::size_t p, std::size_t m) const;
    [[nodiscard]] double usage_price(const CompiledEntry& entry, std::size_t m) const;
    [[nodiscard]] double egress_price(std::size_t e, std::size_t m) const;
    [[nodiscard]] double weight(std::size_t m) const { return money_weight(compiled_, m, goal_); }

    // Adds columns for servers and instances, and rows for the limits.
    void add_levers();
    void add_purchase(std::size_t p, std::size_t j);
    void add_instances(std::size_t p);
    void add_provisioned(std::size_t p);
    [[nodiscard]] Measures server_energy(std::size_t p, const ServerOption& option) const;
    [[nodiscard]] Measures running_measures(std::size_t p, std::size_t m) const;
    void add_limits(const Limits& limits);
    void add_limit(const std::optional<double>& limit, double base, double Measures::*measure);
    void restrict(std::size_t d, int low, int high);
    [[nodiscard]] double value_of(std::size_t d, const Box& box, const std::vector<double>& values) const;

    // Adds columns and rows for work, by month and block of hours.
    void add_month(std::size_t m, std::size_t most_blocks);
    std::size_t add_serving(std::size_t p, std::size_t m);
    void add_block(const HourBlock& block, Month& month);
    void add_burst(const Month& month);
    [[nodiscard]] int max_units(std::size_t p) const;
    std::size_t add_running(std::size_t p, const HourBlock& block, const Month& month);
    [[nodiscard]] Measures least_hour(std::size_t p, const HourBlock& block, const Month& month, Measures HourlyEnergy::*of) const;
    void balance_month(std::size_t w, std::size_t m, std::vector<LinearTerm> done);
    void add_deferrable(std::size_t w, const HourBlock& block, Month& month, std::vector<Load>& loads);
    [[nodiscard]] BlockWorkload add_inference(std::size_t w, const HourBlock& block, const Month& month, std::vector<Load>& loads);
    [[nodiscard]] BlockWorkload demand_of(std::size_t w, std::size_t m, const HourBlock& block) const;
    std::size_t add_unserved(std::size_t w, std::size_t m, double units);
    void hold(std::size_t p, const HourBlock& block, const Month& month, std::vector<LinearTerm> taken);
    [[nodiscard]] double part_there(std::size_t p, const HourBlock& block, std::size_t m) const;
    void add_peak(std::size_t s, std::size_t column, const HourBlock& block, const Month& month, const std::vector<Load>& loads);

    ScenarioDocument document_;
    ScenarioDocument bare_; ///< without servers and instances
    Compiled compiled_;     ///< of `bare_`
    Compiled stocked_;      ///< with instances in every cloud pool, to measure extra costs
    FixedLines lines_of_capacity_;
    std::vector<Decision> decisions_;
    Goal goal_;
    Measures base_;
    std::vector<PowerLines> lines_;
    LinearProgram program_;
    std::vector<Measures> measures_; ///< by column
    std::vector<std::vector<Purchased>> purchased_;
    std::vector<Instances> instances_;
    std::vector<Unserved> unserved_;
    std::vector<std::optional<std::size_t>> carried_; ///< by workload: column of the previous backlog, in shares of all work
};

} // namespace costcurve::model
