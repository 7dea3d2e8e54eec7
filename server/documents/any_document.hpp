// A document of any kind, as one type, with the structs of all of them: for what treats all kinds alike.
#pragma once

#include "model/documents/automation.hpp"
#include "server/storage/record.hpp"

namespace costcurve::documents {

using model::AnyDocument;
using model::kind_of;

} // namespace costcurve::documents
