// One reading a file, one landing for all of them.
#include "server/api/import_files.hpp"

#include <cmath>

#include <fmt/format.h>

#include "server/api/json_text.hpp"

namespace costcurve::api {

namespace {

using model::Failure;

std::string named(const std::string& file, std::string_view message) {
    return file.empty() ? std::string(message) : fmt::format("{}: {}", file, message);
}

// Reads the files into the landing; what stopped it.
Failure read_all(const ImportRequest& request, std::vector<ImportFile>& files, imports::Report& report) {
    imports::Options options = request.options;
    std::vector<imports::NamedText> set;
    for (ImportFile& file : files) {
        imports::Bytes bytes(std::move(file.next));
        options.name = file.name;
        imports::HardError error;
        if (request.format->read_set == nullptr) {
            error = imports::read_file(*request.format, bytes, options, report);
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

storage::BillLine bill_line_of(const imports::BillLine& line) {
    storage::BillLine made;
    made.day = std::llround(line.day);
    made.provider = line.provider;
    made.account = line.account;
    made.region = line.region;
    made.sku = line.sku;
    made.purchase = line.purchase;
    made.device = line.device;
    made.currency = line.currency;
    made.hours = line.hours;
    made.device_hours = line.device_hours;
    made.billed_cost = line.billed_cost;
    made.effective_cost = line.effective_cost;
    made.list_cost = line.list_cost;
    return made;
}

void write_change(JsonWriter& out, const DocumentChange& change) {
    out.begin_object().member("kind", storage::name_of(change.key.kind)).member("id", change.key.id);
    out.member("what", change.added ? "added" : "changed").key("fields").begin_array();
    const auto json = [&](std::string_view name, const std::string& text) { out.key(name).raw(text.empty() ? "null" : text); };
    for (const FieldChange& field : change.fields) {
        out.begin_object().member("pointer", field.pointer);
        if (!field.date.empty()) {
            out.member("date", field.date);
        }
        json("old", field.old_value);
        json("new", field.new_value);
        out.end_object();
    }
    out.end_array().end_object();
}

} // namespace

void write_complaints(JsonWriter& out, std::string_view name, const imports::Complaints& complaints) {
    out.key(name).begin_object().member("count", static_cast<double>(complaints.count)).key("first").begin_array();
    for (const imports::Complaint& complaint : complaints.first) {
        out.begin_object();
        if (complaint.row > 0) {
            out.member("row", static_cast<double>(complaint.row));
        }
        out.member("reason", complaint.reason).end_object();
    }
    out.end_array().end_object();
}

model::Result<ImportSummary> import_files(storage::Store& store, const storage::Author& author, const ImportRequest& request,
                                          std::vector<ImportFile> files) {
    ImportSummary summary;
    summary.format = request.format->name;
    summary.dry_run = request.landing.dry_run;
    Landing landing;
    summary.report.on_document = [&](imports::Document&& document) { landing.add(std::move(document), summary.report); };
    std::vector<storage::BillLine> bill;
    summary.report.on_bill_line = [&](const imports::BillLine& line) { bill.push_back(bill_line_of(line)); };
    summary.report.on_sample = [&](const imports::Sample& /*sample*/) { ++summary.samples; };
    if (Failure failure = read_all(request, files, summary.report); !failure.empty()) {
        return tl::unexpected(std::move(failure));
    }
    summary.bill_lines = bill.size();
    summary.landed = landing.land(store, author, summary.report, request.landing);
    if (!bill.empty()) { // a write of its own: where it fails, the same import again brings the rest
        summary.bill = store.save_bill(author, bill, request.landing.dry_run);
        if (summary.bill.changed > 0) {
            summary.report.warnings.add(
                0, fmt::format("{} of the bill's lines replace stored ones with other amounts; give whole days "
                               "of an account in one call",
                               summary.bill.changed));
        }
        if (summary.bill.beside > 0) {
            summary.report.warnings.add(
                0, fmt::format(
                       "{} of the bill's lines stand beside stored ones of the same day and thing, of which only one names the "
                       "account, or a part of it: if they are the same charges, they now count twice",
                       summary.bill.beside));
        }
    }
    return summary;
}

std::string encode_import(const ImportSummary& summary) {
    const auto count = [](std::size_t number) { return static_cast<double>(number); };
    JsonWriter out;
    out.begin_object().member("format", summary.format).member("dry_run", summary.dry_run);
    out.member("rows", count(summary.report.rows)).member("skipped", count(summary.report.skipped));
    out.key("documents").begin_object().member("added", count(summary.landed.added));
    out.member("changed", count(summary.landed.changed)).member("unchanged", count(summary.landed.unchanged)).end_object();
    out.member("bill_lines", count(summary.bill_lines));
    out.key("bill").begin_object().member("added", count(summary.bill.added));
    out.member("changed", count(summary.bill.changed)).member("unchanged", count(summary.bill.unchanged)).end_object();
    out.member("samples", count(summary.samples));
    write_complaints(out, "rejected", summary.report.rejected);
    write_complaints(out, "warnings", summary.report.warnings);
    out.key("changes").begin_array();
    for (const DocumentChange& change : summary.landed.changes) {
        write_change(out, change);
    }
    out.end_array().end_object();
    return out.take();
}

} // namespace costcurve::api
