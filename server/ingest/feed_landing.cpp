// Lands what a feed fetched: judgement first, then one import, whose transaction records the run's end.
#include "server/ingest/feed_landing.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "server/answers/answer.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/documents/records.hpp"
#include "server/import/recognize.hpp"
#include "server/import/text/numbers.hpp"
#include "server/ingest/stored_names.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::ingest {

namespace {

using model::EventKind;
using storage::FeedEnd;
using storage::FeedState;

constexpr std::string_view kBlanks = " \t\r\n";

std::string day_of(std::int64_t microseconds) {
    return storage::format_time(microseconds).substr(0, std::string("YYYY-MM-DD").size());
}

// The format's options, which a feed has by their names; what it does not say is made of the feed and its file, where it is heeded.
imports::Options options_of(const model::Feed& feed, const imports::Format& format, const std::string& name,
                            const std::string& day) {
    imports::Options options;
    const auto options_table = imports::import_options();
    model::for_each_field<model::Feed>([&](const auto& field) {
        if constexpr (std::is_same_v<std::decay_t<decltype(feed.*field.member)>, std::string>) {
            const auto row = std::find_if(options_table.begin(), options_table.end(),
                                          [&](const imports::OptionRow& option) { return option.name == field.name; });
            if (row != options_table.end()) {
                options.*row->member = feed.*field.member;
            }
        }
    });
    const auto of_the_feed = [&](std::string_view option, std::string& value, const std::string& otherwise) {
        value = !imports::heeds(format, option) ? "" : value.empty() ? otherwise : value;
    };
    of_the_feed("id", options.id, imports::needs(format, "id") ? feed.id : "");
    of_the_feed("source", options.source, feed.from.url);
    of_the_feed("time_zone", options.time_zone, "");
    if (imports::needs(format, "date") && options.date.empty()) {
        const std::string in_name = imports::date_in_name(name);
        options.date = in_name.empty() ? day : in_name;
    }
    options.name = name;
    return options;
}

bool is_html(std::string_view body) {
    const std::size_t from = body.find_first_not_of(kBlanks);
    constexpr std::size_t kLooked = 64;
    std::string start(from == std::string_view::npos ? "" : body.substr(from, kLooked));
    std::transform(start.begin(), start.end(), start.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    return start.starts_with("<!doctype html") || start.starts_with("<html");
}

// Why the file is not what it should be, whatever is in it; "" where it may be.
std::string wrong_with_file(const FeedInput& input) {
    const storage::FeedFile& file = input.file;
    if (input.body.find_first_not_of(kBlanks) == std::string::npos) {
        return "the file is empty";
    }
    if (is_html(input.body)) {
        return "it is a page of HTML, not a file of the format: perhaps a page of an error or a login, with status 200";
    }
    if (!input.last || input.run.even_if_odd) {
        return "";
    }
    const storage::FeedFile& last = input.last->file;
    if (file.modified_at && last.modified_at && *file.modified_at < *last.modified_at) {
        return fmt::format(
            "the file is of {}, older than the one of {} that landed; run it with --even-if-odd (even_if_odd=true) to take it",
            storage::format_time(*file.modified_at), storage::format_time(*last.modified_at));
    }
    constexpr std::size_t kShown = 300;
    if (!file.header.empty() && !last.header.empty() && file.header != last.header) {
        return fmt::format("the header of the table is another: it was \"{}\", now it is \"{}\"; run it with --even-if-odd "
                           "(even_if_odd=true) to take it",
                           shortened(last.header, kShown), shortened(file.header, kShown));
    }
    return "";
}

storage::NewEvent event_of(EventKind kind, const storage::FeedRun& run, std::string body) {
    return {std::string(model::name_of(kind)), "feed/" + run.feed, std::move(body), ""};
}

FeedEnd failed_end(const storage::Store& store, const storage::FeedRun& run, const storage::FeedFile& file,
                   const std::string& problem) {
    FeedEnd end{run.id, FeedState::failed, file, "", problem, {}, std::nullopt};
    const auto before = store.feed_runs(run.feed, run.id, 1).value_or(std::vector<storage::FeedRun>());
    const bool is_known = !before.empty() && before.front().state == FeedState::failed && before.front().problem == problem;
    if (!run.dry_run && !is_known) {
        end.events.push_back(event_of(EventKind::feed_failed, run, answers::encode_answer(FeedFailed{run.feed, run.id, problem})));
    }
    return end;
}

void hold(const storage::FeedRun& run, const HeldBack& held, const FeedSummary& summary, FeedEnd& end) {
    end.held = held.count;
    end.held_documents = held.documents;
    if (held.count > 0) {
        end.events.push_back(event_of(EventKind::feed_held, run,
                                      answers::encode_answer(FeedHeld{run.feed, run.id, held.judgement.problem, held.count,
                                                                      summary.held_offers, summary.held_documents})));
    }
}

// Held as a whole, with an event unless the run before was for the same.
FeedEnd held_end(const storage::Store& store, const FeedInput& input, const ImportSummary& imported) {
    const storage::FeedRun& run = input.run;
    const FeedSummary summary = summary_of(imported);
    FeedEnd end{run.id, FeedState::held, input.file, answers::encode_answer(summary), imported.held.judgement.problem,
                {},     std::nullopt};
    if (run.dry_run) {
        end.state = FeedState::unchanged;
        return end;
    }
    const auto before = store.feed_runs(run.feed, run.id, 1).value_or(std::vector<storage::FeedRun>());
    const bool is_known = !before.empty() && before.front().state == FeedState::held && before.front().file.hash == input.file.hash;
    hold(run, imported.held, summary, end);
    if (is_known) {
        end.events.clear();
    }
    return end;
}

FeedEnd landed(const storage::Store& store, const FeedInput& input, const ImportSummary& imported) {
    if (const std::string wrong = wrong_with_merge(imported); !wrong.empty()) {
        return failed_end(store, input.run, input.file, wrong);
    }
    const FeedSummary summary = summary_of(imported);
    FeedEnd end{input.run.id, FeedState::landed, input.file, answers::encode_answer(summary), "", {}, std::nullopt};
    end.bill_change = imported.bill.change;
    end.restated = imported.merged.restated;
    end.events.push_back(
        event_of(EventKind::feed_landed, input.run, answers::encode_answer(FeedLanded{input.run.feed, input.run.id, summary})));
    const double threshold = input.feed.price_moved_fraction;
    if (auto moved = imported.merged.price_moves.by_device(threshold); !moved.empty()) {
        end.events.push_back(
            event_of(EventKind::price_moved, input.run,
                     answers::encode_answer(FeedPriceMoved{input.run.feed, input.run.id, threshold, std::move(moved)})));
    }
    hold(input.run, imported.held, summary, end);
    if (input.feed.recalculate) {
        end.recalculation = storage::RunRequest{storage::Scope::changed, {}, "", input.model_version};
    }
    return end;
}

// Why what was read is not stored; "" where it is.
std::string wrong_with_content(const FeedInput& input, const ImportSummary& read) {
    const imports::Report& report = read.report;
    if (report.rows == 0) {
        return "it has no rows";
    }
    const std::string why = report.rejected.first.empty() ? "" : ": " + report.rejected.first.front().reason;
    if (read.documents + read.bill_lines + read.samples == 0) {
        return "not one row could be used" + why;
    }
    // A row may have several documents, and one that is rejected beside others that are taken.
    const bool most_rows =
        report.rejected.rows * 2 > report.rows - report.skipped && read.documents + read.bill_lines < report.rejected.rows * 2;
    if ((most_rows || read.refused > read.documents) && !input.run.even_if_odd) {
        return fmt::format("most of its {} rows could not be used; run it with --even-if-odd (even_if_odd=true) to take the rest{}",
                           report.rows, why);
    }
    const auto rows = static_cast<std::int64_t>(report.rows);
    if (input.last && !input.run.even_if_odd && rows * 2 <= input.last->file.rows) {
        return fmt::format("it has {} rows; the one that landed last has {}: half of them or more are gone; run it with "
                           "--even-if-odd (even_if_odd=true) to take it",
                           rows, input.last->file.rows);
    }
    return "";
}

std::string text_of(const model::Failure& issues) {
    const model::Issue& first = issues.front();
    return first.pointer.empty() ? first.message : fmt::format("{}: {}", first.pointer.substr(1), first.message);
}

// Why a file that a person has dropped does not land by itself; "" where nobody has.
std::string dropped_before(const storage::Store& store, const FeedInput& input) {
    const auto before = store.feed_run_of_file(input.run.feed, input.file.origin, input.file.hash);
    const bool is_dropped = before && (before->state == FeedState::failed || before->state == FeedState::undone);
    return is_dropped && !input.run.even_if_odd
               ? fmt::format("it is the file of run {}, which was {}; run it with --even-if-odd (even_if_odd=true) to take it",
                             before->id, before->state == FeedState::failed ? "rejected" : "undone")
               : "";
}

// Reads and merges; unless it is a dry run, its write ends the run.
model::Result<ImportSummary> import_feed(storage::Store& store, FeedInput& input) {
    const std::int64_t day = input.file.modified_at.value_or(storage::parse_time(input.run.started_at).value_or(store.now()));
    const imports::Format& format = *imports::find_format(input.feed.format);
    ImportRequest request{&format, options_of(input.feed, format, input.name, day_of(day)), {}};
    request.options.today = std::floor(static_cast<double>(store.now()) / storage::kMicrosecondsPerDay);
    request.merge.dry_run = input.run.dry_run;
    request.force = true; // a feed's date is stated for all of its files, or made of this one
    request.refuse = [&](const ImportSummary& read) {
        input.file.rows = static_cast<std::int64_t>(read.report.rows);
        return wrong_with_content(input, read);
    };
    if (input.memory) {
        request.memory = [&](std::size_t bytes) { return input.memory(kMemoryOfFile * input.body.size() + bytes); };
    }
    if (!input.run.dry_run) {
        request.end_feed = [&](const ImportSummary& imported) { return landed(store, input, imported); };
    }
    std::vector<ImportFile> files;
    files.push_back(
        {input.name, [text = std::string_view(input.body)]() mutable { return std::exchange(text, std::string_view()); }});
    return import_files(store, author_of(input.run), request, std::move(files));
}

// How a dry run ends that would land.
FeedEnd tried(const storage::Store& store, const FeedInput& input, const ImportSummary& imported) {
    if (const std::string wrong = wrong_with_merge(imported); !wrong.empty()) {
        return failed_end(store, input.run, input.file, wrong);
    }
    return {input.run.id, FeedState::unchanged, input.file, answers::encode_answer(summary_of(imported)), "", {}, std::nullopt};
}

} // namespace

FeedSummary summary_of(const ImportSummary& imported) {
    constexpr std::size_t kMaxHeld = 100;
    FeedSummary summary{imported.report.rows,
                        imported.report.skipped,
                        imported.report.rejected.count,
                        imported.report.warnings.count,
                        {imported.merged.added, imported.merged.changed, imported.merged.unchanged},
                        imported.bill_lines,
                        imported.samples,
                        imported.merged.price_moves.by_device(0.0),
                        imported.held.count,
                        imported.held.judgement.held,
                        imported.held.judgement.documents,
                        {}};
    summary.held_offers.resize(std::min(summary.held_offers.size(), kMaxHeld));
    summary.held_documents.resize(std::min(summary.held_documents.size(), kMaxHeld));
    return summary;
}

std::string wrong_with_merge(const ImportSummary& imported) {
    const MergeSummary& merged = imported.merged;
    const bool is_empty =
        merged.added + merged.changed + merged.unchanged + imported.bill_lines + imported.samples + imported.held.count == 0;
    if (!is_empty) {
        return "";
    }
    const imports::Complaints& rejected = imported.report.rejected; // where a dry run has put them
    const std::string why = !merged.refused.empty() && !merged.refused.front().empty() ? merged.refused.front()
                            : rejected.first.empty()                                   ? ""
                                                                                       : rejected.first.back().reason;
    return "not one row could be used" + (why.empty() ? "" : ": " + why);
}

std::string header_of(std::string_view body) {
    constexpr std::string_view kMark = "\xEF\xBB\xBF"; // of the byte order
    body.remove_prefix(body.starts_with(kMark) ? kMark.size() : 0);
    std::string_view line = body.substr(0, body.find('\n'));
    line = line.substr(0, line.find_last_not_of(kBlanks) + 1);
    constexpr std::size_t kMaxHeader = 65536;
    const std::size_t first = line.find_first_not_of(kBlanks);
    if (first == std::string_view::npos || line.size() > kMaxHeader || line[first] == '{' || line[first] == '[' ||
        line.find_first_of(",;\t") == std::string_view::npos || line.find('\0') != std::string_view::npos) {
        return "";
    }
    for (std::string_view rest = line; !rest.empty();) {
        const std::string_view cell = rest.substr(0, rest.find_first_of(",;\t"));
        if (imports::parse_number(cell)) {
            return "";
        }
        rest.remove_prefix(std::min(rest.size(), cell.size() + 1));
    }
    return std::string(line);
}

model::Failure feed_issues(const model::Feed& feed, const imports::AddedNames* names) {
    if (!feed.from.prometheus.empty()) {
        return {};
    }
    const imports::Format* const format = imports::find_format(feed.format);
    if (format == nullptr) {
        return {{"/format", model::Code::unknown_value,
                 fmt::format("format is {}; docs/imports.md and GET /openapi.json list them", shortened(feed.format, 60))}};
    }
    imports::Options options = options_of(feed, *format, "", "1970-01-01");
    options.names = names;
    return imports::check_options(*format, options);
}

void end_failed(storage::Store& store, const storage::FeedRun& run, const storage::FeedFile& file, const std::string& problem) {
    store.end_feed(author_of(run), failed_end(store, run, file, problem));
}

void end_unchanged(storage::Store& store, const storage::FeedRun& run, const storage::FeedFile& file) {
    store.end_feed(author_of(run), {run.id, FeedState::unchanged, file, "", "", {}, std::nullopt});
}

void end_samples(storage::Store& store, const storage::FeedRun& run, const storage::FeedFile& file, const FeedSummary& summary) {
    FeedEnd end{run.id,      run.dry_run ? FeedState::unchanged : FeedState::landed, file, answers::encode_answer(summary), "", {},
                std::nullopt};
    if (!run.dry_run) {
        end.events.push_back(event_of(EventKind::feed_landed, run, answers::encode_answer(FeedLanded{run.feed, run.id, summary})));
    }
    store.end_feed(author_of(run), end);
}

storage::FeedState land_feed(storage::Store& store, FeedInput&& input) {
    input.file.header = header_of(input.body);
    const auto fail = [&](const std::string& problem) {
        end_failed(store, input.run, input.file, problem);
        return FeedState::failed;
    };
    if (std::string wrong = wrong_with_file(input); !wrong.empty()) {
        return fail(wrong);
    }
    if (input.last && input.last->file.hash == input.file.hash) {
        input.file.rows = input.last->file.rows;
        end_unchanged(store, input.run, input.file);
        return FeedState::unchanged;
    }
    if (const std::string dropped = dropped_before(store, input); !dropped.empty()) {
        return fail(dropped);
    }
    const imports::AddedNames names = stored_names(store);
    if (const model::Failure issues = feed_issues(input.feed, &names); !issues.empty()) {
        return fail(text_of(issues));
    }
    const model::Result<ImportSummary> imported = import_feed(store, input);
    if (!imported) {
        return fail(text_of(imported.error()));
    }
    const bool is_held = !imported->held.judgement.problem.empty();
    if (!is_held && !input.run.dry_run) {
        return wrong_with_merge(*imported).empty() ? FeedState::landed : FeedState::failed;
    }
    const FeedEnd end = is_held ? held_end(store, input, *imported) : tried(store, input, *imported);
    store.end_feed(author_of(input.run), end);
    return end.state;
}

} // namespace costcurve::ingest
