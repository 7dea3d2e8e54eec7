// Groups bill lines and compares new lines with stored ones. Figures are compared exactly, so that storing the same bill twice
// changes nothing.
#include "server/storage/bill.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <stdexcept>

#include "server/storage/text.hpp"

namespace costcurve::storage {

namespace {

template <class Names> int compare_names(const Names& names, const BillLine& a, const BillLine& b) {
    for (const auto& [name, member] : names) {
        if (const int order = (a.*member).compare(b.*member); order != 0) {
            return order;
        }
    }
    return 0;
}

template <class Names> void check_names(const Names& names, const BillLine& line) {
    if (std::any_of(names.begin(), names.end(), [&](const auto& name) { return has_zero(line.*name.member); })) {
        throw std::invalid_argument("bill: a name has the character U+0000");
    }
}

struct ByGroup {
    bool operator()(const BillLine& a, const BillLine& b) const {
        return a.day != b.day ? a.day < b.day : compare_names(kBillGroupNames, a, b) < 0;
    }
};
struct ByNames {
    bool operator()(const BillLine* a, const BillLine* b) const {
        const int order = a->day != b->day ? (a->day < b->day ? -1 : 1) : compare_names(kBillGroupNames, *a, *b);
        return order != 0 ? order < 0 : compare_names(kBillLineNames, *a, *b) < 0;
    }
};

} // namespace

std::vector<BillLine> added_up(std::span<const BillLine> lines) {
    std::map<const BillLine*, std::size_t, ByNames> places;
    std::vector<BillLine> sums;
    for (const BillLine& line : lines) {
        check_names(kBillGroupNames, line);
        check_names(kBillLineNames, line);
        const auto [place, is_new] = places.try_emplace(&line, sums.size());
        if (is_new) {
            sums.push_back(line);
            continue;
        }
        for (const auto& [name, member] : kBillFigures) {
            sums[place->second].*member += line.*member;
        }
    }
    return sums;
}

std::vector<std::vector<BillLine>> by_group(std::vector<BillLine> lines) {
    std::map<BillLine, std::size_t, ByGroup> places;
    std::vector<std::vector<BillLine>> groups;
    for (BillLine& line : lines) {
        const auto [place, is_new] = places.try_emplace(line, groups.size());
        if (is_new) {
            groups.emplace_back();
        }
        groups[place->second].push_back(std::move(line));
    }
    return groups;
}

bool all_name_accounts(std::span<const BillLine> lines) {
    return std::none_of(lines.begin(), lines.end(), [](const BillLine& line) { return line.account.empty(); });
}

bool ByLineNames::operator()(const BillLine& a, const BillLine& b) const { return compare_names(kBillLineNames, a, b) < 0; }

bool same_figures(const BillLine& a, const BillLine& b) {
    return std::all_of(kBillFigures.begin(), kBillFigures.end(),
                       [&](const auto& figure) { return a.*figure.member == b.*figure.member; });
}

GroupDifference group_difference(std::span<const BillLine> lines, StoredLines stored, StoredLines nameless, BillOutcome& outcome) {
    GroupDifference difference;
    std::vector<const BillLine*> unknown;
    for (const BillLine& line : lines) {
        const auto own = stored.extract(line);
        const auto other = own ? StoredLines::node_type() : nameless.extract(line);
        if (!own && !other) {
            unknown.push_back(&line);
            continue;
        }
        const bool is_same = same_figures(own ? own.key() : other.key(), line);
        ++(is_same ? outcome.unchanged : outcome.changed);
        if (other) {
            difference.stale.push_back(other.mapped().number);
        } else if (!is_same) {
            difference.outdated.push_back(own.mapped().number);
        } else {
            difference.alike.push_back(own.mapped());
        }
        if (other || !is_same) {
            difference.lines.push_back(&line);
        }
    }
    const std::size_t left = stored.size() + nameless.size(); // both may contain a line with the same names
    const std::size_t replacing = std::max(std::min(unknown.size(), left), left == 0 ? 0 : std::size_t{1});
    outcome.changed += replacing;
    const std::size_t added = unknown.size() - std::min(unknown.size(), replacing);
    outcome.added += added;
    difference.added_alone = left == 0 ? added : 0;
    for (const StoredLines* lines_left : {&stored, &nameless}) {
        for (const auto& [line, row] : *lines_left) {
            difference.stale.push_back(row.number);
        }
    }
    difference.lines.insert(difference.lines.end(), unknown.begin(), unknown.end());
    return difference;
}

BillSum read_bill_sum(const sql::Row& row) {
    BillSum sum;
    int column = 0;
    read_columns(row, column, kBillNames, sum.line);
    read_columns(row, column, kBillFigures, sum.line);
    sum.line.day = row.integer(column++);
    sum.last_day = row.integer(column++);
    sum.lines = row.integer(column);
    return sum;
}

BillTotal read_bill_total(const sql::Row& row) {
    return {std::string(row.text(0)), row.integer(1), row.real(2), row.real(3), row.real(4), row.real(5), row.real(6)};
}

} // namespace costcurve::storage
