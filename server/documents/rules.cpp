// Rules of a document by itself, by kind.
#include "server/documents/rules.hpp"

#include "model/rules.hpp"
#include "server/documents/automation_rules.hpp"

namespace costcurve::documents {

model::Failure check_rules(const AnyDocument& document) {
    model::Rules rules;
    std::visit(
        [&](const auto& alternative) {
            if constexpr (requires { model::check_alone(alternative, rules); }) {
                model::check_alone(alternative, rules);
            } else if constexpr (requires { check_alone(alternative, rules); }) {
                check_alone(alternative, rules);
            }
        },
        document);
    return std::move(rules.issues);
}

} // namespace costcurve::documents
