// Which fields of a file its reader never looked at: a condition that is not read is said, not dropped.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "server/import/report.hpp"

namespace costcurve::imports {

/// While it lives, tables and JSON of this thread note in it which of their fields are asked for, and which have values. Not
/// thread-safe; memory is bounded.
class UnreadFields {
public:
    UnreadFields();
    ~UnreadFields();
    UnreadFields(const UnreadFields&) = delete;
    UnreadFields& operator=(const UnreadFields&) = delete;
    /// That of this thread; null where there is none.
    [[nodiscard]] static UnreadFields* current();

    /// A reader asks for a field of this name.
    void ask(std::string_view name);
    /// A field has a value in so many rows or objects.
    void find(std::string_view name, std::size_t count = 1);
    /// One warning that names the fields which have values, which no reader asked for, and which are not known to be harmless in
    /// the format, with how often they are there.
    void warn(std::string_view format, Report& report) const;

private:
    UnreadFields* before_;
    std::set<std::string, std::less<>> asked_;
    std::map<std::string, std::size_t, std::less<>> found_;
};

} // namespace costcurve::imports
