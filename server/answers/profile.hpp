// Served work by pool and month, and the hours of the week of one month: POST /v1/profile.
#pragma once

#include "model/questions/alternatives.hpp"
#include "model/questions/profile.hpp"
#include "server/answers/answer.hpp"
#include "server/answers/request.hpp"

namespace costcurve::answers {

struct ProfileRequest {
    using Answer = struct ProfileAnswer;
    static constexpr QuestionNames names{"/v1/profile", "who serves what by month, and a month's hours of the week",
                                         "profile_request", "profile",
                                         "means by hour of the week, from Monday 0:00 in the scenario's time zone"};
    ScenarioInput scenario;
    std::optional<model::YearMonth> month;
    WhatIf set;
    Scaling scale;
    Moment as_of;
};
[[nodiscard]] model::Result<std::string> answer(const ProfileRequest& request, const std::vector<model::Placed>& scenarios);

struct ProfileAnswer {
    struct Served {
        std::string workload;
        std::string unit;
        std::string pool;
        std::vector<double> units;
    };
    struct WorkloadWeek {
        std::string id;
        std::string unit;
        std::optional<model::Week> demand_units_per_s;
    };
    struct PoolWeek {
        std::string id;
        model::PoolKind kind{};
        std::optional<model::Week> busy_devices;
        std::optional<model::Week> available_devices;
        std::optional<model::Week> power_kw;
        std::optional<model::Week> energy_price;
    };
    model::YearMonth month;
    std::string time_zone;
    std::string currency;
    std::vector<model::YearMonth> months;
    std::vector<Served> served;
    model::Week hours{};
    std::vector<WorkloadWeek> workloads;
    std::vector<PoolWeek> pools;
};

} // namespace costcurve::answers

namespace costcurve::model {

template <>
inline constexpr auto fields<answers::ProfileRequest> =
    join(Rows{Field{"scenario", &answers::ProfileRequest::scenario, answers::kScenarioSpec},
              Field{"month", &answers::ProfileRequest::month, {.help = "within the horizon; its first where none is given"}}},
         answers::what_if_fields<answers::ProfileRequest>);
template <>
inline constexpr auto fields<answers::ProfileAnswer::Served> =
    Rows{Field{"workload", &answers::ProfileAnswer::Served::workload, {}}, Field{"unit", &answers::ProfileAnswer::Served::unit, {}},
         Field{"pool", &answers::ProfileAnswer::Served::pool, {}},
         Field{"units", &answers::ProfileAnswer::Served::units, {.help = "by month"}}};
template <>
inline constexpr auto fields<answers::ProfileAnswer::WorkloadWeek> =
    Rows{Field{"id", &answers::ProfileAnswer::WorkloadWeek::id, {}}, Field{"unit", &answers::ProfileAnswer::WorkloadWeek::unit, {}},
         Field{"demand_units_per_s",
               &answers::ProfileAnswer::WorkloadWeek::demand_units_per_s,
               {.help = "null of training, which has no hours of its own"}}};
template <>
inline constexpr auto fields<answers::ProfileAnswer::PoolWeek> = Rows{
    Field{"id", &answers::ProfileAnswer::PoolWeek::id, {}},
    Field{"kind", &answers::ProfileAnswer::PoolWeek::kind, {}},
    Field{"busy_devices", &answers::ProfileAnswer::PoolWeek::busy_devices, {.help = "null of an API pool"}},
    Field{"available_devices",
          &answers::ProfileAnswer::PoolWeek::available_devices,
          {.help = "devices that are paid and may be busy; null of an API pool"}},
    Field{"power_kw", &answers::ProfileAnswer::PoolWeek::power_kw, {.help = "of the facility; null where the pool has no site"}},
    Field{"energy_price", &answers::ProfileAnswer::PoolWeek::energy_price, {.help = "currency/kWh, of an owned pool"}}};
template <>
inline constexpr auto fields<answers::ProfileAnswer> =
    Rows{Field{"month", &answers::ProfileAnswer::month, {}},
         Field{"time_zone", &answers::ProfileAnswer::time_zone, {}},
         Field{"currency", &answers::ProfileAnswer::currency, {.format = Format::currency}},
         Field{"months", &answers::ProfileAnswer::months, {}},
         Field{"served", &answers::ProfileAnswer::served, {}},
         Field{"hours", &answers::ProfileAnswer::hours, {.help = "how many hours of the month each of the 168 of a week is"}},
         Field{"workloads", &answers::ProfileAnswer::workloads, {}},
         Field{"pools", &answers::ProfileAnswer::pools, {}}};

} // namespace costcurve::model
