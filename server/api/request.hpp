// Accessors of requests for handlers: body, query parameters, conditions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/api/route.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/storage/store.hpp"

namespace costcurve::api {

inline constexpr std::string_view kJsonType = "application/json; charset=utf-8";

[[nodiscard]] http::Response json_answer(std::string body, int status = 200);

/// The body's media type in lower case, without parameters; "" if absent.
[[nodiscard]] std::string media_type(const http::Request& request);

/// The body as JSON; 415 unless Content-Type is JSON, 400 if the text is not valid JSON.
[[nodiscard]] Attempt<ParsedJson> read_body(const http::Request& request);

/// Upper estimate of ParsedJson's memory during parsing, from the text's punctuation.
[[nodiscard]] std::size_t json_bytes(std::string_view text);

/// Errors in the query parameters, checked against the route's rows and its table parameters (table_parameters); pointers such as
/// /limit.
[[nodiscard]] model::Failure check_parameters(const Route& route, std::span<const Parameter> of_tables,
                                              const http::Request& request);

/// Maximum number of items on a page: `limit`, or 100.
[[nodiscard]] std::size_t page_limit(const Call& call);

/// The number in `after`, for pages that descend from the newest; 0 if absent.
[[nodiscard]] Attempt<std::int64_t> number_cursor(const Call& call);

/// A query parameter already checked by check_parameters; "" if absent.
[[nodiscard]] std::string_view parameter(const Call& call, std::string_view name);
[[nodiscard]] std::optional<double> number_parameter(const Call& call, std::string_view name);

/// Header with the key that identifies repeated requests.
inline constexpr std::string_view kIdempotencyKey = "Idempotency-Key";
/// The key under which the request is executed once; "" if none. Only a POST that writes or queues a job uses one. Questions are
/// answered anew, and their answers aren't stored.
[[nodiscard]] std::string_view idempotency_key(const Call& call);

/// Who writes, for the store and its audit.
[[nodiscard]] storage::Author author_of(const Call& call);

/// Whether the client prefers an asynchronous answer: `Prefer: respond-async`.
[[nodiscard]] bool prefers_async(const http::Request& request);

/// Reads `as_of` like answers::read_as_of.
[[nodiscard]] Attempt<std::optional<std::string>> read_as_of(std::string_view text, const std::string& pointer);
/// The query's as_of; nullopt if absent.
[[nodiscard]] Attempt<std::optional<std::string>> as_of_parameter(const Call& call);

/// A 422 refusal with these issues.
[[nodiscard]] tl::unexpected<Refusal> refused(model::Failure issues);

/// The condition of a write, from If-Match and If-None-Match.
[[nodiscard]] Attempt<storage::Condition> read_condition(const http::Request& request);

/// Whether If-None-Match lists the tag, or is *.
[[nodiscard]] bool lists_tag(std::string_view if_none_match, std::string_view tag);

/// The entity tag of a revision.
[[nodiscard]] std::string entity_tag(std::int64_t revision);

} // namespace costcurve::api
