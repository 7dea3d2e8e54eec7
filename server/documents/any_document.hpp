// A variant of all document kinds, for code that treats all kinds alike.
#pragma once

#include "model/documents/automation.hpp"
#include "server/storage/record.hpp"

namespace costcurve::documents {

using model::AnyDocument;
using model::kind_of;

} // namespace costcurve::documents
