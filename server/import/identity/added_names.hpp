// Names of devices and instance types that a user added to the built-in tables, and which of them hold now.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "server/import/identity/aliases.hpp"

namespace costcurve::imports {

/// Folded as the built-in spellings are. A name that stands for two things is of neither.
class AddedNames {
public:
    /// `machine.devices` above 1: the name is an instance type's.
    void add(std::string_view name, const Machine& machine);

    [[nodiscard]] std::optional<std::string> find_device(std::string_view folded) const;
    [[nodiscard]] std::optional<Machine> find_instance(std::string_view folded) const;
    /// Names that stand for two things, as they were added.
    [[nodiscard]] const std::vector<std::string>& ambiguous() const { return ambiguous_; }

private:
    std::map<std::string, Machine, std::less<>> machines_;
    std::set<std::string, std::less<>> unusable_;
    std::vector<std::string> ambiguous_;
};

/// While it lives, `device_of` and `instance_of` on this thread look among these names first; null: the built-in ones alone.
class NamesInUse {
public:
    explicit NamesInUse(const AddedNames* names);
    ~NamesInUse();
    NamesInUse(const NamesInUse&) = delete;
    NamesInUse& operator=(const NamesInUse&) = delete;
    /// Those of this thread; null where there are none.
    [[nodiscard]] static const AddedNames* current();

private:
    const AddedNames* before_;
};

/// Lower case, letters and digits alone, without the vendor's words before the name.
[[nodiscard]] std::string folded_name(std::string_view spelling);

} // namespace costcurve::imports
