// POST /v1/imports: imports one published file, or several as multipart/form-data, with progress as server-sent events if the
// client accepts them. Also lists the runs of imports.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "server/api/handlers/handlers.hpp"
#include "server/api/handlers/run_reviews.hpp"
#include "server/api/long_question.hpp"
#include "server/api/multipart.hpp"
#include "server/api/page_answer.hpp"
#include "server/api/problem.hpp"
#include "server/api/progress_stream.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/http/budget.hpp"
#include "server/import/text/utf8.hpp"
#include "server/ingest/import_run.hpp"
#include "server/ingest/recognized_import.hpp"
#include "server/ingest/stored_names.hpp"

namespace costcurve::api {

namespace {

using model::Code;

std::string known_formats() {
    std::string names;
    for (const imports::Format& format : imports::formats()) {
        names += (names.empty() ? "" : ", ") + std::string(format.name);
    }
    return names;
}

Attempt<ingest::ImportRequest> read_import(const Service& service, const Call& call) {
    constexpr double kUsualChanges = 100;
    ingest::ImportRequest request;
    model::Failure issues;
    const std::string_view name = parameter(call, "format");
    request.format = imports::find_format(name);
    if (request.format == nullptr && !name.empty()) { // without a format it is detected
        issues.push_back(
            {"/format", Code::unknown_value, fmt::format("format is {}; give one of: {}", shortened(name, 60), known_formats())});
    }
    for (const imports::OptionRow& row : imports::import_options()) {
        request.options.*row.member = parameter(call, row.name);
    }
    if (request.format != nullptr) {
        const imports::AddedNames names = ingest::stored_names(service.store);
        request.options.names = &names;
        issues = imports::check_options(*request.format, request.options);
        request.options.names = nullptr;
    }
    request.merge.dry_run = parameter(call, "dry_run") == "true";
    request.merge.keeps_stored = parameter(call, "keep_stored") == "true";
    request.force = parameter(call, "force") == "true";
    request.options.name = parameter(call, "name");
    request.merge.max_changes = static_cast<std::size_t>(number_parameter(call, "changes").value_or(kUsualChanges));
    if (!issues.empty()) {
        return tl::unexpected(Refusal{kUnprocessable, "", std::move(issues)});
    }
    return request;
}

// The files of a body, which must outlive them. `name` is the file's name if the body is a single file.
Attempt<std::vector<ingest::ImportFile>> read_files(std::string_view content_type, std::string_view body, const std::string& name) {
    if (body.empty()) {
        return tl::unexpected(Refusal{400, "the body is empty; send the file as it was published"});
    }
    std::vector<Part> parts{{name, body}};
    if (const auto boundary = boundary_of(content_type)) {
        auto read = read_parts(body, *boundary);
        if (!read) {
            return tl::unexpected(Refusal{400, read.error()});
        }
        parts = std::move(*read);
    }
    std::vector<ingest::ImportFile> files;
    files.reserve(parts.size());
    for (const Part& part : parts) {
        if (!imports::is_utf8(part.name) || part.name.find('\0') != std::string::npos) {
            return tl::unexpected(
                invalid("/name", Code::bad_format, "a file's name is not UTF-8 or has the character U+0000; give it another one"));
        }
        files.push_back({part.name, [text = part.content]() mutable { return std::exchange(text, std::string_view()); }});
    }
    return files;
}

// Memory for reading a file, measured (docs/operations.md): for JSON the tree beside the documents, for other formats the current
// rows; more if the file is tried with all formats.
struct MemoryOfFile {
    std::size_t tree = 0;
    std::size_t rows = 0;
};
MemoryOfFile memory_of_file(std::string_view body, bool is_recognized) {
    constexpr std::size_t kRowsMultiple = 9; // includes the file's bytes
    constexpr std::size_t kTriedMultiple = 16;
    const std::size_t first = body.find_first_not_of(" \t\r\n");
    const bool is_tree = first != std::string_view::npos && std::string_view("{[-").find(body[first]) != std::string_view::npos;
    const std::size_t multiple = is_recognized && body.size() <= imports::kMaxRecognized ? kTriedMultiple : kRowsMultiple;
    return {is_tree ? json_bytes(body) : 0, multiple * body.size()};
}

// `booked` is the memory already reserved for the request.
Attempt<std::string> run(Service& service, std::string_view content_type, std::string_view body,
                         const ingest::ImportRequest& request, const storage::Author& author, std::size_t booked) {
    Attempt<std::vector<ingest::ImportFile>> files = read_files(content_type, body, request.options.name);
    if (!files) {
        return tl::unexpected(std::move(files.error()));
    }
    ingest::ImportRequest recognized = request;
    const auto has_memory = service.memory ? service.memory() : nullptr; // released after everything is stored
    const MemoryOfFile file = memory_of_file(body, request.format == nullptr);
    bool is_short = false;
    recognized.memory = [&](std::size_t bytes) {
        const std::size_t needed = std::max(file.tree + bytes, file.rows);
        is_short = has_memory && !has_memory(needed - std::min(needed, booked));
        return !is_short;
    };
    if (!recognized.memory(0)) {
        return tl::unexpected(Refusal{503,
                                      "reading the file takes more memory than the service has to spare now; give a part at a "
                                      "time, or use costcurve import on its machine",
                                      {},
                                      no_memory().retry_after_s});
    }
    if (request.format == nullptr) {
        std::vector<imports::NamedText> texts;
        for (const ingest::ImportFile& file : *files) {
            std::optional<std::string> text = imports::Bytes(file.next).whole();
            texts.push_back({file.name, text ? std::move(*text) : ""});
        }
        const imports::AddedNames names = ingest::stored_names(service.store);
        if (model::Failure issues = ingest::recognize_import(recognized, texts, names); !issues.empty()) {
            return tl::unexpected(Refusal{kUnprocessable, "", std::move(issues)});
        }
        files = read_files(content_type, body, request.options.name); // read again from their beginnings
    }
    auto summary = ingest::import_as_run(service.store, author, recognized, std::move(*files));
    if (!summary && is_short) {
        return tl::unexpected(Refusal{503, std::move(summary.error().front().message), {}, no_memory().retry_after_s});
    }
    if (!summary) {
        return tl::unexpected(Refusal{kUnprocessable, "", std::move(summary.error())});
    }
    return ingest::encode_import(*summary);
}

std::size_t booked_of(const Call& call) { return call.request.memory == nullptr ? 0 : call.request.memory->bytes(); }

// Thrown inside the store's write to roll it back.
struct ClientIsGone {};

// The import as work of a progress stream. It owns the file; an exception ends and rolls back the store's write.
Work streamed(Service& service, const Call& call, ingest::ImportRequest request) {
    return [&service, type = std::string(http::header(call.request, "content-type")), body = call.request.body,
            author = author_of(call), booked = booked_of(call), request = std::move(request)](const Tell& tell) mutable {
        request.merge.progress = [&tell](std::size_t done, std::size_t total) {
            if (!tell(total == 0 ? "read" : "store", done, total)) {
                throw ClientIsGone{};
            }
        };
        return run(service, type, body, request, author, booked);
    };
}

} // namespace

Attempt<http::Response> post_imports(Service& service, const Call& call) {
    Attempt<ingest::ImportRequest> request = read_import(service, call);
    if (!request) {
        return tl::unexpected(std::move(request.error()));
    }
    if (wants_events(call.request)) {
        return stream_progress(service, call, streamed(service, call, std::move(*request)));
    }
    return answer_while_wanted(call, [&] {
        return run(service, http::header(call.request, "content-type"), call.request.body, *request, author_of(call),
                   booked_of(call))
            .map([](std::string&& text) { return json_answer(std::move(text)); });
    });
}

Attempt<http::Response> list_import_runs(Service& service, const Call& call) {
    const Attempt<std::int64_t> before = number_cursor(call);
    if (!before) {
        return tl::unexpected(before.error());
    }
    const std::size_t limit = page_limit(call);
    return page_answer<ingest::ImportRunAnswer>(service.store.import_runs(*before, limit + 1), limit,
                                                [](const ingest::ImportRunAnswer& run) { return run.id; });
}

Attempt<http::Response> get_import_run(Service& service, const Call& call) {
    return run_in_path(service, call, "").map([](storage::FeedRun&& run) {
        return json_answer(answers::encode_answer(ingest::ImportRunAnswer(std::move(run))));
    });
}

} // namespace costcurve::api
