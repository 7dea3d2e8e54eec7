// Resolves conflicts between two documents of one endpoint: the stored one and an imported one.
#pragma once

#include "model/documents/documents.hpp"

namespace costcurve::model {

/// Batch work has a price fraction or its own prices; keeps those of one document and drops the other's.
void keep_one_batch(Endpoint& stored, Endpoint& given, bool keeps_stored);

/// Removes from the older document the conditions of the newer document's price list (they end with its name in parentheses), as
/// the newer list is complete. Conditions of people and of other lists stay.
void drop_withdrawn(const Endpoint& newer, Endpoint& older);

} // namespace costcurve::model
