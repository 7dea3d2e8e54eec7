// What handlers read of a request: its body, its query parameters, its conditions.
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

/// The media type of the body, without its parameters, in lower case; "" where it is not said.
[[nodiscard]] std::string media_type(const http::Request& request);

/// The body as JSON: 415 where it says that it is none, 400 where it is none.
[[nodiscard]] Attempt<ParsedJson> read_body(const http::Request& request);

/// An upper estimate of what ParsedJson takes of a text while it is made, from its punctuation.
[[nodiscard]] std::size_t json_bytes(std::string_view text);

/// What is wrong with the query parameters, by the route's rows and those that it has because it has tables (table_parameters):
/// pointers such as /limit.
[[nodiscard]] model::Failure check_parameters(const Route& route, std::span<const Parameter> of_tables,
                                              const http::Request& request);

/// The most items of a page: `limit`, or 100.
[[nodiscard]] std::size_t page_limit(const Call& call);

/// The number that `after` says, of pages that go down from the newest; 0 where it isn't given.
[[nodiscard]] Attempt<std::int64_t> number_cursor(const Call& call);

/// A query parameter that check_parameters found good; "" where it is absent.
[[nodiscard]] std::string_view parameter(const Call& call, std::string_view name);
[[nodiscard]] std::optional<double> number_parameter(const Call& call, std::string_view name);

/// The header whose key names a request that may come again.
inline constexpr std::string_view kIdempotencyKey = "Idempotency-Key";
/// The key under which the request is answered once; "" for none. Only a POST that writes has one, or that queues a job: what asks
/// is answered again, and nothing is kept of it.
[[nodiscard]] std::string_view idempotency_key(const Call& call);

/// Who writes, for the store and its audit.
[[nodiscard]] storage::Author author_of(const Call& call);

/// True where the client prefers an answer later: `Prefer: respond-async`.
[[nodiscard]] bool prefers_async(const http::Request& request);

/// A query's `as_of`, as answers::read_as_of.
[[nodiscard]] Attempt<std::optional<std::string>> read_as_of(std::string_view text, const std::string& pointer);
/// The query's as_of; nullopt if absent.
[[nodiscard]] Attempt<std::optional<std::string>> as_of_parameter(const Call& call);

/// 422 with these issues.
[[nodiscard]] tl::unexpected<Refusal> refused(model::Failure issues);

/// If-Match and If-None-Match of a write.
[[nodiscard]] Attempt<storage::Condition> read_condition(const http::Request& request);

/// True where If-None-Match lists the tag, or *.
[[nodiscard]] bool lists_tag(std::string_view if_none_match, std::string_view tag);

/// The entity tag of a revision.
[[nodiscard]] std::string entity_tag(std::int64_t revision);

} // namespace costcurve::api
