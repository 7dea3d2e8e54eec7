// What a run states that was stored already: evidence for it, where the run that brought it is undone.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "server/storage/record.hpp"

namespace costcurve::ingest {

/// A line of the fields and points that a given document has as the stored one does; "" where there are none.
[[nodiscard]] std::string restated_line(const storage::Record& stored, const storage::Record& given);

/// Of one document: fields, as in its record's body, and points.
struct Statement {
    std::string body; ///< a JSON object
    std::vector<storage::Series> series;
};
using Statements = std::map<storage::DocumentKey, std::vector<Statement>>;

/// Reads such lines; those that a newer or older version wrote are passed over. `is_wanted` by document; empty: all.
void read_restated(std::string_view lines, const std::function<bool(const storage::DocumentKey&)>& is_wanted,
                   Statements& statements);

/// The record with what is stated of it and stands in `now`.
[[nodiscard]] storage::Record with_statement(const storage::Record& record, const storage::Record& now, const Statement& statement);

/// The record in which what is stated is as in `other`, or gone.
[[nodiscard]] storage::Record without_statement(const storage::Record& record, const storage::Record& other,
                                                const Statement& statement);

} // namespace costcurve::ingest
