// What a Snapshot holds: a borrowed reader in a transaction, and the last change it sees.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "server/storage/pool.hpp"

namespace costcurve::storage {

struct Snapshot::Impl {
    /// As of a moment in microseconds, or now.
    Impl(Lease reader, std::optional<std::int64_t> as_of);

    Lease lease;             // goes back after the transaction's end
    Transaction transaction; // pins what the reader sees
    std::int64_t sequence = 0;
    bool is_current = true; // no change comes after it
    std::string as_of_text;
};

} // namespace costcurve::storage
