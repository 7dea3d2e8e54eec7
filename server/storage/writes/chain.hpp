// The hash chain of changes: what the hashes of a revision, a result, a secret and a change cover. Used by writes, upgrades and
// checks.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/storage/hash.hpp"
#include "server/storage/record.hpp"
#include "server/storage/run.hpp"
#include "server/storage/writes/curve_rows.hpp"

namespace costcurve::storage {

inline constexpr std::int64_t kCurrent = std::numeric_limits<std::int64_t>::max(); ///< `until` of current rows

/// A row of table revision. The owners of its texts must outlive it.
struct RevisionRow {
    std::int64_t document = 0;
    std::int64_t since = 0;
    std::int64_t revision = 0;
    bool deleted = false;
    std::string_view kind, id, title;
    std::optional<std::string_view> provider, region, device, purchase; ///< offers only
    std::optional<double> hourly_price;
    std::optional<std::int64_t> body; ///< empty for a deletion
    std::int64_t until = 0;           ///< not in the hash: it is set later
};
/// The row of a record's revision; a deletion keeps only key and title.
[[nodiscard]] RevisionRow row_of(const Record& record, std::int64_t document, std::int64_t since, std::int64_t revision,
                                 bool deleted);

/// Hash of the row, the body, the points that the revision wrote (by pointer), and all its references (ascending, each once).
[[nodiscard]] Hash hash_of_revision(const RevisionRow& row, const Hash& body, std::span<const CurveRows> curves,
                                    std::span<const DocumentKey> references);

/// A row of table result, with its packed text. The owners of its texts must outlive it.
struct ResultRow {
    std::int64_t scenario = 0;
    std::int64_t number = 0;
    std::int64_t run = 0;
    std::int64_t recorded_at = 0;
    std::string_view inputs_hash, model_version;
    Headline headline;
    std::int64_t body = 0; ///< not in the hash
    std::string_view packed;
};
[[nodiscard]] Hash hash_of_result(const ResultRow& row);

/// The hashed data of a change, beside its link.
struct ChangeRow {
    std::int64_t sequence = 0;
    std::int64_t era = 0;
    std::int64_t recorded_at = 0;
    std::string_view author, address, request_id, action, subject;
    std::optional<Hash> content; ///< empty for a change with only an audit row
};
[[nodiscard]] Hash link_of(const Hash& previous, const ChangeRow& change);

/// Hash of all hashes of a change, in the order of their rows.
[[nodiscard]] Hash content_of(std::vector<std::pair<std::int64_t, Hash>> hashes);

/// Hash of a key's secret for the chain.
[[nodiscard]] Hash hash_of_secret(std::string_view name, std::string_view role, std::string_view hash);

/// Hash of a seal for the chain.
[[nodiscard]] Hash hash_of_seal(std::string_view subject, const Hash& hash);

/// A row of table standing with the comparison's id. The owners of its texts must outlive it.
struct StandingRow {
    std::string_view comparison;
    std::int64_t run = 0;
    std::int64_t recorded_at = 0;
    std::string_view objective, currency, cheapest;
    double figure = 0.0;
    bool is_base = false;
    std::optional<std::int64_t> event;
    std::string_view body;
};
[[nodiscard]] Hash hash_of_standing(const StandingRow& row);

/// The hashes of each change's rows, each with its sort number.
using HashesByChange = std::map<std::int64_t, std::vector<std::pair<std::int64_t, Hash>>>;

} // namespace costcurve::storage
