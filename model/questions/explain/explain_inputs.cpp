// Walks the field tables along a pointer and remembers the last source and revision on the path.
#include "model/questions/explain/explain_inputs.hpp"

#include <span>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "model/categories/exchange.hpp"
#include "model/documents/currencies.hpp"
#include "model/documents/prices.hpp"
#include "model/documents/walk.hpp"

namespace costcurve::model {

namespace {

using Names = std::span<const std::string>;

// Takes source, revision and currency from a document on the path; an inner document overrides an outer one. A stored document sets
// source and revision, an inline document only a source. A purchase's cost has the currency of the pool's server.
template <class T> void remember(const T& document, TermInput& input) {
    if constexpr (requires {
                      document.stored.exchanged_from;
                      document.currency;
                  } &&
                  !std::is_same_v<T, ScenarioDocument>) {
        if (!std::is_same_v<T, Curve> || !document.currency.empty()) {
            input.currency = document.stored.exchanged_from;
        }
    }
    if constexpr (std::is_same_v<T, Pool>) {
        input.currency = document.server ? document.server->stored.exchanged_from : "";
    }
    if constexpr (is_stored<T>) {
        if (document.stored.revision > 0) {
            input.source = document.source;
            input.revision = document.stored.revision;
        }
    }
    if constexpr (requires { document.source; }) {
        if (!document.source.empty()) {
            input.source = document.source;
        }
    }
}

// Finds the field at `names` below the member: sets unit and value at the last name. False if a name doesn't exist.
template <class M> bool find(const M& member, Names names, const FieldSpec& spec, TermInput& input) {
    if (names.empty()) {
        input.unit = spec.unit;
    }
    bool found = names.empty();
    unwrap(member, [&]<class V>(const V& value) {
        if constexpr (std::is_arithmetic_v<V>) {
            input.value = static_cast<double>(value);
        } else if constexpr (has_fields<V>) {
            remember(value, input);
        }
        if constexpr (has_parts<V>) {
            if (!names.empty()) {
                visit_part(value, names.front(), spec, [&](const auto& part, const FieldSpec& part_spec) {
                    found = find(part, names.subspan(1), part_spec, input);
                });
            }
        }
    });
    return found;
}

// If the input is a price, or an object of prices, notes the day of its oldest price.
void note_price_day(const ScenarioDocument& scenario, Names names, TermInput& input) {
    if (names.size() < 3 || names[0] != "pools") {
        return;
    }
    std::vector<PriceRead> prices =
        prices_read(scenario.pools[*index_of(names[1], scenario.pools.size())], fmt::format("/pools/{}", names[1]));
    std::erase_if(prices,
                  [&](const PriceRead& read) { return read.pointer != input.name && !read.pointer.starts_with(input.name + "/"); });
    input.is_price = !prices.empty();
    input.price_day = price_day(prices, scenario.start);
}

} // namespace

TermInput read_input(const ScenarioDocument& scenario, std::string pointer) {
    TermInput input;
    const auto names = split_pointer(pointer);
    if (!names || !find(scenario, *names, {}, input)) {
        throw std::logic_error("a term names a field that no field table has: " + pointer);
    }
    input.name = std::move(pointer);
    if (!input.unit.starts_with("currency")) {
        input.currency.clear(); // no money, or money in the scenario's currency
    }
    if (!input.currency.empty()) {
        input.exchange_rate = exchange_rate(input.currency, scenario).value();
    }
    input.unit = unit_in(input.unit, scenario.currency);
    note_price_day(scenario, *names, input);
    return input;
}

} // namespace costcurve::model
