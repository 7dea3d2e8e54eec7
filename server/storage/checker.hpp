// Engine-independent part of the verification of a whole store: collects problems and reports progress.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "server/storage/check.hpp"
#include "server/storage/writes/chain.hpp"

namespace costcurve::storage {

/// Receives the rows of each part in ascending order. The derived checker of each engine reads them.
class Checker {
protected:
    explicit Checker(const CheckOptions& options) : options_(options) {}
    ~Checker() = default;

    /// Runs the check of one part. If damage makes the part unreadable, that counts as one problem.
    void part(std::string_view name, const std::function<void()>& call);
    /// Sets the number of rows of a part; called before its first row.
    void expect(std::int64_t total) { total_ = total; }
    void step();

    void check_body(std::int64_t body, std::string_view text, const std::optional<Hash>& stored);
    /// Checks a revision; call it in order of document and change. `computed` is the hash over everything that the stored hash
    /// covers.
    void check_revision(const RevisionRow& row, std::string_view search, const Hash& computed, const std::optional<Hash>& stored);
    /// Called after the last revision of a document.
    void end_document();
    void add_lost_points(std::int64_t document, std::int64_t since);
    /// Checks a result; call it in order of scenario and number.
    void check_result(const ResultRow& row, const std::optional<Hash>& stored);
    /// Called after the last result: compares the number of stored results of a run with `evaluated`.
    void check_run(std::int64_t run, std::int64_t evaluated);
    /// Adds the hash of another row that a change wrote: a key's secret or a seal.
    void add_hash(std::int64_t change, const Hash& hash) { hashes_[change].emplace_back(0, hash); }
    /// Starts the check of chain links at change `first`. Its previous link is taken as stored unless it is the first change of
    /// all.
    void begin_changes(std::int64_t first, const Hash& link);
    void check_change(const ChangeRow& row, const std::optional<Hash>& stored_link);
    void check_document(const Revision& revision);

    const CheckOptions& options_;
    CheckReport report_;

private:
    void report_progress(bool is_end);
    void check_content(const ChangeRow& row, const std::function<void(std::string_view)>& wrong);

    HashesByChange hashes_; // computed from the stored rows
    std::string_view part_;
    std::int64_t done_ = 0;
    std::int64_t total_ = 0;
    std::chrono::steady_clock::time_point reported_;

    std::int64_t document_ = 0; // 0 before the first document
    std::int64_t revision_ = 0;
    std::int64_t until_ = 0;
    std::int64_t scenario_ = 0;
    std::int64_t number_ = 0;
    std::map<std::int64_t, std::int64_t> results_; // number of results by run
    Hash link_{};                                  // link of the previous change
};

} // namespace costcurve::storage
