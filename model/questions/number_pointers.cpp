// Lists the numbers of a scenario by the field tables.
#include "model/questions/variant.hpp"
#include "model/walk.hpp"

namespace costcurve::model {

namespace {

template <class M> void list(const M& member, std::string& pointer, std::vector<std::string>& all) {
    const std::size_t length = pointer.size();
    const auto step = [&](const auto& part, std::string_view name) {
        pointer.append("/").append(name);
        list(part, pointer, all);
        pointer.resize(length);
    };
    if constexpr (std::is_same_v<M, double> || std::is_same_v<M, int>) {
        if (member != 0) {
            all.push_back(pointer);
        }
    } else if constexpr (is_optional<M>) {
        if (member) {
            list(*member, pointer, all);
        }
    } else if constexpr (std::is_same_v<M, Curve>) {
        all.push_back(pointer);
    } else if constexpr (std::is_same_v<M, Rate>) {
        if (member.curve) {
            all.push_back(pointer);
        } else {
            list(member.number, pointer, all);
        }
    } else if constexpr (std::is_same_v<M, UnitPrice> || std::is_same_v<M, UnitsPerRequest>) {
        if (member.split) {
            step(member.input, "input");
            step(member.output, "output");
        } else {
            list(member.total, pointer, all);
        }
    } else if constexpr (std::is_same_v<M, std::map<std::string, double>>) {
        for (const auto& [key, number] : member) {
            step(number, key);
        }
    } else if constexpr (is_list_of_fields<M>) {
        for (std::size_t i = 0; i < member.size(); ++i) {
            step(member[i], std::to_string(i));
        }
    } else if constexpr (has_fields<M>) {
        for_each_field<M>([&](const auto& field) {
            if constexpr (requires { member.kind; }) {
                if (!field.spec.only_for.empty() && field.spec.only_for != name_of(member.kind)) {
                    return;
                }
            }
            step(member.*field.member, field.name);
        });
    }
}

} // namespace

std::vector<std::string> number_pointers(const ScenarioDocument& scenario) {
    std::vector<std::string> all;
    std::string pointer;
    list(scenario, pointer, all);
    return all;
}

} // namespace costcurve::model
