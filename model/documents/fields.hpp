// The field tables: name, unit, range, default and help of every field of every document. One truth for
// decoding, encoding, the OpenAPI text, `/v1/fields`, the dashboard's forms and the check of the docs.
// A default is the member's initializer in model/documents/documents.hpp. Conversion of currencies goes by `unit` too.
#pragma once

#include "model/documents/fields_contracts.hpp"
#include "model/documents/fields_hardware.hpp"
#include "model/documents/fields_work.hpp"
#include "model/documents/sites/fields_tariff.hpp"
