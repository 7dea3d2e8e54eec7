// Documents and lines of bills that a run of a feed or an import holds back, and the text that is kept of them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "server/import/importer.hpp"
#include "server/ingest/merge.hpp"
#include "server/ingest/prices/price_guard.hpp"
#include "server/storage/measurement.hpp"
#include "server/storage/record.hpp"

namespace costcurve::ingest {

/// What is not to be stored now.
struct HeldBack {
    PriceJudgement judgement;
    std::size_t count = 0;
    std::string documents; ///< by encode_held
};

/// Takes what is not plausible out of the merge: all of it where the list as a whole is not.
[[nodiscard]] HeldBack hold_back(const storage::Store& store, DocumentMerge& merge);

/// The offers that may land, each judged by itself; the others are added to what is held.
[[nodiscard]] std::vector<model::Offer> plausible_offers(const storage::Store& store, std::vector<model::Offer>&& offers,
                                                         HeldBack& held);

[[nodiscard]] std::string encode_held(std::span<const storage::Record> records);
/// Text of a bill's lines, to be put behind that of documents.
[[nodiscard]] std::string encode_held(std::span<const BillLine> lines);

/// The format of that text, for `import_files`.
[[nodiscard]] const imports::Format& held_format();

} // namespace costcurve::ingest
