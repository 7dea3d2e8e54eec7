// Imports files: each is read once, and one merge takes all of them.
#include "server/ingest/import_files.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "server/documents/json/json_text.hpp"
#include "server/documents/records.hpp"
#include "server/documents/references.hpp"
#include "server/import/text/utf8.hpp"
#include "server/ingest/plausible/copies_of_bills.hpp"
#include "server/ingest/prices/least_prices.hpp"
#include "server/ingest/recognized_import.hpp"
#include "server/ingest/stored_names.hpp"
#include "server/ingest/unreached_offers.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::ingest {

namespace {

using model::Failure;

std::string named(const std::string& file, std::string_view message) {
    return file.empty() ? std::string(message) : fmt::format("{}: {}", file, message);
}

// Reads the files; what stopped it. `after_file` is called with the name of each that is no part of a set.
Failure read_all(const ImportRequest& request, const imports::AddedNames& names, std::vector<ImportFile>& files,
                 imports::Report& report, std::optional<double> today, const std::function<void(const std::string&)>& after_file) {
    imports::Options options = request.options;
    options.names = &names;
    options.today = today;
    std::vector<imports::NamedText> set;
    for (ImportFile& file : files) {
        imports::Bytes bytes(std::move(file.next));
        options.name = file.name;
        imports::HardError error;
        if (request.format->read_set == nullptr) {
            error = imports::read_file(*request.format, bytes, options, report);
            after_file(file.name);
        } else if (std::optional<std::string> text = bytes.whole()) {
            set.push_back({file.name, std::move(*text)});
        } else {
            error = bytes.error();
        }
        if (error) {
            error->message = named(files.size() > 1 ? file.name : "", error->message);
            return {*error};
        }
    }
    if (request.format->read_set != nullptr) {
        options.name = files.size() == 1 ? files.front().name : "";
        if (imports::HardError error = imports::read_files(*request.format, set, options, report)) {
            return {*error};
        }
    }
    return {};
}

// Books what comes in steps, and ends the reading where there is no room for it.
class Booked {
public:
    struct NoRoom {
        std::size_t count;
        std::size_t bytes;
    };
    explicit Booked(const std::function<bool(std::size_t bytes)>& memory) : memory_(memory) {}
    void add(std::size_t bytes) {
        constexpr std::size_t kStep = 1U << 20U;
        ++count_;
        bytes_ += bytes;
        if (bytes_ > booked_) {
            booked_ = bytes_ + kStep;
            if (memory_ && !memory_(booked_)) {
                throw NoRoom{count_, booked_};
            }
        }
    }

private:
    const std::function<bool(std::size_t bytes)>& memory_;
    std::size_t count_ = 0;
    std::size_t bytes_ = 0;
    std::size_t booked_ = 0;
};

double today_of(const storage::Store& store) { return std::floor(static_cast<double>(store.now()) / storage::kMicrosecondsPerDay); }

// For the audit: "focus: may.csv, june.csv".
std::string source_of(std::string_view format, const std::vector<ImportFile>& files) {
    constexpr std::size_t kMaxBytes = 200;
    std::string source(format);
    for (const ImportFile& file : files) {
        if (!file.name.empty()) {
            source += fmt::format("{}{}", source.size() == format.size() ? ": " : ", ", file.name);
        }
    }
    return shortened(source, kMaxBytes);
}

// Of the whole: they have no row.
void add_all(imports::Complaints& complaints, std::vector<std::string>& reasons) {
    for (std::string& reason : reasons) {
        complaints.add(0, std::move(reason));
    }
}

void warn_of_bill(const storage::BillOutcome& bill, imports::Report& report) {
    if (bill.changed > 0) {
        report.warnings.add(
            0, fmt::format("{} of the bill's lines replace stored ones with other amounts, resources or tags; give whole "
                           "days of an account in one call",
                           bill.changed));
    }
    if (bill.beside > 0) {
        report.warnings.add(
            0, fmt::format("{} of the bill's lines stand beside stored ones of the same day and thing, of which only one names the "
                           "account, or a part of it: if they are the same charges, they now count twice",
                           bill.beside));
    }
}

// Of files whose names say another date.
Failure wrong_dates(const ImportRequest& request, const std::vector<ImportFile>& files) {
    for (const ImportFile& file : files) {
        if (std::string wrong = request.force ? "" : wrong_with_date(*request.format, request.options.date, file.name);
            !wrong.empty()) {
            return {{"/date", model::Code::inconsistent, std::move(wrong)}};
        }
    }
    return {};
}

// Of what is left: what is held back is in no least price and reaches nothing.
void look_again(const DocumentMerge& merge, LeastPrices& least, UnreachedOffers& unreached) {
    least = LeastPrices();
    unreached = UnreachedOffers();
    merge.for_each([&](const storage::Record& record) {
        if (record.key.kind == storage::Kind::offer) {
            const auto document = documents::document_of(record);
            least.add(std::get<model::Offer>(document));
            unreached.add(std::get<model::Offer>(document));
        }
    });
}

// The least prices, for stored offers without a region.
void add_least(const storage::Store& store, const ImportRequest& request, const LeastPrices& least, DocumentMerge& merge,
               ImportSummary& summary, UnreachedOffers& unreached) {
    std::vector<model::Offer> further = request.with_least_prices ? least.of_stored(store) : std::vector<model::Offer>();
    if (request.holds_back) {
        further = plausible_offers(store, std::move(further), summary.held);
    }
    for (model::Offer& offer : further) {
        unreached.add(offer);
        static_cast<void>(add_document(merge, std::move(offer), summary.report.rejected));
    }
}

// Those that aliases give; what two of them name differently is none.
imports::AddedNames names_of(const storage::Store& store, imports::Complaints& warnings) {
    imports::AddedNames names = stored_names(store);
    for (const std::string& name : names.ambiguous()) {
        warnings.add(0, fmt::format("two aliases name {} and say different things of it: neither is used", name));
    }
    return names;
}

template <class Held> std::vector<Held> first_of(std::vector<Held> held) {
    constexpr std::size_t kMaxHeld = 100;
    held.resize(std::min(held.size(), kMaxHeld));
    return held;
}

// What the merge refused and warned of, and offers that were not reached.
void tell_of_merge(ImportSummary& summary, std::vector<std::string>& unreached) {
    add_all(summary.report.rejected, summary.merged.refused);
    add_all(summary.report.warnings, summary.merged.warnings);
    add_all(summary.report.warnings, unreached);
    warn_of_bill(summary.bill, summary.report);
}

} // namespace

bool add_document(DocumentMerge& merge, imports::Document&& document, imports::Complaints& rejected) {
    std::string reason =
        std::visit([&](auto& alternative) { return merge.add(model::AnyDocument(std::move(alternative))); }, document);
    const bool is_taken = reason.empty();
    if (!is_taken) {
        rejected.add(0, std::move(reason));
    }
    return is_taken;
}

namespace {

// What files bring, before it is stored.
struct Gathered {
    DocumentMerge merge;
    LeastPrices least;
    UnreachedOffers unreached;
    std::vector<BillLine> bill;
};

// An endpoint that a file has no price of, its latencies alone, is the stored one with these. Why it can't be; "" where it is.
std::string complete_endpoint(storage::Store& store, model::Endpoint& endpoint) {
    if (endpoint.price_per_million_units) {
        return "";
    }
    documents::Source source(store, std::nullopt);
    const documents::Found* const stored = source.find({storage::Kind::endpoint, endpoint.id});
    if (stored == nullptr) {
        return fmt::format("no endpoint {} is stored, and the file has no price of it: store it first, or say which with id",
                           imports::clipped(endpoint.id));
    }
    model::Endpoint known = std::get<model::Endpoint>(stored->document);
    known.ttft_s = endpoint.ttft_s;
    known.itl_s = endpoint.itl_s;
    known.e2e_s.reset(); // of another percentile
    known.latency_percentile = endpoint.latency_percentile;
    known.max_units_per_s = endpoint.max_units_per_s ? endpoint.max_units_per_s : known.max_units_per_s;
    endpoint = std::move(known);
    return "";
}

Failure gather(storage::Store& store, const ImportRequest& request, std::vector<ImportFile>& files, Gathered& gathered,
               ImportSummary& summary) {
    Booked booked(request.memory);
    summary.report.on_document = [&](imports::Document&& document) {
        const auto* const offer = std::get_if<model::Offer>(&document);
        const std::size_t bytes = offer != nullptr ? kMemoryOfOffer : kMemoryOfDocument;
        if (offer != nullptr) {
            gathered.least.add(*offer);
            gathered.unreached.add(*offer);
        }
        auto* const endpoint = std::get_if<model::Endpoint>(&document);
        if (std::string reason = endpoint == nullptr ? "" : complete_endpoint(store, *endpoint); !reason.empty()) {
            summary.report.rejected.add(0, std::move(reason));
            ++summary.refused;
            return;
        }
        const std::size_t before = gathered.merge.size();
        summary.refused += add_document(gathered.merge, std::move(document), summary.report.rejected) ? 0U : 1U;
        if (gathered.merge.size() > before) {
            booked.add(bytes);
        }
    };
    summary.report.on_bill_line = [&](const BillLine& line) {
        gathered.bill.push_back(line);
        booked.add(kMemoryOfBillLine);
    };
    summary.report.on_sample = [&](const imports::Sample& /*sample*/) { ++summary.samples; };
    const imports::AddedNames names = names_of(store, summary.report.warnings);
    CopiesOfBills copies(gathered.bill, summary.report.warnings);
    const auto today = request.options.today || request.force ? request.options.today : std::optional(today_of(store));
    try {
        return read_all(request, names, files, summary.report, today, [&](const std::string& name) { copies.end_file(name); });
    } catch (const Booked::NoRoom& no_room) {
        return {
            {"", model::Code::too_large,
             fmt::format("its first {} documents and lines take {} MiB to store, more than the service has to spare now; give a "
                         "part at a time, or use costcurve import on its machine",
                         no_room.count, no_room.bytes >> 20U)}};
    }
}

} // namespace

model::Result<ImportSummary> import_files(storage::Store& store, const storage::Author& author, const ImportRequest& request,
                                          std::vector<ImportFile> files) {
    ImportSummary summary;
    summary.recognized = request.recognized;
    summary.format = request.format->name;
    if (Failure wrong = wrong_dates(request, files); !wrong.empty()) {
        return tl::unexpected(std::move(wrong));
    }
    summary.dry_run = request.merge.dry_run;
    MergeOptions options = request.merge;
    options.source = source_of(summary.format, files);
    Gathered gathered;
    if (Failure failure = gather(store, request, files, gathered, summary); !failure.empty()) {
        return tl::unexpected(std::move(failure));
    }
    auto& [merge, least, unreached, bill] = gathered;
    summary.documents = merge.size();
    summary.bill_lines = bill.size();
    if (std::string why = request.refuse ? request.refuse(summary) : ""; !why.empty()) {
        return tl::unexpected(Failure{{"", model::Code::not_allowed, std::move(why)}});
    }
    if (request.holds_back) {
        summary.held = hold_back(store, merge);
        add_all(summary.report.warnings, summary.held.judgement.warnings);
    }
    if (!summary.held.judgement.problem.empty()) {
        summary.held.documents += encode_held(bill); // they land with the documents
        return summary;
    }
    if (Failure why = request.leave_out ? request.leave_out(merge) : Failure(); !why.empty()) {
        return tl::unexpected(std::move(why));
    }
    if (merge.size() < summary.documents) {
        look_again(merge, least, unreached);
    }
    add_least(store, request, least, merge, summary, unreached);
    std::vector<std::string> not_reached = unreached.warnings(store); // before the store has them
    if (!bill.empty()) { // a write of its own: where the next fails, the same import again brings the rest
        summary.bill = store.save_bill(author, bill, options.dry_run, options.source);
    }
    if (request.end_feed) {
        options.end_feed = [&](const MergeSummary& merged) {
            summary.merged = merged;
            return request.end_feed(summary);
        };
    }
    summary.merged = merge.commit(store, author, options);
    tell_of_merge(summary, not_reached);
    return summary;
}

ImportAnswer answer_of(const ImportSummary& summary) {
    const MergeSummary& merged = summary.merged;
    ImportAnswer answer{summary.recognized,
                        summary.format,
                        summary.report.format_version,
                        summary.dry_run,
                        summary.run == 0 ? std::nullopt : std::optional(summary.run),
                        summary.held.judgement.problem,
                        summary.held.count,
                        first_of(summary.held.judgement.held),
                        first_of(summary.held.judgement.documents),
                        summary.report.rows,
                        summary.report.skipped,
                        {merged.added, merged.changed, merged.unchanged},
                        summary.bill_lines,
                        summary.bill,
                        summary.samples,
                        summary.report.rejected,
                        summary.report.warnings,
                        merged.price_moves.by_device(0.0),
                        {}};
    answer.changes.reserve(merged.changes.size());
    for (const DocumentChange& change : merged.changes) {
        answer.changes.push_back(
            {change.key.kind, change.key.id, change.added ? ChangeWord::added : ChangeWord::changed, change.fields});
    }
    return answer;
}

std::string encode_import(const ImportSummary& summary) { return answers::encode_answer(answer_of(summary)); }

} // namespace costcurve::ingest
