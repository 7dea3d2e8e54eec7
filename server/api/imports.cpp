// POST /v1/imports: a published file as it is, or several as multipart/form-data; with progress as server-sent events where the
// client asks for them.
#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "server/api/handlers.hpp"
#include "server/api/import_files.hpp"
#include "server/api/json_text.hpp"
#include "server/api/multipart.hpp"
#include "server/api/problem.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"

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

Attempt<ImportRequest> read_import(const Call& call) {
    constexpr double kUsualChanges = 100;
    ImportRequest request;
    model::Failure issues;
    const std::string_view name = parameter(call, "format");
    request.format = imports::find_format(name);
    if (request.format == nullptr) {
        issues.push_back(
            {"/format", name.empty() ? Code::missing : Code::unknown_value,
             fmt::format("format is {}; give one of: {}", name.empty() ? "missing" : shortened(name, 60), known_formats())});
    }
    for (const imports::OptionRow& row : imports::import_options()) {
        request.options.*row.member = parameter(call, row.name);
    }
    if (request.format != nullptr) {
        issues = imports::check_options(*request.format, request.options);
    }
    request.landing.dry_run = parameter(call, "dry_run") == "true";
    request.landing.most_changes = static_cast<std::size_t>(number_parameter(call, "changes").value_or(kUsualChanges));
    if (!issues.empty()) {
        return tl::unexpected(Refusal{kUnprocessable, "", std::move(issues)});
    }
    return request;
}

// The files of a body, which outlives them.
Attempt<std::vector<ImportFile>> read_files(std::string_view content_type, std::string_view body) {
    if (body.empty()) {
        return tl::unexpected(Refusal{400, "the body is empty; send the file as it was published"});
    }
    std::vector<Part> parts{{"", body}};
    if (const auto boundary = boundary_of(content_type)) {
        auto read = read_parts(body, *boundary);
        if (!read) {
            return tl::unexpected(Refusal{400, read.error()});
        }
        parts = std::move(*read);
    }
    std::vector<ImportFile> files;
    files.reserve(parts.size());
    for (const Part& part : parts) {
        files.push_back({part.name, [text = part.content]() mutable { return std::exchange(text, std::string_view()); }});
    }
    return files;
}

Attempt<std::string> run(Service& service, std::string_view content_type, std::string_view body, const ImportRequest& request,
                         const storage::Author& author) {
    Attempt<std::vector<ImportFile>> files = read_files(content_type, body);
    if (!files) {
        return tl::unexpected(std::move(files.error()));
    }
    auto summary = import_files(service.store, author, request, std::move(*files));
    if (!summary) {
        return tl::unexpected(Refusal{kUnprocessable, "", std::move(summary.error())});
    }
    return encode_import(*summary);
}

// Thrown out of the store's write, which it rolls back.
struct ClientIsGone {};

// An import on a thread of its own, and what it has to tell. Ends the import when it goes: the client has left.
class Stream {
public:
    Stream(Service& service, const Call& call, ImportRequest request)
        : service_(service), type_(http::header(call.request, "content-type")), body_(call.request.body),
          request_(std::move(request)), author_{call.author, call.request.request_id} {
        request_.landing.progress = [this](std::size_t done, std::size_t total) { on_progress(done, total); };
        thread_ = std::thread([this] { work(); });
    }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream() {
        {
            const std::lock_guard lock(mutex_);
            gone_ = true;
        }
        thread_.join();
    }

    // Appends the next event, after at most a quarter of a second; says whether more follow.
    bool next(std::string& out) {
        constexpr std::chrono::milliseconds kEvery{250};
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, kEvery, [this] { return ended_; });
        if (ended_) {
            out += fmt::format("event: {}\ndata: {}\n\n", failed_ ? "problem" : "result", answer_);
            return false;
        }
        out += fmt::format("event: progress\ndata: {{\"stage\":\"{}\",\"done\":{},\"total\":{}}}\n\n",
                           total_ == 0 ? "read" : "store", done_, total_);
        return true;
    }

private:
    void on_progress(std::size_t done, std::size_t total) {
        const std::lock_guard lock(mutex_);
        if (gone_) {
            throw ClientIsGone{};
        }
        done_ = done;
        total_ = total;
    }
    void work() {
        std::string text;
        bool failed = true;
        try {
            const Attempt<std::string> attempt = run(service_, type_, body_, request_, author_);
            failed = !attempt;
            text = attempt ? *attempt : problem(attempt.error(), author_.request_id).body;
        } catch (const storage::StoreError& error) {
            text = problem(refusal_of(service_, error, author_.request_id), author_.request_id).body;
        } catch (const ClientIsGone&) { // nobody is told
        } catch (...) { text = problem({500, ""}, author_.request_id).body; }
        const std::lock_guard lock(mutex_);
        answer_ = std::move(text);
        failed_ = failed;
        ended_ = true;
        changed_.notify_all();
    }

    Service& service_;
    std::string type_;
    std::string body_;
    ImportRequest request_;
    storage::Author author_;
    std::thread thread_;
    std::mutex mutex_; ///< guards what follows
    std::condition_variable changed_;
    std::size_t done_ = 0;
    std::size_t total_ = 0;
    std::string answer_;
    bool failed_ = false;
    bool ended_ = false;
    bool gone_ = false;
};

} // namespace

Attempt<http::Response> post_imports(Service& service, const Call& call) {
    Attempt<ImportRequest> request = read_import(call);
    if (!request) {
        return tl::unexpected(std::move(request.error()));
    }
    if (http::header(call.request, "accept").find("text/event-stream") != std::string_view::npos) {
        // Shared, because a std::function must be able to be copied; it never is.
        const auto stream = std::make_shared<Stream>(service, call, std::move(*request));
        http::Response response;
        response.content_type = "text/event-stream";
        response.stream = [stream](std::string& out) { return stream->next(out); };
        return response;
    }
    return run(service, http::header(call.request, "content-type"), call.request.body, *request,
               {call.author, call.request.request_id})
        .map([](std::string&& text) { return json_answer(std::move(text)); });
}

} // namespace costcurve::api
