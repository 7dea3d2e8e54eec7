// Claims of Idempotency-Keys. One statement makes the claim, so that only one of several concurrent claims writes the row.
#include "server/storage/postgres/answer_claims.hpp"

#include <fmt/format.h>

#include "server/storage/access.hpp"
#include "server/storage/postgres/daemons/lease.hpp"

namespace costcurve::storage::postgres {

namespace {

// Replaces an answer that is expired or dated in the future, and a claim whose lease has ended.
constexpr const char* kClaimKey = R"(
    INSERT INTO answer AS a (author, idempotency_key, kept_at, request_hash, status, content_type, body, location, holder,
        lease_until)
    VALUES ($1, $2, $3, $4, 0, '', ''::bytea, '', $5, {0} + $6)
    ON CONFLICT (author, idempotency_key) DO UPDATE SET kept_at = excluded.kept_at, request_hash = excluded.request_hash,
        status = 0, content_type = '', body = ''::bytea, location = '', holder = excluded.holder, lease_until = excluded.lease_until
    WHERE a.kept_at NOT BETWEEN $7 AND $8 OR (a.status = 0 AND length(a.body) = 0 AND a.lease_until <= {0}))";
constexpr const char* kReleaseKey = R"(
    DELETE FROM answer WHERE author = $1 AND idempotency_key = $2 AND status = 0 AND holder = $3 AND length(body) = 0)";
// Ends the lease of a claim whose request has written something.
constexpr const char* kEndClaim = R"(
    UPDATE answer SET holder = NULL, lease_until = 0 WHERE author = $1 AND idempotency_key = $2 AND status = 0 AND holder = $3)";

} // namespace

bool claim_key(Connection& connection, std::string_view holder, std::string_view author, std::string_view key,
               std::string_view request_hash, std::int64_t now) {
    return connection.run(fmt::format(kClaimKey, kDatabaseClock), author, key, now, Bytes{request_hash}, holder,
                          microseconds(kLease), now - kAnswerLifetime, now + kAnswerLifetime) > 0;
}

void release_key(Connection& connection, std::string_view holder, std::string_view author, std::string_view key) {
    connection.post(kReleaseKey, author, key, holder);
    connection.post(kEndClaim, author, key, holder);
}

} // namespace costcurve::storage::postgres
