// API keys and their roles, and answers kept for requests that come again, as values. A secret is known by its hash.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/storage/timestamp.hpp"

namespace costcurve::storage {

/// Its words are stored: do not rename.
enum class Role { viewer, editor, admin };
inline constexpr auto role_names = std::to_array<std::string_view>({"viewer", "editor", "admin"});
[[nodiscard]] constexpr std::string_view name_of(Role role) { return role_names[static_cast<std::size_t>(role)]; }

struct ApiKey {
    std::string name; ///< unique, also among revoked ones
    Role role = Role::viewer;
    std::string created_at;
    std::string revoked_at;      ///< "" while it is good
    std::string expires_at = {}; ///< of its newest secret; "" where it doesn't
    std::string old_until = {};  ///< how long the secret before the newest is good; "" where it isn't
};

/// How a key gets a new secret.
struct KeyRotation {
    std::int64_t overlap_hours = 24;       ///< how long the secrets before it stay good; 0 ends them now
    std::optional<std::int64_t> days = {}; ///< how long the new one is good; as long as the one before where it isn't given
};

/// How long an answer is repeated for its idempotency key, in microseconds. An answer dated further ahead than that was kept
/// under a wrong clock and is ignored.
inline constexpr std::int64_t kAnswerLifetime = kMicrosecondsPerDay;

/// How much is kept of answers at most: of one author and of all together, so that one key leaves room to others.
inline constexpr std::int64_t kMaxAnswersOfAuthor = 10'000;
inline constexpr std::int64_t kMaxAnswers = 50'000;
inline constexpr std::int64_t kMaxAnswerBytesOfAuthor = std::int64_t{16} << 20U;
inline constexpr std::int64_t kMaxAnswerBytes = std::int64_t{64} << 20U;

/// An answer that was given under an Idempotency-Key.
struct StoredAnswer {
    std::string request_hash; ///< of method, path and body
    int status = 0;
    std::string content_type;
    std::string body;
    std::string location; ///< the header; "" for none
};

/// The status of a stored answer that is a claim: the request is being answered or, with a body that says what it did, was done.
inline constexpr int kClaimed = 0;

/// What is left to an author: rows, and bytes of bodies.
struct AnswerRoom {
    std::int64_t answers = 0;
    std::int64_t bytes = 0;
};

/// What became of a claim of an Idempotency-Key: the caller's, or there is an answer, or as many are kept as may be, or else
/// another request with it is being answered.
struct AnswerClaim {
    bool is_held = false;
    std::optional<StoredAnswer> kept = {};
    bool is_full = false;
    std::int64_t room = 0; ///< of one that is held: an answer of more bytes is not to be kept
};

} // namespace costcurve::storage
