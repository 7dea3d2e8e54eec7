// Labels of nodes, and the machine that they describe. Knows no objects.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "server/gate/deployed/deployment.hpp"

namespace costcurve::gate::deployed {

/// Values that are allowed, by label.
using LabelValues = std::map<std::string, std::vector<std::string>>;

/// Adds an object of labels to values, each with the one that it has; null adds none.
void add_labels(const JsonValue* labels, LabelValues& values);

/// The machine that labels with one allowed value each name.
[[nodiscard]] Machines machine_by_labels(const LabelValues& labels);

/// Why labels of several allowed values name no machine ("g5, g6 are allowed of …"), by the first; "" where they do.
[[nodiscard]] std::string unsettled_labels(const LabelValues& labels);

/// Whether the label describes the machine.
[[nodiscard]] bool is_machine_label(std::string_view label);

/// Whether the labels allow machines with accelerators by name: a type, a family, a device.
[[nodiscard]] bool allow_accelerators(const LabelValues& labels);

/// A label of a machine whose value is a template that was not rendered; "" where there is none.
[[nodiscard]] std::string unrendered_label(const LabelValues& labels);

/// Whether a text has marks of a template: {{ }}, ${ }, or what Helm prints for a value that is missing.
[[nodiscard]] bool is_template(std::string_view text);

} // namespace costcurve::gate::deployed
