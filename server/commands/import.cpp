// `costcurve import FORMAT FILE…`: files are read in blocks, with a bar on a terminal; a summary says what happened.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "server/commands/bar.hpp"
#include "server/commands/commands.hpp"
#include "server/commands/input.hpp"
#include "server/commands/open_upgraded.hpp"
#include "server/commands/text_table.hpp"
#include "server/ingest/import_run.hpp"
#include "server/ingest/stored_names.hpp"

namespace costcurve::commands {

namespace {

constexpr std::size_t kShown = 10; // of what is held

// How much of the files is read, how many documents are stored.
class Progress {
public:
    explicit Progress(std::uintmax_t bytes) : bytes_(bytes) {}
    void read(std::size_t bytes) {
        read_ += bytes;
        bar_.show("reading", read_, bytes_);
    }
    void stored(std::size_t done, std::size_t total) { bar_.show("storing", done, total); }

private:
    Bar bar_;
    std::uintmax_t bytes_;
    std::uintmax_t read_ = 0;
};

// A file in blocks.
imports::Bytes::Next blocks_of(const std::string& path, Progress& bar) {
    struct Reader {
        std::ifstream file;
        std::istream* stream = nullptr;
        std::array<char, 1U << 18U> block{};
    };
    const auto reader = std::make_shared<Reader>(); // shared, because a std::function must be able to be copied; it never is
    if (path != "-") {
        reader->file.open(path, std::ios::binary);
    }
    reader->stream = path == "-" ? &std::cin : &reader->file;
    return [reader, &bar]() -> std::string_view {
        reader->stream->read(reader->block.data(), static_cast<std::streamsize>(reader->block.size()));
        const auto size = static_cast<std::size_t>(reader->stream->gcount());
        bar.read(size);
        return {reader->block.data(), size};
    };
}

void print_changes(const ingest::ImportSummary& summary) {
    for (const ingest::DocumentChange& change : summary.merged.changes) {
        fmt::print("{} {} {}\n", change.added ? "add   " : "change", storage::name_of(change.key.kind), change.key.id);
        for (const ingest::FieldChange& field : change.fields) {
            fmt::print("         {}{}: {} -> {}\n", field.pointer, field.date.empty() ? "" : " " + field.date,
                       field.old_value.empty() ? "none" : one_line(field.old_value), one_line(field.new_value));
        }
    }
}

void print_held(const ingest::ImportSummary& summary) {
    const ingest::PriceJudgement& judgement = summary.held.judgement;
    std::vector<std::string> lines;
    for (const ingest::HeldOffer& offer : judgement.held) {
        lines.push_back(fmt::format("held, {}: {}", offer.offer, offer.reason));
    }
    for (const ingest::HeldDocument& document : judgement.documents) {
        lines.push_back(fmt::format("held, {}: {}", document.id, document.reason));
    }
    for (std::size_t i = 0; i < std::min(kShown, lines.size()); ++i) {
        fmt::print(stderr, "{}\n", one_line(lines[i]));
    }
    if (lines.size() > kShown) {
        fmt::print(stderr, "held: {} more\n", lines.size() - kShown);
    }
    if (!judgement.problem.empty()) {
        fmt::print(stderr, "held, and nothing is stored: {}\n", one_line(judgement.problem));
    }
    if (summary.held.count > 0 && summary.run != 0) {
        fmt::print(stderr, "costcurve import accept {} lands what is held, import reject {} drops it\n", summary.run, summary.run);
    }
}

int status_of(const ingest::ImportSummary& summary) {
    const ingest::MergeSummary& merged = summary.merged;
    const bool used =
        summary.held.count + merged.added + merged.changed + merged.unchanged + summary.bill_lines + summary.samples > 0;
    const bool is_held = !summary.held.judgement.problem.empty();
    return !is_held && (used || summary.report.rejected.count == 0) ? kDone : kWrongInput;
}

// Of a format that has several: "FOCUS 1.3: ".
std::string version_of(const imports::Report& report) {
    return report.format_version.empty() ? "" : fmt::format("FOCUS {}: ", report.format_version);
}

} // namespace

int import_published(const imports::Format& format, const ImportOptions& options) {
    std::error_code unknown;
    std::uintmax_t bytes = 0;
    for (const std::string& path : options.files) {
        const std::filesystem::file_status status = std::filesystem::status(path, unknown);
        if (path != "-" && (!std::filesystem::exists(status) || std::filesystem::is_directory(status))) {
            fmt::print(stderr, "{}: can't be read; is the path right?\n", path);
            return kWorldFailed;
        }
        const bool has_size = path != "-" && std::filesystem::is_regular_file(status); // a pipe has none
        bytes += has_size ? std::filesystem::file_size(path, unknown) : 0;
    }
    const auto opened = open_upgraded({.path = options.database.path});
    storage::Store& store = *opened;
    const imports::AddedNames names = ingest::stored_names(store);
    imports::Options checked = options.options;
    checked.names = &names;
    if (const model::Failure issues = imports::check_options(format, checked); !issues.empty()) {
        print_issues(std::string(format.name), issues);
        return kWrongInput;
    }
    Progress bar(bytes);
    std::vector<ingest::ImportFile> files;
    files.reserve(options.files.size());
    for (const std::string& path : options.files) {
        files.push_back({path == "-" ? "" : std::filesystem::path(path).filename().string(), blocks_of(path, bar)});
    }
    ingest::ImportRequest request{&format, options.options, {}};
    request.merge.dry_run = options.dry_run;
    request.merge.keeps_stored = options.keep_stored;
    request.force = options.force;
    request.merge.progress = [&](std::size_t done, std::size_t total) { bar.stored(done, total); };
    auto summary = ingest::import_as_run(store, {"cli", ""}, request, std::move(files));
    if (!summary) {
        print_issues(options.files.size() == 1 ? options.files.front() : std::string(format.name), summary.error());
        return kWrongInput;
    }
    print_complaints("rejected", summary->report.rejected);
    print_complaints("warning", summary->report.warnings);
    const ingest::MergeSummary& merged = summary->merged;
    print_held(*summary);
    if (options.json) {
        fmt::print("{}\n", ingest::encode_import(*summary));
    } else {
        if (options.dry_run) {
            print_changes(*summary);
        }
        fmt::print("{}{} rows: {} documents {}added, {} changed, {} unchanged; {} rows rejected, {} skipped, {} warnings{}\n",
                   version_of(summary->report), summary->report.rows, merged.added, options.dry_run ? "would be " : "",
                   merged.changed, merged.unchanged, summary->report.rejected.rows, summary->report.skipped,
                   summary->report.warnings.count, summary->run == 0 ? "" : fmt::format("; run {}", summary->run));
    }
    return status_of(*summary);
}

} // namespace costcurve::commands
