// YAML as JSON text, so that one decoder with one set of messages reads both. Knows no document.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/documents/failure.hpp"

namespace costcurve::gate {

/// The largest text of YAML that is read: a tree takes some thirty times as much.
inline constexpr std::size_t kMaxYamlText = std::size_t{4} << 20U; // bytes
inline constexpr std::size_t kMaxJsonText = std::size_t{64} << 20U;

/// The documents of a YAML text, as JSON each; those that are empty are left out. A text that begins with { or [ is JSON already.
/// Plain scalars have the types of YAML 1.2's core schema (null, true, 8, 0.5); what is quoted is text. Fails where the text is too
/// large, no YAML, nested deeper than 32 levels, or has anchors or aliases, by which a small text grows without end.
[[nodiscard]] model::Result<std::vector<std::string>> json_of_yaml(std::string_view text);

} // namespace costcurve::gate
