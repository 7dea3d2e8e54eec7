// Opens a store's file: who may write it, how it keeps its log, which schema it gets.
#pragma once

#include <memory>
#include <span>

#include "server/storage/database.hpp"
#include "server/storage/migrations.hpp"

namespace costcurve::storage {

/// The one connection that writes, on a file brought to the newest of `known`. Throws StoreError.
[[nodiscard]] std::unique_ptr<Database> open_writer(const StoreSettings& settings, Patience patience,
                                                    std::span<const Migration> known, std::int64_t recorded_at);

/// One that only reads what a writer has opened before. Throws StoreError.
[[nodiscard]] std::unique_ptr<Database> open_reader(const StoreSettings& settings, Patience patience);

} // namespace costcurve::storage
