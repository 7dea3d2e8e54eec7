// Sums of things that are alike, and paths into documents.
#include "server/gate/deployed/deployment.hpp"

#include <algorithm>

#include "model/documents/text.hpp"

namespace costcurve::gate::deployed {

void Deployment::add(Machines added) {
    const auto like = std::ranges::find_if(machines, [&](const Machines& of) {
        return of.file == added.file && of.resource == added.resource && of.type == added.type && of.region == added.region &&
               of.is_spot == added.is_spot && of.terms == added.terms && of.device == added.device && of.devices == added.devices;
    });
    if (like == machines.end()) {
        machines.push_back(std::move(added));
    } else {
        like->max_count = like->max_count + added.max_count;
        like->count += added.count;
        like->open = like->open.empty() ? added.open : like->open;
    }
}

void Deployment::ask(const std::string& file, const std::string& subject, std::string what, double devices) {
    questions.push_back({file, subject, std::move(what), devices});
}

void Deployment::leave(const std::string& file, const std::string& what, std::string_view why, std::size_t count) {
    const auto like =
        std::ranges::find_if(not_read, [&](const NotRead& row) { return row.file == file && row.what == what && row.why == why; });
    if (like == not_read.end()) {
        not_read.push_back({file, what, count, std::string(why)});
    } else {
        like->count += count;
    }
}

std::string group_of(const JsonValue& object) {
    const std::string version = text_at(object, "apiVersion");
    return version.substr(0, version.find('/'));
}

const JsonValue* at_path(const JsonValue& value, std::string_view path) {
    const JsonValue* at = &value;
    while (!path.empty() && at != nullptr) {
        const std::string_view name = path.substr(0, path.find('/'));
        path.remove_prefix(std::min(path.size(), name.size() + 1));
        const auto index = model::read_number<std::size_t>(name);
        at = at->is_array() ? (index && *index < at->size() ? &(*at)[*index] : nullptr) : at->find(name);
    }
    return at != nullptr && at->is_null() ? nullptr : at;
}

std::string text_at(const JsonValue& value, std::string_view path) {
    const JsonValue* const found = at_path(value, path);
    return found != nullptr ? std::string(found->text()) : std::string();
}

std::optional<double> number_at(const JsonValue& value, std::string_view path) {
    const JsonValue* const found = at_path(value, path);
    return found == nullptr     ? std::nullopt
           : found->is_number() ? std::optional(found->number())
                                : model::read_number<double>(found->text());
}

} // namespace costcurve::gate::deployed
