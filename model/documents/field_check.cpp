// A visitor of documents: good values cost a comparison, pointers are put together where there is an issue.
#include "model/documents/field_check.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "model/documents/curve_use.hpp"
#include "model/documents/measurement.hpp"

namespace costcurve::model {

namespace {

std::string with_unit(double value, std::string_view unit) {
    return unit.empty() ? fmt::format("{}", value) : fmt::format("{} {}", value, unit);
}

std::string allowed_range(const FieldSpec& spec) {
    const bool low = std::isfinite(spec.min);
    const bool high = std::isfinite(spec.max);
    const std::string_view above = spec.above_min ? "above " : "";
    if (low && high) {
        return fmt::format("allowed {}{} to {}", above, spec.min, with_unit(spec.max, spec.unit));
    }
    if (low) {
        return fmt::format("allowed {}{} or more", spec.above_min ? "more than " : "", with_unit(spec.min, spec.unit));
    }
    return "allowed any finite number";
}

template <class T> constexpr bool is_number_list = false;
template <class N> constexpr bool is_number_list<std::vector<N>> = std::is_arithmetic_v<N>;

// Issues are found with the pointer of the value they stand in, "" at first; each part on the way out puts its name before them.
class FieldCheck {
public:
    Failure issues;

    template <class T> void check_document(const T& document, const FieldSpec* spec) {
        if constexpr (is_stored<T>) {
            if (document.stored.is_reference) {
                if (!is_slug(document.id)) {
                    add("", Code::unknown_reference, fmt::format("'{}' is no id of a stored {}", document.id, document_name<T>));
                }
                return;
            }
        }
        if constexpr (std::is_same_v<T, Curve>) {
            check_curve(document, spec);
        } else {
            check_parts(document, spec == nullptr ? FieldSpec{} : *spec);
        }
    }

private:
    void add(std::string pointer, Code code, std::string message) {
        issues.push_back({std::move(pointer), code, std::move(message)});
    }

    // `check` finds the issues of a part; they get its name.
    template <class F> void within(std::string_view name, const F& check) {
        const std::size_t before = issues.size();
        check();
        const auto first = issues.begin() + static_cast<std::ptrdiff_t>(std::min(before, kMaxListedIssues));
        std::for_each(first, issues.end(), [&](Issue& issue) { issue.pointer = fmt::format("/{}{}", name, issue.pointer); });
    }

    template <class V> void check_parts(const V& value, const FieldSpec& spec) {
        for_each_part(value, spec, [&](std::string_view name, const auto& part, const FieldSpec& part_spec) {
            within(name, [&] { check_member(name, part, part_spec); });
        });
    }

    void check_date(std::string_view name, const Date& date) {
        double day = 0.0;
        if (!date.text.empty() && !parse_date(date.text, day)) {
            add("", Code::bad_format, fmt::format("{} is {}; give a date as \"YYYY-MM-DD\"", name, date.text));
        }
    }

    template <class M> void check_member(std::string_view name, const M& member, const FieldSpec& spec) {
        bool is_there = false;
        unwrap(member, [&]<class V>(const V& value) {
            is_there = true;
            if constexpr (std::is_same_v<V, double> || std::is_same_v<V, int>) {
                if (!is_good(static_cast<double>(value), spec)) {
                    add("", Code::out_of_range, range_message(name, static_cast<double>(value), spec));
                }
            } else if constexpr (std::is_same_v<V, std::string>) {
                is_there = !value.empty();
                check_text(name, value, spec);
            } else if constexpr (std::is_same_v<V, Identity>) {
                FieldSpec slug = spec;
                slug.format = Format::slug;
                is_there = !value.id.empty();
                check_text(name, value.id, slug);
            } else if constexpr (std::is_same_v<V, Date>) {
                is_there = !value.text.empty();
                check_date(name, value);
            } else if constexpr (std::is_same_v<V, std::vector<std::string>>) {
                check_count(name, value.size(), spec);
                for (std::size_t i = 0; i < value.size(); ++i) {
                    within(std::to_string(i), [&] { check_text(name, value[i], spec); });
                }
            } else if constexpr (has_fields<V>) {
                check_document(value, &spec);
            } else if constexpr (is_number_list<V>) {
                check_count(name, value.size(), spec);
                for (std::size_t i = 0; i < value.size(); ++i) {
                    within(std::to_string(i), [&] { check_member(std::to_string(i), value[i], spec); });
                }
            } else if constexpr (is_list_of_fields<V>) {
                check_count(name, value.size(), spec);
                check_parts(value, spec);
            } else if constexpr (has_parts<V>) {
                check_count(name, value.size(), {});
                check_parts(value, spec);
            }
        });
        if (!is_there && spec.required) {
            add("", Code::missing, fmt::format("{} is required", name));
        }
    }

    void check_text(std::string_view name, const std::string& text, const FieldSpec& spec) {
        if (const TextFault fault = text.empty() ? TextFault::none : text_fault(text, spec.format, spec.max_bytes);
            fault != TextFault::none) {
            constexpr std::size_t kShown = 60; // bytes; an id or a currency is ASCII, or the message leaves it out
            add("", code_of(fault), text_message(fault, name, "\"" + text.substr(0, kShown) + "\"", text.size(), spec.max_bytes));
        }
    }

    // Where the spec's range is that of the entries themselves, up to max_entries of them.
    void check_count(std::string_view name, std::size_t size, const FieldSpec& spec) {
        const bool is_range_of_count = !spec.of_entries && std::isfinite(spec.max);
        const double max = is_range_of_count ? spec.max : static_cast<double>(spec.max_entries);
        const double min = is_range_of_count ? spec.min : 0.0;
        const auto count = static_cast<double>(size);
        if (count < min || count > max) {
            add("", Code::out_of_range, fmt::format("{} has {} entries; allowed {} to {}", name, size, min, max));
        }
    }

    void check_curve(const Curve& curve, const FieldSpec* spec) {
        issues.add_all(check_curve_use(curve, spec, ""));
        if (curve.x.empty() || curve.x.size() != curve.y.size() || curve.x.size() > kMaxCurvePoints) {
            add("/points", Code::out_of_range, fmt::format("points must be an array of 1 to {} pairs [x, y]", kMaxCurvePoints));
            return;
        }
        const PointSpecs specs = point_specs(curve);
        for (std::size_t i = 0; i < curve.x.size(); ++i) {
            const bool good_x = is_good(curve.x[i], specs.x);
            const bool good_y = is_good(curve.y[i], specs.y);
            if (!good_x || !good_y) {
                add(fmt::format("/points/{}/{}", i, good_x ? 1 : 0), Code::out_of_range,
                    good_x ? range_message("1", curve.y[i], specs.y) : range_message("0", curve.x[i], specs.x));
                return;
            }
            if (i > 0 && curve.x[i] <= curve.x[i - 1]) {
                add(fmt::format("/points/{}/0", i), Code::not_ascending,
                    fmt::format("x is {}, not above the one before it",
                                curve.axis == Axis::date ? date_text(curve.x[i]) : fmt::format("{}", curve.x[i])));
                return;
            }
        }
        for_each_field<Curve>([&](const auto& field) {
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(curve.*field.member)>, std::string>) {
                within(field.name, [&] { check_text(field.name, curve.*field.member, field.spec); });
            }
        });
    }
};

} // namespace

bool is_slug(std::string_view text) {
    const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    return !text.empty() && text.size() <= 128 && plain(text.front()) &&
           std::all_of(text.begin(), text.end(), [&](char c) { return plain(c) || c == '.' || c == '_' || c == '-'; });
}

bool is_currency(std::string_view text) {
    return text.size() == 3 && std::all_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

std::string range_message(std::string_view name, double number, const FieldSpec& spec) {
    return fmt::format("{} is {}; {}", name, with_unit(number, spec.unit), allowed_range(spec));
}

TextFault text_fault(std::string_view text, Format format, std::size_t max_bytes) {
    const bool is_name = format == Format::name || format == Format::pointer;
    return is_name && (text.empty() || text.size() > kMaxNameBytes) ? TextFault::no_name
           : text.size() > max_bytes                                ? TextFault::too_long
           : format == Format::slug && !is_slug(text)               ? TextFault::no_slug
           : format == Format::currency && !is_currency(text)       ? TextFault::no_currency
                                                                    : TextFault::none;
}

std::string text_message(TextFault fault, std::string_view name, std::string_view shown, std::size_t bytes, std::size_t max_bytes) {
    switch (fault) {
    case TextFault::too_long:
        return fmt::format("{} has {} bytes; allowed up to {}", name, bytes, max_bytes);
    case TextFault::no_name:
        return fmt::format("{} has {} bytes; allowed 1 to {}", name, bytes, kMaxNameBytes);
    case TextFault::no_slug:
        return fmt::format("{} is {}; ids match [a-z0-9][a-z0-9._-]{{0,127}}", name, shown);
    case TextFault::no_currency:
        return fmt::format("currency is {}; give an ISO 4217 code such as USD", shown);
    case TextFault::none:
        break;
    }
    return "";
}

PointSpecs point_specs(const Curve& curve) {
    const CurveKindRow& row = curve_kind_row(curve.kind);
    const AxisRange range = range_of(curve.axis);
    const bool is_log = curve.interpolation == Interpolation::log;
    return {{.min = is_log ? 0.0 : range.low, .max = range.high, .above_min = is_log},
            {.unit = row.y_unit, .min = is_log ? 0.0 : row.y_min, .max = row.y_max, .above_min = is_log}};
}

template <class T> Failure check_fields(const T& document) {
    FieldCheck check;
    check.check_document(document, nullptr);
    return std::move(check.issues);
}
template Failure check_fields(const Curve& document);
template Failure check_fields(const Device& document);
template Failure check_fields(const Offer& document);
template Failure check_fields(const Server& document);
template Failure check_fields(const Site& document);
template Failure check_fields(const Performance& document);
template Failure check_fields(const Endpoint& document);
template Failure check_fields(const Alias& document);
template Failure check_fields(const Model& document);
template Failure check_fields(const Measurement& document);

} // namespace costcurve::model
