// From documents and summaries to JSON and CSV. Field names of documents come from the field tables.
#pragma once

#include <string>

#include "model/summary.hpp"
#include "server/work/resolve.hpp"

namespace costcurve::api {

/// The scenario with every default filled in, in the order of the field tables: the text that `inputs_hash` hashes.
[[nodiscard]] std::string encode_scenario(const model::ScenarioDocument& scenario);

/// Any document the same way; references as their ids.
[[nodiscard]] std::string encode_document(const work::AnyDocument& document);

/// The documents in the scenario that carry an id: [{kind, id, revision, source}], each once.
[[nodiscard]] std::string encode_documents_used(const model::ScenarioDocument& scenario);

/// One evaluated scenario: what an answer is made from.
struct Evaluated {
    model::Scenario scenario;
    std::string inputs_hash;
    std::string as_of; ///< when the newest of its stored documents was recorded; "" where there is none
    model::Ledger ledger;
    model::Summary summary;
};

/// The result document (api.md, "The result"); with the ledger's rows where `with_ledger`.
[[nodiscard]] std::string encode_result(const Evaluated& evaluated, bool with_ledger);

/// The ledger in column names of the FinOps Open Cost and Usage Specification (FOCUS 1.0), one row a month, pool,
/// workload and category; columns of ours begin with x_. A header line, CRLF line ends (RFC 4180).
[[nodiscard]] std::string encode_ledger_csv(const Evaluated& evaluated, bool with_header);

/// The field tables of all documents, for forms: [{document, fields: [{name, unit, min, max, default, …}]}].
[[nodiscard]] std::string encode_fields();

} // namespace costcurve::api
