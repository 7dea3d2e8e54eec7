// Verification of a whole store: each row is checked against its content and the row before it.
#include "server/storage/checker.hpp"

#include <algorithm>
#include <exception>

#include <fmt/format.h>

#include "model/documents/text.hpp"

namespace costcurve::storage {

void Checker::part(std::string_view name, const std::function<void()>& call) {
    part_ = name;
    done_ = 0;
    total_ = 0;
    try {
        call();
    } catch (const std::exception& error) { // from the engine, a decoder or an unpacker: the data that it reads is damaged
        report_.add(fmt::format("{}: {}", name, error.what()));
    }
    report_progress(true);
}

void Checker::step() {
    constexpr std::int64_t kStepsBetweenLooks = 256;
    if (++done_ % kStepsBetweenLooks == 0) {
        report_progress(false);
    }
}

void Checker::report_progress(bool is_end) {
    constexpr std::chrono::milliseconds kBetween{200};
    const auto now = std::chrono::steady_clock::now();
    if (options_.progress && (is_end || now - reported_ >= kBetween)) {
        reported_ = now;
        options_.progress(part_, done_, is_end ? done_ : std::max(total_, done_));
    }
}

void Checker::check_body(std::int64_t body, std::string_view text, const std::optional<Hash>& stored) {
    if (stored != hash_of(text)) {
        report_.add(fmt::format("bodies: body {} has not the text that was stored", body));
    }
    step();
}

void Checker::check_revision(const RevisionRow& row, std::string_view search, const Hash& computed,
                             const std::optional<Hash>& stored) {
    const auto wrong = [&](std::string_view what) {
        report_.add(fmt::format("revisions: {} {}, revision {} (change {}): {}", row.kind, row.id, row.revision, row.since, what));
    };
    if (row.document != document_) {
        end_document();
        document_ = row.document;
        revision_ = 0;
        until_ = row.since;
    }
    if (row.revision != revision_ + 1 || row.since != until_) {
        wrong("it does not follow the one before");
    }
    revision_ = row.revision;
    until_ = row.until;
    if (stored != computed) {
        wrong("it is not what was stored: its title, its price, a point of its curves, a reference or its hash has changed");
    }
    hashes_[row.since].emplace_back(row.document, computed);
    if (search != model::lower(row.title)) {
        wrong("searches see another title");
    }
    ++report_.revisions;
    step();
}

void Checker::end_document() {
    if (document_ != 0 && until_ != kCurrent) {
        report_.add(fmt::format("revisions: document {} has no current revision", document_));
    }
    document_ = 0;
}

void Checker::add_lost_points(std::int64_t document, std::int64_t since) {
    report_.add(fmt::format("revisions: document {} has points of change {}, which wrote no revision of it", document, since));
}

void Checker::check_result(const ResultRow& row, const std::optional<Hash>& stored) {
    const auto wrong = [&](std::string_view what) {
        report_.add(fmt::format("results: result {} of scenario {}: {}", row.number, row.scenario, what));
    };
    if (stored != hash_of_result(row)) {
        wrong("it is not what was stored");
    }
    if (row.number != (row.scenario == scenario_ ? number_ + 1 : 1)) {
        wrong("the one before is missing");
    }
    scenario_ = row.scenario;
    number_ = row.number;
    ++results_[row.run];
    ++report_.results;
    step();
}

void Checker::check_run(std::int64_t run, std::int64_t evaluated) {
    const std::int64_t found = results_[run];
    if (found != evaluated) {
        report_.add(
            fmt::format("results: recalculation {} kept {}, and {} {} there", run, evaluated, found, found == 1 ? "is" : "are"));
    }
}

void Checker::begin_changes(std::int64_t first, const Hash& link) {
    report_.last_sequence = first - 1;
    report_.last_link = hex_of(text_of(link));
    link_ = link;
}

void Checker::check_change(const ChangeRow& row, const std::optional<Hash>& stored_link) {
    const auto wrong = [&](std::string_view what) {
        report_.add(fmt::format("changes: change {} ({} {}): {}", row.sequence, row.action, row.subject, what));
    };
    if (row.sequence != report_.last_sequence + 1) {
        wrong("a change before it is missing");
    }
    link_ = link_of(link_, row);
    if (stored_link != link_) {
        wrong("it does not follow from the change before: the chain is broken here");
        link_ = stored_link.value_or(link_); // continue from the stored link, so that one error is reported once
    }
    report_.last_sequence = row.sequence;
    report_.last_link = hex_of(text_of(link_));
    check_content(row, wrong);
    ++report_.changes;
    step();
}

// Checks the rows that a change wrote. Bill lines are skipped, because later changes replace them.
void Checker::check_content(const ChangeRow& row, const std::function<void(std::string_view)>& wrong) {
    if (options_.is_quick || row.action == "save_bill") {
        return;
    }
    const auto found = hashes_.find(row.sequence);
    if (!row.content && found != hashes_.end()) {
        wrong("it should have written nothing");
    }
    if (row.content && *row.content != content_of(found == hashes_.end() ? decltype(found->second)() : found->second)) {
        wrong("what it wrote is not what is stored: a revision has changed, or is missing");
    }
}

void Checker::check_document(const Revision& revision) {
    std::string problem;
    try {
        problem = options_.read(revision);
    } catch (const std::exception& error) { problem = error.what(); }
    if (!problem.empty()) {
        report_.add(
            fmt::format("documents: {} {} can't be read: {}", name_of(revision.record.key.kind), revision.record.key.id, problem));
    }
    step();
}

} // namespace costcurve::storage
