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

/// The names are stored in the database: do not rename them.
enum class Role { viewer, editor, admin };
inline constexpr auto role_names = std::to_array<std::string_view>({"viewer", "editor", "admin"});
[[nodiscard]] constexpr std::string_view name_of(Role role) { return role_names[static_cast<std::size_t>(role)]; }

struct ApiKey {
    std::string name; ///< unique, also among revoked ones
    Role role = Role::viewer;
    std::string created_at;
    std::string revoked_at;      ///< "" while it is good
    std::string expires_at = {}; ///< when the newest secret expires; "" if it never does
    std::string old_until = {};  ///< until when the previous secret stays valid; "" if there is none
};

/// How a key gets a new secret.
struct KeyRotation {
    std::int64_t overlap_hours = 24;       ///< how long older secrets stay valid; 0 ends them now
    std::optional<std::int64_t> days = {}; ///< lifetime of the new secret; if absent, the previous secret's lifetime
};

/// Lifetime of an answer stored for an idempotency key, in microseconds. An answer dated further ahead than this was stored under a
/// wrong clock and is ignored.
inline constexpr std::int64_t kAnswerLifetime = kMicrosecondsPerDay;

/// Maximum number of stored answers, per author and in total. The limit per author keeps one key from taking all the room.
inline constexpr std::int64_t kMaxAnswersOfAuthor = 10'000;
inline constexpr std::int64_t kMaxAnswers = 50'000;
inline constexpr std::int64_t kMaxAnswerBytesOfAuthor = std::int64_t{16} << 20U;
inline constexpr std::int64_t kMaxAnswerBytes = std::int64_t{64} << 20U;

/// An answer stored under an Idempotency-Key.
struct StoredAnswer {
    std::string request_hash; ///< hash of method, path and body
    int status = 0;
    std::string content_type;
    std::string body;
    std::string location; ///< the header; "" for none
};

/// Status of a stored answer that is only a claim. An empty body: the request is in progress. Otherwise the request was done, and
/// the body describes its effect.
inline constexpr int kClaimed = 0;

/// How much an author may still store: number of answers, and bytes of their bodies.
struct AnswerRoom {
    std::int64_t answers = 0;
    std::int64_t bytes = 0;
};

/// Result of claiming an Idempotency-Key: the caller holds the claim, or an answer is stored, or the limit of stored answers is
/// reached. Otherwise another request with the same key is in progress.
struct AnswerClaim {
    bool is_held = false;
    std::optional<StoredAnswer> kept = {};
    bool is_full = false;
    std::int64_t room = 0; ///< maximum bytes of the answer to store, if the claim is held
};

} // namespace costcurve::storage
