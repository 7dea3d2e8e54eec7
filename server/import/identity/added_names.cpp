// Names of devices that users added. The map in use is set by thread for the reading of one file.
#include "server/import/identity/added_names.hpp"

#include <utility>

namespace costcurve::imports {

namespace {

thread_local const AddedNames* names_in_use = nullptr;

} // namespace

void AddedNames::add(std::string_view name, const Machine& machine) {
    const std::string folded = folded_name(name);
    const auto [found, is_new] = machines_.try_emplace(folded, machine);
    const bool differs = found->second.device != machine.device || found->second.devices != machine.devices;
    if (!is_new && differs && unusable_.insert(folded).second) {
        ambiguous_.emplace_back(name);
    }
}

std::optional<Machine> AddedNames::find_instance(std::string_view folded) const {
    const auto found = machines_.find(folded);
    const bool is_there = found != machines_.end() && found->second.devices > 1 && !unusable_.contains(folded);
    return is_there ? std::optional(found->second) : std::nullopt;
}

std::optional<std::string> AddedNames::find_device(std::string_view folded) const {
    const auto found = machines_.find(folded);
    const bool is_there = found != machines_.end() && found->second.devices == 1 && !unusable_.contains(folded);
    return is_there ? std::optional(found->second.device) : std::nullopt;
}

NamesInUse::NamesInUse(const AddedNames* names) : before_(std::exchange(names_in_use, names)) {}
NamesInUse::~NamesInUse() { names_in_use = before_; }
const AddedNames* NamesInUse::current() { return names_in_use; }

} // namespace costcurve::imports
