// Published files into the store: reads them by their format, lands what came out, and says what happened.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "server/api/json_text.hpp"
#include "server/api/landing.hpp"
#include "server/import/importer.hpp"

namespace costcurve::api {

/// A file by its name and its bytes, block by block ("" at its end).
struct ImportFile {
    std::string name;
    imports::Bytes::Next next;
};

struct ImportRequest {
    const imports::Format* format = nullptr;
    imports::Options options; ///< checked
    LandingOptions landing;
};

struct ImportSummary {
    std::string_view format;
    bool dry_run = false;
    imports::Report report;
    std::size_t bill_lines = 0; ///< as the files have them; those of one day and thing are one in the store
    storage::BillOutcome bill = {};
    std::size_t samples = 0;
    Landed landed;
};

/// All or nothing: at a hard error, or where the store breaks (StoreError), nothing is stored. Memory is bounded by what the
/// documents take, not by the files.
[[nodiscard]] model::Result<ImportSummary> import_files(storage::Store& store, const storage::Author& author,
                                                        const ImportRequest& request, std::vector<ImportFile> files);

/// Adds a member {count, first: [{row, reason}]}.
void write_complaints(JsonWriter& out, std::string_view name, const imports::Complaints& complaints);

/// {format, dry_run, rows, skipped, documents: {added, changed, unchanged}, rejected, warnings, changes, …}
[[nodiscard]] std::string encode_import(const ImportSummary& summary);

} // namespace costcurve::api
