// What a check of a whole store finds wrong, whatever engine reads the rows, with its progress.
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

/// Is given rows in the order of their numbers, a part after the other. An engine's checker reads them.
class Checker {
protected:
    explicit Checker(const CheckOptions& options) : options_(options) {}
    ~Checker() = default;

    /// A part that can't be read because of damage is one problem.
    void part(std::string_view name, const std::function<void()>& call);
    /// Sets the number of rows of a part, before the first.
    void expect(std::int64_t total) { total_ = total; }
    void step();

    void check_body(std::int64_t body, std::string_view text, const std::optional<Hash>& stored);
    /// By document and change. `computed`: its hash, of all that it covers.
    void check_revision(const RevisionRow& row, std::string_view search, const Hash& computed, const std::optional<Hash>& stored);
    /// Behind the last one of a document.
    void end_document();
    void add_lost_points(std::int64_t document, std::int64_t since);
    /// By scenario and number.
    void check_result(const ResultRow& row, const std::optional<Hash>& stored);
    /// Behind the last result: how many a run says that it has kept.
    void check_run(std::int64_t run, std::int64_t evaluated);
    /// What changes wrote besides: secrets of keys, and seals.
    void add_hash(std::int64_t change, const Hash& hash) { hashes_[change].emplace_back(0, hash); }
    /// The links from a change on; the first one's is taken as stored unless it is the first of all.
    void begin_changes(std::int64_t first, const Hash& link);
    void check_change(const ChangeRow& row, const std::optional<Hash>& stored_link);
    void check_document(const Revision& revision);

    const CheckOptions& options_;
    CheckReport report_;

private:
    void report_progress(bool is_end);
    void check_content(const ChangeRow& row, const std::function<void(std::string_view)>& wrong);

    HashesByChange hashes_; // computed from what is stored
    std::string_view part_;
    std::int64_t done_ = 0;
    std::int64_t total_ = 0;
    std::chrono::steady_clock::time_point reported_;

    std::int64_t document_ = 0; // 0 before the first
    std::int64_t revision_ = 0;
    std::int64_t until_ = 0;
    std::int64_t scenario_ = 0;
    std::int64_t number_ = 0;
    std::map<std::int64_t, std::int64_t> results_; // by run
    Hash link_{};                                  // of the change before
};

} // namespace costcurve::storage
