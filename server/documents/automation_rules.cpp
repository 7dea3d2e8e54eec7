// Rules of schedules, feeds and webhooks that need cron or URLs.
#include "server/documents/automation_rules.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "model/documents/field_check.hpp"
#include "model/documents/pointer.hpp"
#include "model/documents/renamed_fields.hpp"
#include "server/documents/cron.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/documents/webhook_url.hpp"

namespace costcurve::documents {

namespace {

void check_timing(const Timing& timing, model::Rules& rules) {
    const model::Result<Cron> cron = parse_cron(timing.cron);
    if (!cron) {
        rules.issues.add_all(cron.error());
    }
    rules.check_zone("/time_zone", timing.time_zone);
}

void check_url(const char* pointer, const std::string& url, model::Rules& rules) {
    if (std::string wrong = wrong_with_url(url); !wrong.empty()) {
        rules.add(pointer, model::Code::bad_format, std::move(wrong));
    }
}

// Whether a path is relative and stays below its start.
bool stays_below(const std::string& directory) {
    const std::filesystem::path path(directory);
    return path.is_relative() && std::none_of(path.begin(), path.end(), [](const auto& part) { return part == ".."; });
}

void check_source(const model::FeedSource& from, model::Rules& rules) {
    using model::Code;
    const auto given = [](const std::string& text) { return text.empty() ? 0 : 1; };
    if (given(from.url) + given(from.directory) + given(from.prometheus) != 1) {
        rules.add("/from", Code::inconsistent, "from has to name one of url, directory and prometheus");
        return;
    }
    if (!from.url.empty()) {
        check_url("/from/url", from.url, rules);
    }
    if (!from.prometheus.empty()) {
        check_url("/from/prometheus", from.prometheus, rules);
    }
    if (!from.directory.empty() && !stays_below(from.directory)) {
        rules.add("/from/directory", Code::not_allowed, "directory is not a path below the feeds' directory: relative, without ..");
    }
    if (from.pattern.empty() == !from.directory.empty() || from.pattern.find('/') != std::string::npos) {
        rules.add("/from/pattern", Code::inconsistent, "pattern goes with directory: names of files such as gcp_*.csv, without /");
    }
    if (from.queries.empty() == !from.prometheus.empty()) {
        rules.add("/from/queries", Code::inconsistent, "queries go with prometheus: at least one, in PromQL");
    }
}

void check_each_once(const std::vector<std::string>& ids, model::Rules& rules) {
    for (auto id = ids.begin(); id != ids.end(); ++id) {
        if (std::find(ids.begin(), id, *id) != id) {
            rules.add(fmt::format("/scenarios/{}", id - ids.begin()), model::Code::inconsistent, *id + " comes twice");
        }
    }
}

// Checks that a text is a JSON Pointer to a member, as requests take them.
bool check_pointer(const std::string& at, const std::string& pointer, model::Rules& rules) {
    const auto names = model::split_pointer(pointer);
    const bool is_good = names && !names->empty() && pointer.size() <= model::kMaxNameBytes;
    if (!is_good) {
        rules.add(at, model::Code::bad_format,
                  fmt::format("give a JSON Pointer of up to {} bytes, such as /pools/0/server/price", model::kMaxNameBytes));
    } else if (const std::string renamed = model::renamed_in_pointer(pointer); !renamed.empty()) {
        rules.add(at, model::Code::unknown_reference, renamed);
    }
    return is_good;
}

bool has_wildcard(const std::string& pointer) {
    const auto names = model::split_pointer(pointer);
    return names && std::find(names->begin(), names->end(), "*") != names->end();
}

void check_range(const std::string& at, const model::DecisionRange& range, model::Rules& rules) {
    check_pointer(at + "/pointer", range.pointer, rules);
    if (range.low >= range.high) {
        rules.add(at + "/high", model::Code::inconsistent, fmt::format("high is {}, not above low, {}", range.high, range.low));
    }
    if (has_wildcard(range.pointer) && range.low < 0.0) {
        rules.add(at + "/low", model::Code::out_of_range,
                  fmt::format("low is {}; where the pointer has *, it is a factor of 0 or more", range.low));
    }
}

void check_branch(const std::string& at, const model::DecisionBranch& branch, model::Rules& rules) {
    for (const auto& [pointer, value] : branch.set) {
        const std::string place = join_pointer(at + "/set", pointer);
        if (check_pointer(place, pointer, rules) && has_wildcard(pointer)) {
            rules.add(place, model::Code::not_allowed, "a set names one place; * is for scale");
        }
    }
    for (const auto& [pointer, factor] : branch.scale) {
        check_pointer(join_pointer(at + "/scale", pointer), pointer, rules);
    }
}

// Whether a text is a header name (RFC 9110, section 5.6.2) that isn't reserved for the connection.
bool is_header_name(const std::string& name) {
    constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
    const bool is_token = !name.empty() && std::all_of(name.begin(), name.end(), [&](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               kMarks.find(c) != std::string_view::npos;
    });
    constexpr auto kOwn = std::to_array<std::string_view>({"host", "content-length", "transfer-encoding", "connection"});
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    return is_token && std::find(kOwn.begin(), kOwn.end(), lower) == kOwn.end();
}

// Checks the watched pools of a schedule.
void check_watch(const std::string& at, const model::DriftWatch& watch, model::Rules& rules) {
    if (!watch.telemetry && !watch.bill) {
        rules.add(at + "/telemetry", model::Code::missing, "give telemetry or bill: there is nothing to watch");
    } else if (watch.telemetry && watch.telemetry->device.empty() && watch.telemetry->sources.empty()) {
        rules.add(at + "/telemetry/device", model::Code::missing, "give the id of a device, or sources: a list of their names");
    }
}

} // namespace

void check_alone(const model::Schedule& schedule, model::Rules& rules) {
    check_timing(timing_of(schedule), rules);
    for (std::size_t i = 0; i < schedule.drift.size(); ++i) {
        check_watch(fmt::format("/drift/{}", i), schedule.drift[i], rules);
    }
}

void check_alone(const model::Feed& feed, model::Rules& rules) {
    check_source(feed.from, rules);
    if (feed.cron.empty()) {
        rules.check_zone("/time_zone", feed.time_zone);
    } else {
        check_timing(timing_of(feed), rules);
    }
    if (feed.format.empty() == feed.from.prometheus.empty()) {
        rules.add("/format", feed.format.empty() ? model::Code::missing : model::Code::not_allowed,
                  feed.format.empty() ? "format is missing: how the file is read" : "format is of files; Prometheus has its own");
    }
    if (feed.header) {
        if (!is_header_name(feed.header->name)) {
            rules.add("/header/name", model::Code::bad_format, "name is no header that can be sent, such as Authorization");
        }
        const std::string& secret = feed.header->secret.text;
        if (std::any_of(secret.begin(), secret.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; })) {
            rules.add("/header/secret", model::Code::bad_format, "secret has a control character, which no header may have");
        }
    }
}

void check_alone(const model::Webhook& webhook, model::Rules& rules) { check_url("/url", webhook.url, rules); }

void check_alone(const model::Comparison& comparison, model::Rules& rules) { check_each_once(comparison.scenarios, rules); }

void check_alone(const model::DecisionDocument& decision, model::Rules& rules) {
    const std::vector<std::string>& ids = decision.scenarios;
    const auto is_listed = [&](const std::string& id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); };
    check_each_once(ids, rules);
    if (!decision.baseline.empty() && !is_listed(decision.baseline)) {
        rules.add("/baseline", model::Code::unknown_reference, decision.baseline + " is not one of the scenarios");
    }
    for (const auto& [id, colour] : decision.colours) {
        if (!is_listed(id)) {
            rules.add(join_pointer("/colours", id), model::Code::unknown_reference, "this is not one of the scenarios");
        }
    }
    const std::vector<model::DecisionRange>& ranges = decision.ranges;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        const std::string at = fmt::format("/ranges/{}", i);
        check_range(at, ranges[i], rules);
        const auto same = [&](const model::DecisionRange& other) { return other.pointer == ranges[i].pointer; };
        if (std::any_of(ranges.begin(), ranges.begin() + static_cast<std::ptrdiff_t>(i), same)) {
            rules.add(at + "/pointer", model::Code::inconsistent, ranges[i].pointer + " comes twice");
        }
    }
    const std::vector<model::DecisionBranch>& branches = decision.branches;
    for (std::size_t i = 0; i < branches.size(); ++i) {
        const std::string at = fmt::format("/branches/{}", i);
        check_branch(at, branches[i], rules);
        const auto same = [&](const model::DecisionBranch& other) { return other.name == branches[i].name; };
        if (std::any_of(branches.begin(), branches.begin() + static_cast<std::ptrdiff_t>(i), same)) {
            rules.add(at + "/name", model::Code::inconsistent, branches[i].name + " comes twice");
        }
    }
}

std::vector<std::string> next_runs(const Timing& timing, std::int64_t after, std::size_t count) {
    std::vector<std::string> runs;
    if (!timing.enabled) {
        return runs;
    }
    std::optional<std::int64_t> tick = after;
    const Cron cron = parse_cron(timing.cron).value();
    while (runs.size() < count && (tick = next_tick(cron, timing.time_zone, *tick))) {
        runs.push_back(local_time(timing.time_zone, *tick));
    }
    return runs;
}

} // namespace costcurve::documents
