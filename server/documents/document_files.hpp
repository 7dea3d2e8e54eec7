// Many documents at once, from JSON files of ours: what `export` writes, and the catalogue's lists.
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
    /// Adds the documents of a text: {"devices": […], "offers": […], …}, or a list of the kind that `name` says ("devices").
    /// Returns what is wrong with it.
    [[nodiscard]] model::Failure read(std::string_view text, std::string_view name);

    /// Puts ids in the places of what the scenarios hold inline and what is here, or stored, under the same id with the same
    /// content: a scenario then follows the document. Comes after the last `read`.
    void put_references(const storage::DocumentStore& store);

    /// Stores them; `source` is where they are from, for the audit. Fails where one refers to a document that is neither here
    /// nor stored. `end_run` gives the import run that is recorded with them. `restated` gives the run's line for a document of
    /// which fields or points are stored alike already, "" where it needs none. Both may be empty.
    [[nodiscard]] model::Result<ImportCounts> save(storage::DocumentStore& store, const storage::Author& author,
                                                   std::string_view source = "",
                                                   const std::function<storage::FeedEnd(const ImportCounts& counts)>& end_run = {},
                                                   const Restated& restated = {});

    /// The documents as a snapshot without a store, where references of one another are looked up. Fails where one stands twice.
    [[nodiscard]] model::Result<std::unique_ptr<storage::Snapshot>> snapshot() &&;

private:
    std::vector<storage::Record> records_;
};

} // namespace costcurve::documents
