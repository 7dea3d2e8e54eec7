// PostgreSQL's end of a copy between engines.
#pragma once

#include <memory>
#include <string>

#include "server/storage/copy.hpp"

namespace costcurve::storage::postgres {

/// Of a store of this program's schema, which `open_store` has opened or made before. Throws StoreError.
[[nodiscard]] std::unique_ptr<CopyEnd> copy_end(const std::string& url, bool writes);

} // namespace costcurve::storage::postgres
