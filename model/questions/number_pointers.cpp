// Lists the numbers of a scenario by the field tables.
#include "model/documents/pointer.hpp"
#include "model/documents/walk.hpp"
#include "model/questions/variant.hpp"

namespace costcurve::model {

namespace {

template <class M> void list(const M& member, std::string& pointer, std::vector<std::string>& pointers) {
    unwrap(member, [&]<class V>(const V& value) {
        if constexpr (std::is_same_v<V, double> || std::is_same_v<V, int>) {
            if (value != 0) {
                pointers.push_back(pointer);
            }
        } else if constexpr (std::is_same_v<V, Curve>) {
            pointers.push_back(pointer);
        } else if constexpr (has_parts<V>) {
            for_each_part(value, {}, [&](std::string_view name, const auto& part, const FieldSpec& /*spec*/) {
                const std::size_t length = pointer.size();
                pointer.append("/").append(name);
                list(part, pointer, pointers);
                pointer.resize(length);
            });
        }
    });
}

} // namespace

std::vector<std::string> number_pointers(const ScenarioDocument& scenario) {
    std::vector<std::string> pointers;
    std::string pointer;
    list(scenario, pointer, pointers);
    std::erase_if(pointers, [&](const std::string& number) {
        return moves_rates(scenario, split_pointer(number).value_or(std::vector<std::string>()));
    });
    return pointers;
}

} // namespace costcurve::model
