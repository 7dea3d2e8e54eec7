// SQLite's end of a copy between engines.
#pragma once

#include <memory>
#include <string>

#include "server/storage/copy.hpp"

namespace costcurve::storage::sqlite {

/// The end for a store that `open_store` has opened or created with this program's schema. Throws StoreError.
[[nodiscard]] std::unique_ptr<CopyEnd> copy_end(const std::string& path, bool writes);

} // namespace costcurve::storage::sqlite
