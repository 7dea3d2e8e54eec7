// The codes that stand in the places of the word "currency" in units of the field tables. Converts nothing.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace costcurve::model {

/// ISO 4217 codes, as views of what holds them.
struct Currencies {
    std::string_view scenario;
    std::string_view document; ///< that the number stands in; of an exchange rate the one that it is of
    std::string_view server;   ///< of the pool that the number stands in
};

/// "currency/kWh" becomes "USD/kWh"; a unit without money stays as it is.
[[nodiscard]] inline std::string unit_in(std::string_view unit, const Currencies& currencies) {
    for (const auto& [words, code] : {std::pair<std::string_view, std::string_view>{"scenario currency", currencies.scenario},
                                      {"currency of the server", currencies.server},
                                      {"currency", currencies.document}}) {
        if (unit.starts_with(words)) {
            const std::string_view rest = unit.substr(words.size());
            return std::string(code).append(rest == "/currency" ? "/" + std::string(currencies.document) : std::string(rest));
        }
    }
    return std::string(unit);
}
/// Where all money is in one currency.
[[nodiscard]] inline std::string unit_in(std::string_view unit, std::string_view code) { return unit_in(unit, {code, code, code}); }

} // namespace costcurve::model
