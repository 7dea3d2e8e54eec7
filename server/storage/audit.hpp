// Authors of writes, and writes as the audit keeps them.
#pragma once

#include <cstdint>
#include <string>

namespace costcurve::storage {

/// The author of a write and its request: stored with every change.
struct Author {
    std::string name;                 ///< the API key's name; "local" without one, "cli" from the command line
    std::string request_id;           ///< "" from the command line
    std::string address = {};         ///< address of the client; "" from the command line
    std::string idempotency_key = {}; ///< key of the request; its write also records that it was done; "" if absent
    std::string answers_of = {};      ///< author under whom answers to idempotency keys are stored; "" for `name`
};

/// The author under whom answers to Idempotency-Keys are stored.
[[nodiscard]] inline const std::string& keeper_of(const Author& author) {
    return author.answers_of.empty() ? author.name : author.answers_of;
}

/// One write, as the audit keeps it.
struct AuditEntry {
    std::int64_t sequence = 0; ///< counts from 1
    std::string recorded_at;
    std::string author;
    std::string request_id;
    std::string action;  ///< save, save_all, remove, import, add_key, …; what record_action was called with
    std::string subject; ///< "offer/x" for a document, the name for a key, the count for save_all and save_bill
    std::string address; ///< of the client; "" from the command line
};

} // namespace costcurve::storage
