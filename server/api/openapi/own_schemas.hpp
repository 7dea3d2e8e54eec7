// Schemas of members by their type alone, whatever struct they are in.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "model/documents/automation.hpp"
#include "model/questions/chance/distribution.hpp"
#include "server/actuals/calibration_answer.hpp"
#include "server/answers/answer.hpp"
#include "server/answers/optimize/choices.hpp"
#include "server/answers/rank/rank.hpp"
#include "server/answers/request.hpp"
#include "server/api/openapi/schemas.hpp"

namespace costcurve::api {

// Kind of list that a member is.
template <class M> constexpr bool is_vector = false;
template <class M> constexpr bool is_vector<std::vector<M>> = true;
template <class M> constexpr bool is_number_list = false;
template <class N> constexpr bool is_number_list<std::vector<N>> = std::is_arithmetic_v<N> && !std::is_same_v<N, bool>;
template <class M> constexpr bool is_array = false;
template <class M, std::size_t N> constexpr bool is_array<std::array<M, N>> = true;

/// An answer has every member, some of them null; a request or a document may leave members out.
enum class Side { request, answer };

template <class M> using Type = std::type_identity<M>;

/// A document of the kind, or its id; a curve of the kind that the field reads.
[[nodiscard]] Schema document_or_id(std::string_view name);
[[nodiscard]] Schema curve_schema(const model::FieldSpec& spec);

[[nodiscard]] Schema own_schema(Type<answers::ScenarioInput>, const model::FieldSpec&, Side);
[[nodiscard]] Schema own_schema(Type<answers::ScenarioPart>, const model::FieldSpec& spec, Side);
[[nodiscard]] Schema own_schema(Type<answers::ChoiceValues>, const model::FieldSpec& spec, Side);
[[nodiscard]] Schema own_schema(Type<answers::WhatIf>, const model::FieldSpec&, Side);
[[nodiscard]] Schema own_schema(Type<answers::Scaling>, const model::FieldSpec&, Side);
[[nodiscard]] Schema own_schema(Type<answers::Moment>, const model::FieldSpec&, Side);
[[nodiscard]] Schema own_schema(Type<answers::BaselineChoice>, const model::FieldSpec&, Side);
[[nodiscard]] Schema own_schema(Type<actuals::Instant>, const model::FieldSpec&, Side);
[[nodiscard]] Schema own_schema(Type<model::Distribution>, const model::FieldSpec&, Side);
[[nodiscard]] Schema own_schema(Type<answers::RawJson>, const model::FieldSpec& spec, Side);
[[nodiscard]] Schema own_schema(Type<answers::AnyJson>, const model::FieldSpec&, Side);
[[nodiscard]] Schema own_schema(Type<model::Failure>, const model::FieldSpec&, Side);
[[nodiscard]] Schema own_schema(Type<std::map<std::string, std::string>>, const model::FieldSpec& spec, Side side);
[[nodiscard]] Schema own_schema(Type<std::map<std::string, double>>, const model::FieldSpec& spec, Side);
[[nodiscard]] Schema own_schema(Type<std::map<std::string, int>>, const model::FieldSpec& spec, Side);
[[nodiscard]] Schema own_schema(Type<model::Code>, const model::FieldSpec&, Side);
[[nodiscard]] Schema own_schema(Type<bool>, const model::FieldSpec&, Side);
[[nodiscard]] Schema own_schema(Type<double>, const model::FieldSpec& spec, Side side);
[[nodiscard]] Schema own_schema(Type<model::Date>, const model::FieldSpec&, Side);
[[nodiscard]] Schema own_schema(Type<model::YearMonth>, const model::FieldSpec&, Side);
[[nodiscard]] Schema own_schema(Type<model::Identity>, const model::FieldSpec&, Side);
[[nodiscard]] Schema own_schema(Type<model::Curve>, const model::FieldSpec& spec, Side);
[[nodiscard]] Schema own_schema(Type<model::Rate>, const model::FieldSpec& spec, Side);
[[nodiscard]] Schema own_schema(Type<std::vector<std::string>>, const model::FieldSpec& spec, Side side);
[[nodiscard]] Schema own_schema(Type<model::ScenarioChoice>, const model::FieldSpec& spec, Side);
[[nodiscard]] Schema own_schema(Type<model::Secret>, const model::FieldSpec&, Side);
[[nodiscard]] Schema own_schema(Type<std::nullptr_t>, const model::FieldSpec&, Side);

} // namespace costcurve::api
