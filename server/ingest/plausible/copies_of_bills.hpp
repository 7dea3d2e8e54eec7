// Files of one call that are the same bill: the same file given twice, or an export beside its copy.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "server/import/report.hpp"
#include "server/storage/measurement.hpp"

namespace costcurve::ingest {

/// A file all of whose lines are those of an earlier file of the same call, in the same order, counts once.
class CopiesOfBills {
public:
    /// Both must outlive it; lines are added to the end of `bill`, a file after the other.
    CopiesOfBills(std::vector<BillLine>& bill, imports::Complaints& warnings) : bill_(bill), warnings_(warnings) {}

    /// Takes the lines since the last call, those of a file of this name, out of the bill where they are a copy, with a warning.
    void end_file(const std::string& name) {
        const std::size_t begin = ends_.empty() ? 0 : ends_.back().second;
        if (begin == bill_.size()) {
            return;
        }
        std::size_t start = 0;
        for (const auto& [other, end] : ends_) {
            if (std::equal(at(start), at(end), at(begin), bill_.end())) {
                warnings_.add(0, fmt::format("{} has the lines of {}: they count once", name, other));
                bill_.erase(at(begin), bill_.end());
                return;
            }
            start = end;
        }
        ends_.emplace_back(name, bill_.size());
    }

private:
    [[nodiscard]] std::vector<BillLine>::iterator at(std::size_t place) const {
        return bill_.begin() + static_cast<std::ptrdiff_t>(place);
    }

    std::vector<BillLine>& bill_;
    imports::Complaints& warnings_;
    std::vector<std::pair<std::string, std::size_t>> ends_; ///< of files, in the bill
};

} // namespace costcurve::ingest
