// Published files into the store: reads them by their format, merges what came out, and says what happened.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/answers/complaints.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/documents/store_entries.hpp"
#include "server/import/importer.hpp"
#include "server/ingest/held_documents.hpp"
#include "server/ingest/merge.hpp"
#include "server/storage/store.hpp"

namespace costcurve::ingest {

/// What it takes to store them, measured (docs/operations.md).
inline constexpr std::size_t kMemoryOfOffer = 7680;
inline constexpr std::size_t kMemoryOfDocument = 3072; ///< of other kinds, beside their file
inline constexpr std::size_t kMemoryOfBillLine = 2560;

/// A file by its name and its bytes, block by block ("" at its end).
struct ImportFile {
    std::string name;
    imports::Bytes::Next next;
};

/// What a file was taken for, where nobody said what it is. "" where that is not known or not needed.
struct RecognizedAs {
    std::string_view format;
    std::string provider;
    std::string date;
};

struct ImportSummary {
    std::optional<RecognizedAs> recognized;
    std::string_view format;
    bool dry_run = false;
    imports::Report report;
    std::size_t documents = 0;  ///< of the files, to be merged
    std::size_t refused = 0;    ///< documents that break a rule
    std::size_t bill_lines = 0; ///< as the files have them; those of one day and thing are one in the store
    storage::BillOutcome bill = {};
    std::size_t samples = 0;
    MergeSummary merged;
    HeldBack held;        ///< with a problem nothing was stored
    std::int64_t run = 0; ///< 0: none was recorded
};

struct ImportRequest {
    const imports::Format* format = nullptr;
    imports::Options options; ///< checked
    MergeOptions merge;
    std::optional<RecognizedAs> recognized = {};
    bool force = false; ///< also where the date is another than the file's name says, and bills of days to come
    /// Holds so much memory, beside that of the files, from then on; false where there is no room, and nothing is stored. Asked as
    /// documents and lines of bills come. May be empty.
    std::function<bool(std::size_t bytes)> memory = {};
    /// Why what was read is not to be stored; "" where it is. May be empty.
    std::function<std::string(const ImportSummary& read)> refuse = {};
    bool with_least_prices = true; ///< of the SKUs in it, for stored offers without a region
    bool holds_back = true;        ///< what is not plausible
    /// Takes out what is not to be stored, or says why nothing is. May be empty.
    std::function<model::Failure(DocumentMerge& merge)> leave_out = {};
    /// How the run of a feed or of an import ended; called inside of the write of its documents, once bills are stored. May be
    /// empty.
    std::function<storage::FeedEnd(const ImportSummary& summary)> end_feed = {};
};

/// All or nothing: at a hard error, where the list as a whole is held, or where the store breaks (StoreError), nothing is stored.
/// Memory is bounded by what the
/// documents take, not by the files.
[[nodiscard]] model::Result<ImportSummary> import_files(storage::Store& store, const storage::Author& author,
                                                        const ImportRequest& request, std::vector<ImportFile> files);

/// Gives the document to the merge, or the reason why it is refused to `rejected`; false there.
bool add_document(DocumentMerge& merge, imports::Document&& document, imports::Complaints& rejected);

/// {format, dry_run, rows, skipped, documents: {added, changed, unchanged}, rejected, warnings, changes, …}
[[nodiscard]] std::string encode_import(const ImportSummary& summary);

enum class ChangeWord { added, changed };
struct ChangeAnswer {
    storage::Kind kind{};
    std::string id;
    ChangeWord what{};
    std::vector<FieldChange> fields;
};
struct ImportAnswer {
    std::optional<RecognizedAs> recognized;
    std::string_view format;
    std::string format_version;
    bool dry_run = false;
    std::optional<std::int64_t> run;
    std::string problem;
    std::size_t held = 0;
    std::vector<HeldOffer> held_offers;
    std::vector<HeldDocument> held_documents;
    std::size_t rows = 0;
    std::size_t skipped = 0;
    storage::BillOutcome documents;
    std::size_t bill_lines = 0;
    storage::BillOutcome bill;
    std::size_t samples = 0;
    imports::Complaints rejected;
    imports::Complaints warnings;
    std::vector<PriceMove> moved;
    std::vector<ChangeAnswer> changes;
};
[[nodiscard]] ImportAnswer answer_of(const ImportSummary& summary);

} // namespace costcurve::ingest

namespace costcurve::model {

template <> inline constexpr auto enum_names<ingest::ChangeWord> = std::to_array<std::string_view>({"added", "changed"});
template <>
inline constexpr auto fields<ingest::FieldChange> = Rows{
    Field{"pointer", &ingest::FieldChange::pointer, {}},
    Field{"date", &ingest::FieldChange::date, {.format = Format::date, .omit = true}},
    Field{"old", &ingest::FieldChange::old_value, {.help = "null where there was none", .null_if_empty = true, .schema = "any"}},
    Field{"new", &ingest::FieldChange::new_value, {.null_if_empty = true, .schema = "any"}},
};
template <>
inline constexpr auto fields<ingest::ChangeAnswer> = Rows{
    Field{"kind", &ingest::ChangeAnswer::kind, {}},
    Field{"id", &ingest::ChangeAnswer::id, {.format = Format::slug}},
    Field{"what", &ingest::ChangeAnswer::what, {}},
    Field{"fields", &ingest::ChangeAnswer::fields, {}},
};
template <> inline constexpr std::string_view document_name<ingest::PriceMove> = "price_move";
template <>
inline constexpr auto fields<ingest::PriceMove> = Rows{
    Field{"device", &ingest::PriceMove::device, {.format = Format::slug}},
    Field{"purchase", &ingest::PriceMove::purchase, {.words = enum_names<Purchase>}},
    Field{"offers", &ingest::PriceMove::offers, {.min = 1, .help = "whose price moved"}},
    Field{"seen", &ingest::PriceMove::seen, {.min = 1, .help = "that have a newer price"}},
    Field{"median_fraction", &ingest::PriceMove::median_fraction, {.help = "of those that moved: 0.08 is 8 % up"}},
};
template <>
inline constexpr auto fields<storage::BillOutcome> = Rows{
    Field{"added", &storage::BillOutcome::added, {.min = 0}},
    Field{"changed", &storage::BillOutcome::changed, {.min = 0}},
    Field{"unchanged", &storage::BillOutcome::unchanged, {.min = 0}},
};
template <> inline constexpr std::string_view document_name<ingest::RecognizedAs> = "recognized_format";
template <>
inline constexpr auto fields<ingest::RecognizedAs> = Rows{
    Field{"format", &ingest::RecognizedAs::format, {}},
    Field{"provider", &ingest::RecognizedAs::provider, {.omit = true}},
    Field{"date", &ingest::RecognizedAs::date, {.format = Format::date, .omit = true}},
};
template <>
inline constexpr auto fields<ingest::ImportAnswer> = Rows{
    Field{"recognized",
          &ingest::ImportAnswer::recognized,
          {.help = "what it was taken for, where no format was given", .omit = true}},
    Field{"format", &ingest::ImportAnswer::format, {}},
    Field{"format_version",
          &ingest::ImportAnswer::format_version,
          {.help = "of FOCUS, by the columns of the file: 1.0 to 1.4; left out of other formats", .omit = true}},
    Field{"dry_run", &ingest::ImportAnswer::dry_run, {}},
    Field{"run",
          &ingest::ImportAnswer::run,
          {.min = 1, .help = "by which it is looked up and undone; none of a dry run", .omit = true}},
    Field{"problem",
          &ingest::ImportAnswer::problem,
          {.help = "why the list as a whole is held, and nothing stored", .null_if_empty = true}},
    Field{"held", &ingest::ImportAnswer::held, {.min = 0, .help = "documents that wait to be accepted or rejected"}},
    Field{"held_offers",
          &ingest::ImportAnswer::held_offers,
          {.help = "the first of those whose price is not plausible, at most 100"}},
    Field{"held_documents", &ingest::ImportAnswer::held_documents, {.help = "of endpoints and curves the same"}},
    Field{"rows", &ingest::ImportAnswer::rows, {.min = 0}},
    Field{"skipped", &ingest::ImportAnswer::skipped, {.min = 0}},
    Field{"documents", &ingest::ImportAnswer::documents, {}},
    Field{"bill_lines", &ingest::ImportAnswer::bill_lines, {.min = 0}},
    Field{"bill", &ingest::ImportAnswer::bill, {}},
    Field{"samples", &ingest::ImportAnswer::samples, {.min = 0}},
    Field{"rejected", &ingest::ImportAnswer::rejected, {}},
    Field{"warnings", &ingest::ImportAnswer::warnings, {}},
    Field{"moved", &ingest::ImportAnswer::moved, {.help = "prices that moved, by device and purchase"}},
    Field{"changes", &ingest::ImportAnswer::changes, {}},
};

} // namespace costcurve::model
