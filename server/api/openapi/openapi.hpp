// The description of the API in OpenAPI 3.1, made from the tables that decode and dispatch requests. Serves nothing.
#pragma once

#include <span>
#include <string>

#include "server/api/openapi/schemas.hpp"
#include "server/api/route.hpp"

namespace costcurve::api {

/// The description as JSON text, two spaces a level, with a line end: the same bytes for the same tables. A route's `body`
/// and `answer` name schemas among its components; one that is not there throws std::logic_error (a test calls this).
[[nodiscard]] std::string openapi_document(std::span<const Route> routes);

/// The fields of all documents and requests, for forms, as JSON: [{document or request, fields: [{name, type, unit, …}]}].
[[nodiscard]] std::string encode_field_tables();

/// The schemas of all components, and of a parameter.
[[nodiscard]] Schema component_schemas();
[[nodiscard]] Schema parameter_schema(const Parameter& parameter);

} // namespace costcurve::api
