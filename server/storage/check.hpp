// Options and report of the verification of a whole store, as values.
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
    bool is_quick = false; ///< the engine's quick check of its pages, and the last links of the chain
    /// What is wrong with a current document that can't be read; "" of one that can. May be empty: then none is tried.
    std::function<std::string(const Revision&)> read = {};
    /// Called some times a second: which part, and how much of it is done.
    std::function<void(std::string_view part, std::int64_t done, std::int64_t total)> progress = {};
};

struct CheckReport {
    std::vector<std::string> problems; ///< the first kMaxListed; a sentence each
    std::int64_t problem_count = 0;    ///< of all
    std::int64_t changes = 0;          ///< verified, as the next
    std::int64_t revisions = 0;
    std::int64_t results = 0;
    std::string last_link; ///< of the chain, in hexadecimal: the same text later means the same history up to there
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
