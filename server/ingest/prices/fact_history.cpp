// Every number of a document, by the name of its field.
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "model/documents/documents.hpp"
#include "model/documents/fields.hpp"
#include "server/documents/records.hpp"
#include "server/ingest/prices/price_history.hpp"

namespace costcurve::ingest {

namespace {

constexpr double kFactJump = 1.5; // of a number of a device or a model: what is built doesn't change

using Numbers = std::vector<std::pair<std::string, double>>; // by what tells them apart within a field

Numbers numbers_of(double number) { return {{"", number}}; }
Numbers numbers_of(int number) { return {{"", number}}; }
template <class N>
requires std::is_arithmetic_v<N> Numbers numbers_of(const std::optional<N>& number) {
    return number ? numbers_of(*number) : Numbers();
}
Numbers numbers_of(const std::map<std::string, double>& numbers) { return {numbers.begin(), numbers.end()}; }

template <class T> std::map<std::string, double> all_numbers(const T& document) {
    std::map<std::string, double> all;
    model::for_each_field<T>([&](const auto& field) {
        if constexpr (requires { numbers_of(document.*field.member); }) {
            for (const auto& [of, number] : numbers_of(document.*field.member)) {
                all[fmt::format("{}{}{}", field.name, of.empty() ? "" : " of ", of)] = number;
            }
        }
    });
    return all;
}

} // namespace

template <class T> std::string reason_of_facts(const storage::Snapshot& snapshot, storage::Kind kind, const T& document) {
    const auto revision = snapshot.load({kind, document.id});
    const auto stored = revision ? documents::decode_readable(*revision) : std::nullopt;
    return stored ? reason_of_facts(std::get<T>(*stored), document) : "";
}

template <class T> std::string reason_of_facts(const T& before, const T& document) {
    const std::map<std::string, double> numbers = all_numbers(before);
    std::string reason;
    for (const auto& [name, number] : all_numbers(document)) {
        const auto found = numbers.find(name);
        if (found != numbers.end() && found->second > 0.0 && number > 0.0 && is_beyond(number / found->second, kFactJump)) {
            reason += fmt::format("{}its {} of {:.4g} is {:.3g} times what it was, {:.4g}", reason.empty() ? "" : "; ", name,
                                  number, number / found->second, found->second);
        }
    }
    return reason;
}
template std::string reason_of_facts(const model::Device&, const model::Device&);
template std::string reason_of_facts(const model::Model&, const model::Model&);
template std::string reason_of_facts(const storage::Snapshot&, storage::Kind, const model::Device&);
template std::string reason_of_facts(const storage::Snapshot&, storage::Kind, const model::Model&);

} // namespace costcurve::ingest
