// One GET of a file, bounded in time and size, from public addresses only unless that is allowed. Stores nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace costcurve::ingest {

inline constexpr double kMib = 1024.0 * 1024.0; ///< bytes

struct FetchLimits {
    bool allow_private = false;                             ///< addresses that are not public too
    double total_s = 300.0;                                 ///< of a whole fetch
    std::size_t max_bytes = 64ULL << 20U;                   ///< of the file, once it is inflated
    std::function<bool()> is_unwanted = {};                 ///< ends it; may be empty
    std::function<bool(std::size_t bytes)> has_memory = {}; ///< for a body of so many bytes; may be empty
};

struct FetchRequest {
    std::string url;
    std::string header_name; ///< "" for none; it is sent to the URL's host alone, so that redirects are refused with it
    std::string header_value;
    std::string etag;                        ///< of the file that is known; "" for none
    std::optional<std::int64_t> modified_at; ///< of that, in microseconds since 1970
};

struct Fetched {
    bool is_known = false; ///< 304: it is the file that is known
    bool may_pass = false; ///< of a problem that another try may not meet
    std::string problem;   ///< a sentence; "" where there is none
    std::string body;      ///< inflated, where it came so
    std::string etag;      ///< "" where it had none
    std::optional<std::int64_t> modified_at;
};

/// Redirects are followed up to five times, never from https to http; each address is judged.
[[nodiscard]] Fetched fetch(const FetchRequest& request, const FetchLimits& limits);

/// As a part of a query: %-escaped.
[[nodiscard]] std::string escaped(const std::string& text);

} // namespace costcurve::ingest
