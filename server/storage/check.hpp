// Options and report of a full store verification.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/storage/record.hpp"

namespace costcurve::storage {

struct CheckOptions {
    bool is_quick = false; ///< only the engine's quick page check and the last links of the hash chain
    /// Returns why a current document can't be read, "" if it can. If empty, no document is decoded.
    std::function<std::string(const Revision&)> read = {};
    /// Called a few times a second with the current part and its progress.
    std::function<void(std::string_view part, std::int64_t done, std::int64_t total)> progress = {};
};

struct CheckReport {
    std::vector<std::string> problems; ///< the first kMaxListed; a sentence each
    std::int64_t problem_count = 0;    ///< number of all problems, listed or not
    std::int64_t changes = 0;          ///< number of verified changes
    std::int64_t revisions = 0;
    std::int64_t results = 0;
    std::string last_link; ///< last link of the hash chain, in hexadecimal; the same link later proves the same history up to it
    std::int64_t last_sequence = 0;
    [[nodiscard]] bool is_good() const { return problem_count == 0; }

    static constexpr std::size_t kMaxListed = 100;
    void add(std::string problem) {
        ++problem_count;
        if (problems.size() < kMaxListed) {
            problems.push_back(std::move(problem));
        }
    }
};

} // namespace costcurve::storage
