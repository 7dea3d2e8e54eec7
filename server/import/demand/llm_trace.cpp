// Reads traces of requests, one request per row, as requests per second by hour and mean tokens. CSV and JSON lines are recognized
// by content.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "server/import/demand/week_hours.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/json.hpp"
#include "server/import/text/lines.hpp"
#include "server/import/text/table.hpp"
#include "server/import/text/utf8.hpp"

namespace costcurve::imports {

namespace {

constexpr double kMaxTokens = 1e9;         // per request
constexpr double kMaxExecution = 1e7;      // s, per request
constexpr double kMinTraceSeconds = 600.0; // seconds of an hour that the window must cover for that hour to get a rate of its own
constexpr double kMillisecond = 1e-3;

// Names of a request attribute in different traces.
using MemberNames = std::initializer_list<std::string_view>;
const MemberNames kTimeNames = {"timestamp", "arrived_at", "arrival_time", "gmt_create", "created_at", "start_time", "time"};
const MemberNames kInputNames = {"ContextTokens", "input_length",   "input_tokens",
                                 "prompt_tokens", "Request tokens", "num_prefill_tokens"};
const MemberNames kOutputNames = {"GeneratedTokens",   "output_length",   "output_tokens",
                                  "completion_tokens", "Response tokens", "num_decode_tokens"};
const MemberNames kStatusNames = {"predict_status", "status"};
const MemberNames kExecutionNames = {"exec_time_seconds", "execution_seconds", "duration_seconds"};

enum class Outcome { done, failed, unknown };
Outcome outcome_of(std::string_view status) {
    constexpr auto kDone = std::to_array<std::string_view>(
        {"succeed", "succeeded", "success", "successful", "ok", "done", "completed", "finished", "200"});
    constexpr auto kFailed = std::to_array<std::string_view>({"failed", "fail", "failure", "error", "canceled", "cancelled",
                                                              "timeout", "aborted", "rejected", "400", "429", "500", "503"});
    if (status.empty()) {
        return Outcome::done;
    }
    const std::string word = lower(status);
    if (std::find(kDone.begin(), kDone.end(), word) != kDone.end()) {
        return Outcome::done;
    }
    return std::find(kFailed.begin(), kFailed.end(), word) != kFailed.end() ? Outcome::failed : Outcome::unknown;
}

// One request as read from the file.
struct Request {
    std::optional<double> time;
    std::string time_problem;
    Number input;
    Number output;
    Number execution;
    std::string_view status;
};

class Requests {
public:
    Requests(bool has_tokens, const Options& options, double unit_s, Report& report)
        : clock(options, unit_s), has_tokens_(has_tokens), options_(options), report_(report) {}

    FileClock clock;

    void add(const Request& request, std::size_t row) {
        ++report_.rows;
        const std::string problem = problem_of(request);
        if (!problem.empty()) {
            report_.rejected.add(row, problem);
            return;
        }
        if (outcome_of(request.status) == Outcome::failed) {
            ++report_.skipped;
            return;
        }
        const double time = *request.time;
        if (window_.first_row != 0 && time < previous_) {
            report_.warnings.add(row, "its time is before the row's above; counted in its hour");
        }
        previous_ = time;
        window_.add(time, row);
        const auto hour = static_cast<std::size_t>(week_hour(clock.local(time)));
        counts_[hour] += 1.0;
        count_ += 1.0;
        if (has_tokens_) {
            tokens_[hour] += request.input.value + request.output.value;
            input_ += request.input.value;
            output_ += request.output.value;
        }
        if (request.execution) {
            execution_ += request.execution.value;
            executions_ += 1.0;
        }
    }

    [[nodiscard]] HardError end() {
        if (window_.first_row == 0) {
            return hard_error(model::Code::missing, 0,
                              fmt::format("no request of its {} rows can be used{}", report_.rows, first_reason()));
        }
        if (window_.seconds() <= 0.0) {
            return hard_error(model::Code::missing, 0, "all requests are of one moment: a rate needs a window");
        }
        if (HardError error = window_.error()) {
            return error;
        }
        const WeekHours covered = covered_seconds(window_, clock);
        const HourShape requests = shape_of(counts_, covered, kMinTraceSeconds, window_.seconds(), clock.is_anchored());
        if (requests.y.size() == 1) {
            report_.warnings.add(0, fmt::format("the window is {:.2f} h: no shape over the day is known from it, the curve is flat",
                                                window_.seconds() / kSecondsPerHour));
        }
        give(requests, "requests", describe_requests(requests));
        if (has_tokens_ && requests.y.size() > 1 && input_ + output_ > 0.0) {
            const HourShape tokens = shape_of(tokens_, covered, kMinTraceSeconds, window_.seconds(), clock.is_anchored());
            give(tokens, "tokens",
                 fmt::format("{}: mean_per_s {:.6g} tokens, in and out together. {}", describe_window(), tokens.mean,
                             describe(tokens, clock)));
        }
        return std::nullopt;
    }

private:
    [[nodiscard]] std::string problem_of(const Request& request) const {
        if (!request.time) {
            return fmt::format("its time {}", request.time_problem);
        }
        if (outcome_of(request.status) == Outcome::unknown) {
            return fmt::format("status is {}; it neither succeeded nor failed by any word that is known", clipped(request.status));
        }
        if (has_tokens_) {
            for (const auto& [name, number] : {std::pair{"input", request.input}, std::pair{"output", request.output}}) {
                if (number.state == Number::State::blank) {
                    return fmt::format("{} tokens are blank", name);
                }
                if (!number || number.value < 0.0 || number.value > kMaxTokens || number.value != std::floor(number.value)) {
                    return fmt::format("{} tokens are no whole number from 0 to 1e9", name);
                }
            }
        }
        if (request.execution.state == Number::State::bad || request.execution.value < 0.0 ||
            request.execution.value > kMaxExecution) {
            return "execution seconds are no number from 0 to 1e7";
        }
        return "";
    }

    [[nodiscard]] std::string first_reason() const {
        const Complaints& rejected = report_.rejected;
        return rejected.first.empty() ? "" : fmt::format("; row {}: {}", rejected.first[0].row, rejected.first[0].reason);
    }

    [[nodiscard]] std::string describe_window() {
        return fmt::format("{:.0f} requests from {} to {} ({:.2f} h, {})", count_, clock.text(window_.first),
                           clock.text(window_.last), window_.seconds() / kSecondsPerHour, clock.describe());
    }

    [[nodiscard]] std::string describe_requests(const HourShape& shape) {
        std::string text = fmt::format("{}: mean_per_s {:.6g} requests", describe_window(), shape.mean);
        if (has_tokens_) {
            text += fmt::format(", units_per_request {{input {:.6g}, output {:.6g}}} tokens", input_ / count_, output_ / count_);
        }
        if (executions_ > 0.0) {
            text += fmt::format(", {:.6g} s of execution a request", execution_ / executions_);
        }
        return fmt::format("{}. {}", text, describe(shape, clock));
    }

    void give(const HourShape& shape, std::string_view what, std::string note) const {
        report_.add(
            curve_of(shape, model::CurveKind::demand, 1.0 / shape.mean, make_id({options_.id, what}), options_, std::move(note)));
    }

    bool has_tokens_;
    const Options& options_;
    Report& report_;
    Window window_;
    double previous_ = 0.0;
    WeekHours counts_{};
    WeekHours tokens_{};
    double count_ = 0.0;
    double input_ = 0.0;
    double output_ = 0.0;
    double execution_ = 0.0;
    double executions_ = 0.0;
};

// The first member with one of these names.
std::optional<Json> member_of(const Json& json, MemberNames names) {
    for (const std::string_view name : names) {
        if (std::optional<Json> found = member(json, name)) {
            return found;
        }
    }
    return std::nullopt;
}

Number optional_number(const std::optional<Json>& json) {
    double value = 0.0;
    std::string_view text;
    if (!json) {
        return {};
    }
    if (json->get(value) == simdjson::SUCCESS) {
        return {Number::State::good, value};
    }
    return json->get(text) == simdjson::SUCCESS ? parse_number(text) : Number{Number::State::bad, 0.0};
}

// Reads JSON lines. Member names are matched exactly; relative times are in milliseconds (Mooncake).
HardError read_json_lines(Bytes& bytes, bool has_tokens, const Options& options, Report& report) {
    Lines lines(bytes);
    Requests requests(has_tokens, options, kMillisecond, report);
    simdjson::dom::parser parser;
    while (lines.next()) {
        if (lines.text().find_first_not_of(" \t") == std::string_view::npos) {
            continue;
        }
        Json json;
        if (parser.parse(lines.text().data(), lines.text().size()).get(json) != simdjson::SUCCESS || !json.is_object()) {
            ++report.rows;
            report.rejected.add(lines.row(), "it is no JSON object");
            continue;
        }
        Request request;
        const std::optional<Json> time = member_of(json, kTimeNames);
        std::string_view text;
        const Number number = optional_number(time);
        if (time && time->get(text) == simdjson::SUCCESS) {
            request.time = requests.clock.read(text, request.time_problem);
        } else if (number) {
            request.time = requests.clock.read(number.value, request.time_problem);
        } else {
            request.time_problem = "is missing: timestamp is needed";
        }
        request.input = optional_number(member_of(json, kInputNames));
        request.output = optional_number(member_of(json, kOutputNames));
        request.execution = optional_number(member_of(json, kExecutionNames));
        const std::optional<Json> status = member_of(json, kStatusNames);
        if (status && status->get(request.status) != simdjson::SUCCESS) {
            request.status = "no text";
        }
        requests.add(request, lines.row());
    }
    return lines.error() ? lines.error() : requests.end();
}

// Reads a CSV. Relative times are in seconds (BurstGPT, Vidur).
HardError read_table(Bytes& bytes, bool has_tokens, const Options& options, Report& report) {
    Table table(bytes);
    const Column time = table.column(kTimeNames);
    const Column input = table.column(kInputNames);
    const Column output = table.column(kOutputNames);
    const Column status = table.column(kStatusNames);
    const Column execution = table.column(kExecutionNames);
    const auto need = [&](Column column, std::string_view name) { return column || table.require({name}); };
    if (!need(time, has_tokens ? "timestamp" : "gmt_create") ||
        (has_tokens && !(need(input, "ContextTokens") && need(output, "GeneratedTokens"))) ||
        (!has_tokens && !status && !need(execution, "exec_time_seconds"))) {
        return table.error();
    }
    Requests requests(has_tokens, options, 1.0, report);
    while (table.next()) {
        Request request;
        request.time = requests.clock.read(table.text(time), request.time_problem);
        request.input = table.number(input);
        request.output = table.number(output);
        request.execution = table.number(execution);
        request.status = table.text(status);
        requests.add(request, table.row());
    }
    return table.error() ? table.error() : requests.end();
}

HardError read_requests(Bytes& bytes, bool has_tokens, const Options& options, Report& report) {
    std::string begin; // up to the first character that tells
    std::size_t at = std::string::npos;
    for (std::string_view block = bytes.next(); !block.empty() && at == std::string::npos;) {
        begin += block;
        at = begin.find_first_not_of(" \t\r\n");
        if (at == std::string::npos) {
            if (begin.size() > kMaxLine) {
                return hard_error(model::Code::bad_format, 0, "the file begins with nothing but blanks");
            }
            block = bytes.next();
        }
    }
    if (bytes.error()) {
        return bytes.error();
    }
    Bytes all([&, first = true]() mutable -> std::string_view {
        return std::exchange(first, false) && !begin.empty() ? begin : bytes.next();
    });
    const bool is_json = at != std::string::npos && begin[at] == '{';
    const HardError error =
        is_json ? read_json_lines(all, has_tokens, options, report) : read_table(all, has_tokens, options, report);
    return bytes.error() ? bytes.error() : error;
}

} // namespace

HardError read_llm_trace(Bytes& bytes, const Options& options, Report& report) {
    return read_requests(bytes, true, options, report);
}
HardError read_request_log(Bytes& bytes, const Options& options, Report& report) {
    return read_requests(bytes, false, options, report);
}

} // namespace costcurve::imports
