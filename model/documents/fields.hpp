// The field tables: name, unit, range, default and help of every field of every document. One truth for
// decoding, encoding, the OpenAPI text, `/v1/fields`, the dashboard's forms and the check of the docs.
// A default is the member's initializer in model/documents/documents.hpp. Conversion of currencies goes by `unit` too.
#pragma once

#include <tuple>
#include <type_traits>

#include "model/documents/fields_contracts.hpp"
#include "model/documents/fields_hardware.hpp"
#include "model/documents/fields_work.hpp"

namespace costcurve::model {

/// What a document or a part of one is called in lists of all: its own name, or the field's where it is a part only.
template <class T> inline constexpr std::string_view part_name = document_name<T>;
template <> inline constexpr std::string_view part_name<Estimate> = "estimate";
template <> inline constexpr std::string_view part_name<Demand> = "demand";
template <> inline constexpr std::string_view part_name<Checkpoint> = "checkpoint";
template <> inline constexpr std::string_view part_name<RunsOn> = "runs_on";
template <> inline constexpr std::string_view part_name<Porting> = "porting";
template <> inline constexpr std::string_view part_name<ServerPurchase> = "purchase";
template <> inline constexpr std::string_view part_name<Lease> = "lease";
template <> inline constexpr std::string_view part_name<Loan> = "loan";
template <> inline constexpr std::string_view part_name<Allocation> = "allocation";

/// Calls `visit` with std::type_identity<T> of every document and part that has a table, in the order of the documentation.
template <class F> void for_each_document(F&& visit) {
    const auto each = [&]<class... T>(std::type_identity<std::tuple<T...>>) { (visit(std::type_identity<T>{}), ...); };
    each(std::type_identity<std::tuple<Device, Slice, Curve, Offer, Server, Site, Model, Endpoint, Alias, Performance, Estimate,
                                       ScenarioDocument, Finance, Allocation, Workload, Demand, Checkpoint, RunsOn, Porting, Pool,
                                       ServerPurchase, Lease, Loan, ExtraCost, DemandCharge, EnergyTier>>{});
}

} // namespace costcurve::model
