// What two documents of one endpoint, the stored one and one that an import gives, can't both state.
#pragma once

#include "model/documents/documents.hpp"

namespace costcurve::model {

/// Batch work has a fraction of the price, or prices: those of one document replace the other's.
void keep_one_batch(Endpoint& stored, Endpoint& given, bool keeps_stored);

/// Of one list's conditions, which end with its name in parentheses, the newest list has all: of the older document they go. Those
/// of people and of other lists stay.
void drop_withdrawn(const Endpoint& newer, Endpoint& older);

} // namespace costcurve::model
