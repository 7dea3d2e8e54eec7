// YAML of published files through yaml-cpp, with errors that name the line. Included by sources only: the header is heavy.
#pragma once

#include <functional>

#include <yaml-cpp/yaml.h>

#include "server/import/importer.hpp"
#include "server/import/text/bytes.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

/// Reads all of the bytes as one YAML document of up to 1 MiB and gives its root to `read`. Aliases, anchors and nesting deeper
/// than 32 are refused before a tree is made; what yaml-cpp throws, in `read` too, becomes an error.
[[nodiscard]] HardError read_yaml(Bytes& bytes, const std::function<HardError(const YAML::Node& root)>& read);

/// Whether the documents of a text may become trees: as above, but of any size and number. An empty error where they may.
[[nodiscard]] HardError check_yaml(const std::string& text);

/// What a map has under a key; undefined where it is absent or `map` is no map. Readers ask for keys by these three alone, so that
/// it is known which were never asked for.
[[nodiscard]] YAML::Node yaml_member(const YAML::Node& map, const char* key);
/// A number of a map; blank where the key is absent or null.
[[nodiscard]] Number yaml_number(const YAML::Node& map, const char* key);
/// A text of a map; "" where the key is absent or no scalar.
[[nodiscard]] std::string yaml_text(const YAML::Node& map, const char* key);
/// The line that a node begins at, from 1.
[[nodiscard]] std::size_t yaml_line(const YAML::Node& node);

} // namespace costcurve::imports
