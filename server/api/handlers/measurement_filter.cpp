// Filters a list of measurements by the query, and reads on until a page is full.
#include "server/api/handlers/measurement_filter.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "model/documents/documents.hpp"
#include "model/documents/text.hpp"
#include "server/api/request.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/documents/records.hpp"

namespace costcurve::api {

namespace {

using model::Code;

template <class E> std::optional<E> choice_parameter(const Call& call, std::string_view name, model::Failure& issues) {
    const std::string_view text = parameter(call, name);
    if (text.empty()) {
        return std::nullopt;
    }
    const auto& names = model::enum_names<E>;
    const auto found = std::ranges::find(names, text);
    if (found == names.end()) {
        issues.push_back({fmt::format("/{}", name), Code::unknown_value,
                          fmt::format("{} is \"{}\"; allowed: {}", name, shortened(text, 60), fmt::join(names, ", "))});
        return std::nullopt;
    }
    return static_cast<E>(found - names.begin());
}

std::string day_parameter(const Call& call, std::string_view name, model::Failure& issues) {
    const std::string_view text = parameter(call, name);
    if (double day = 0.0; !text.empty() && !model::parse_date(text, day)) {
        issues.push_back({fmt::format("/{}", name), Code::bad_format,
                          fmt::format("{} is \"{}\"; give a day as YYYY-MM-DD", name, shortened(text, 60))});
    }
    return std::string(text);
}

bool lets_through(const MeasurementFilter& filter, const model::Measurement& it) {
    const auto is = [](const std::string& wanted, const std::string& value) { return wanted.empty() || wanted == value; };
    const bool has_day = !it.date.text.empty();
    return is(filter.model, it.model) && is(filter.device, it.device) && is(filter.publisher, model::lower(it.publisher)) &&
           (filter.source.empty() || model::lower(it.source).find(filter.source) != std::string::npos) &&
           (!filter.kind || *filter.kind == it.kind) && (!filter.precision || *filter.precision == it.precision) &&
           (!filter.own || *filter.own == it.own) && (filter.from.empty() || (has_day && it.date.text >= filter.from)) &&
           (filter.to.empty() || (has_day && it.date.text <= filter.to));
}

// Checks references first, because they need no decoding.
bool lets_through(const MeasurementFilter& filter, const storage::Revision& revision) {
    const auto refers_to = [&](storage::Kind kind, const std::string& id) {
        return id.empty() ||
               std::ranges::find(revision.record.references, storage::DocumentKey{kind, id}) != revision.record.references.end();
    };
    if (!refers_to(storage::Kind::model, filter.model) || !refers_to(storage::Kind::device, filter.device)) {
        return false;
    }
    const auto document = documents::decode_readable(revision);
    return document && lets_through(filter, std::get<model::Measurement>(*document));
}

} // namespace

Attempt<std::optional<MeasurementFilter>> measurement_filter(const Call& call) {
    if (call.route.kind != storage::Kind::measurement) {
        return std::nullopt;
    }
    MeasurementFilter filter;
    model::Failure issues;
    filter.model = parameter(call, "model");
    filter.device = parameter(call, "device");
    filter.publisher = model::lower(parameter(call, "publisher"));
    filter.source = model::lower(parameter(call, "source"));
    filter.kind = choice_parameter<model::MeasurementKind>(call, "measurement_kind", issues);
    filter.precision = choice_parameter<model::NumberFormat>(call, "precision", issues);
    if (const std::string_view own = parameter(call, "own"); !own.empty()) {
        filter.own = own == "true";
    }
    filter.from = day_parameter(call, "from", issues);
    filter.to = day_parameter(call, "to", issues);
    if (issues.empty() && !filter.from.empty() && !filter.to.empty() && filter.to < filter.from) {
        issues.push_back({"/to", Code::inconsistent, fmt::format("to is {}, before from, {}", filter.to, filter.from)});
    }
    if (!issues.empty()) {
        return refused(std::move(issues));
    }
    return filter == MeasurementFilter{} ? std::nullopt : std::optional(std::move(filter));
}

FilteredPage list_measurements(const storage::Snapshot& snapshot, storage::ListQuery query, const MeasurementFilter& filter) {
    constexpr std::size_t kReadAtOnce = 1000;
    constexpr std::size_t kMaxRead = 20000;
    const std::size_t limit = std::exchange(query.limit, kReadAtOnce);
    query.device.clear(); // of offers
    storage::PageFill fill(query.max_bytes, false);
    FilteredPage filtered{{}, query.after};
    std::size_t count = 0;
    bool more = true;
    bool is_full = false;
    for (std::size_t read = 0; more && !is_full && read < kMaxRead;) {
        storage::Page part = snapshot.list(query);
        more = part.more && !part.items.empty();
        for (std::size_t i = 0; i < part.items.size() && !is_full; ++i) {
            std::string id = part.items[i].record.key.id;
            if (lets_through(filter, part.items[i])) {
                is_full = count == limit || !fill.add(std::move(part.items[i]));
                ++count;
            }
            if (!is_full) {
                filtered.last = std::move(id);
            }
        }
        read += part.items.size();
        query.after = filtered.last;
    }
    filtered.page = fill.take();
    filtered.page.more = more || is_full;
    return filtered;
}

} // namespace costcurve::api
