// Imports many documents from our own JSON files: the output of `export`, and the catalogue's lists.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/documents/failure.hpp"
#include "server/storage/roles.hpp"

namespace costcurve::documents {

struct ImportCounts {
    std::size_t added = 0;
    std::size_t changed = 0;
    std::size_t unchanged = 0;
    std::string restated = {}; ///< lines of what they state that was stored already
};

/// A run's lines are no longer than this, and one more; documents beyond it are not noted.
inline constexpr std::size_t kMaxRestated = std::size_t{32} << 20U; // bytes
using Restated = std::function<std::string(const storage::Record& stored, const storage::Record& given)>;

/// Documents of several files, stored together or not at all; they may refer to one another in any order.
class DocumentImport {
public:
    /// Adds the documents of a text: {"devices": […], "offers": […], …}, or a list of the kind that `name` states ("devices").
    /// Returns its issues.
    [[nodiscard]] model::Failure read(std::string_view text, std::string_view name);

    /// Replaces inline documents of scenarios by ids if a document with the same id and content is imported or stored; the scenario
    /// then follows that document. Call it after the last `read`.
    void put_references(const storage::DocumentStore& store);

    /// Stores the documents; `source` is their origin, for the audit. Fails if one refers to a document that is neither imported
    /// nor stored. `end_run` returns the import run to record. `restated` returns the run's line for a document whose fields or
    /// points are already stored, "" if none. Both may be empty.
    [[nodiscard]] model::Result<ImportCounts> save(storage::DocumentStore& store, const storage::Author& author,
                                                   std::string_view source = "",
                                                   const std::function<storage::FeedEnd(const ImportCounts& counts)>& end_run = {},
                                                   const Restated& restated = {});

    /// The documents as a snapshot without a store, in which their references are looked up. Fails if a document occurs twice.
    [[nodiscard]] model::Result<std::unique_ptr<storage::Snapshot>> snapshot() &&;

private:
    std::vector<storage::Record> records_;
};

} // namespace costcurve::documents
