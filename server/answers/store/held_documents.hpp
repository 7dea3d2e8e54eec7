// Documents that a feed's run holds back, as the text that is kept of them.
#pragma once

#include <span>
#include <string>

#include "server/import/importer.hpp"
#include "server/storage/record.hpp"

namespace costcurve::answers {

[[nodiscard]] std::string encode_held(std::span<const storage::Record> records);

/// The format of that text, for `import_files`.
[[nodiscard]] const imports::Format& held_format();

} // namespace costcurve::answers
