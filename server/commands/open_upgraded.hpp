// Opens a store for a verb, and does with its documents what a migration has left to this program.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "server/storage/open_store.hpp"

namespace costcurve::commands {

/// As storage::open_store. The first time that a store of before migration 19 is opened, each stored curve of money that states no
/// currency gets that of all that use it, as a revision of its own, so that what was known before reads as it did; where they are
/// in several, or none of them is known, it keeps none. Says on the settings' log how many of each there were.
[[nodiscard]] std::unique_ptr<storage::Store> open_upgraded(storage::StoreSettings settings);

/// The same of an open store.
void upgrade_curve_currencies(storage::Store& store, const std::function<void(std::string_view)>& log = {});

} // namespace costcurve::commands
