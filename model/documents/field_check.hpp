// Whether values keep the ranges of their rows in the field tables, and the words where they don't: for the decoder, which asks
// value by value, and for documents that a program made.
#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include "model/documents/failure.hpp"
#include "model/documents/walk.hpp"

namespace costcurve::model {

/// The most points of a curve.
inline constexpr std::size_t kMaxCurvePoints = 100000;

/// [a-z0-9][a-z0-9._-]{0,127}
[[nodiscard]] bool is_slug(std::string_view text);
/// Three capital letters, as ISO 4217.
[[nodiscard]] bool is_currency(std::string_view text);

[[nodiscard]] inline bool is_good(double number, const FieldSpec& spec) {
    return std::isfinite(number) && number <= spec.max && (spec.above_min ? number > spec.min : number >= spec.min);
}
/// Why a number is not good: "tdp_w is 0 W; allowed 1 to 20000 W".
[[nodiscard]] std::string range_message(std::string_view name, double number, const FieldSpec& spec);

/// What is wrong with a text that is there; `none` where it is good.
enum class TextFault { none, too_long, no_name, no_slug, no_currency };
[[nodiscard]] TextFault text_fault(std::string_view text, Format format, std::size_t max_bytes);
[[nodiscard]] inline Code code_of(TextFault fault) {
    return fault == TextFault::too_long || fault == TextFault::no_name ? Code::out_of_range : Code::bad_format;
}
/// `shown` is the text as the message quotes it.
[[nodiscard]] std::string text_message(TextFault fault, std::string_view name, std::string_view shown, std::size_t bytes,
                                       std::size_t max_bytes);

/// The ranges that a curve's points keep, by its kind, axis and interpolation.
struct PointSpecs {
    FieldSpec x;
    FieldSpec y;
};
[[nodiscard]] PointSpecs point_specs(const Curve& curve);

/// Every field of a document that is out of its range, missing or misplaced; none where it is as a decoder would have made it.
/// References need an id that is one; a scenario is not among them. A curve's first faulty point stands for all.
template <class T> [[nodiscard]] Failure check_fields(const T& document);
extern template Failure check_fields(const Curve& document);
extern template Failure check_fields(const Device& document);
extern template Failure check_fields(const Offer& document);
extern template Failure check_fields(const Server& document);
extern template Failure check_fields(const Site& document);
extern template Failure check_fields(const Performance& document);
extern template Failure check_fields(const Endpoint& document);
extern template Failure check_fields(const Alias& document);
extern template Failure check_fields(const Model& document);
extern template Failure check_fields(const Measurement& document);

} // namespace costcurve::model
