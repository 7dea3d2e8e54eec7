// Physical and monetary quantities as types, so that a sum of money and hours does not compile.
// Costs nothing at run time; raw doubles live only in documents (unit in the name) and in kernels.
#pragma once

#include <compare>

namespace costcurve::model {

/// A number with a unit. Tag names the unit; adding or comparing other units is a compile error.
template <class Tag> struct Quantity {
    double value = 0.0;

    friend constexpr auto operator<=>(Quantity, Quantity) = default;
    friend constexpr Quantity operator+(Quantity a, Quantity b) { return {a.value + b.value}; }
    friend constexpr Quantity operator-(Quantity a, Quantity b) { return {a.value - b.value}; }
    friend constexpr Quantity operator*(Quantity a, double k) { return {a.value * k}; }
    friend constexpr Quantity operator*(double k, Quantity a) { return {a.value * k}; }
    friend constexpr Quantity operator/(Quantity a, double k) { return {a.value / k}; }
    friend constexpr double operator/(Quantity a, Quantity b) { return a.value / b.value; }
};

/// N for each D: a price per kWh, an event per hour. `Per<N, D> * D = N`.
template <class N, class D> struct Per {
    double value = 0.0;

    friend constexpr auto operator<=>(Per, Per) = default;
    friend constexpr Per operator*(Per a, double k) { return {a.value * k}; }
    friend constexpr N operator*(Per a, D d) { return N{a.value * d.value}; }
    friend constexpr N operator*(D d, Per a) { return N{a.value * d.value}; }
};

struct Event {
    double value = 0.0;
};

inline constexpr double kSecondsPerHour = 3600.0;
inline constexpr double kHoursPerDay = 24.0;

using Money = Quantity<struct MoneyTag>;   ///< the scenario's currency
using Hours = Quantity<struct HoursTag>;   ///< h
using Months = Quantity<struct MonthsTag>; ///< calendar months
using Watts = Quantity<struct WattsTag>;   ///< W
using EventsPerHour = Per<Event, Hours>;   ///< 1/h

} // namespace costcurve::model
