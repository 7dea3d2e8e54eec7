// What the store keeps beside documents, as answers list it: revisions, the audit, events and their deliveries, results.
#pragma once

#include "model/documents/automation.hpp"
#include "model/documents/field.hpp"
#include "server/storage/audit.hpp"
#include "server/storage/event.hpp"
#include "server/storage/record.hpp"
#include "server/storage/run.hpp"

namespace costcurve::documents {

/// A stored document that can't be read, in the place of the document.
struct UnreadableDocument {
    std::string id;
    std::int64_t revision = 0;
    std::string recorded_at;
    std::string recorded_by;
    std::string problem; ///< JSON
};

/// A stored result in the list of its scenario's.
struct ResultEntry : storage::StoredResult {
    explicit ResultEntry(storage::StoredResult result) : StoredResult(std::move(result)), currency(headline.currency) {}
    std::string currency;
};

/// The event that a test of a webhook sends.
struct EventBegun {
    std::int64_t event = 0;
};

} // namespace costcurve::documents

namespace costcurve::model {

template <> inline constexpr auto enum_names<storage::DeliveryState> = storage::delivery_state_names;

inline constexpr FieldSpec kNumberSpec{.min = 1};
inline constexpr FieldSpec kTimeSpec{.format = Format::date_time};
inline constexpr FieldSpec kEventKindSpec{.words = enum_names<EventKind>};
inline constexpr FieldSpec kSubjectSpec{.help = "what it is about: its kind and id"};

/// Which revision it is, when it was stored and by whom.
template <class T>
inline constexpr auto recorded_fields = Rows{
    Field<T, std::int64_t>{"revision", &T::revision, kNumberSpec},
    Field<T, std::string>{"recorded_at", &T::recorded_at, kTimeSpec},
    Field<T, std::string>{"recorded_by", &T::recorded_by, {}},
};
template <> inline constexpr std::string_view document_name<storage::Revision> = "revision";
template <>
inline constexpr auto fields<storage::Revision> = join(recorded_fields<storage::Revision>,
                                                       Rows{Field{"deleted", &storage::Revision::deleted, {}}});
template <> inline constexpr std::string_view document_name<documents::UnreadableDocument> = "unreadable_document";
template <>
inline constexpr auto fields<documents::UnreadableDocument> = join(
    Rows{Field{"id", &documents::UnreadableDocument::id, {.format = Format::slug}}}, recorded_fields<documents::UnreadableDocument>,
    Rows{Field{"problem", &documents::UnreadableDocument::problem, {.schema = "problem"}}});
template <> inline constexpr std::string_view document_name<storage::AuditEntry> = "change";
template <>
inline constexpr auto fields<storage::AuditEntry> = Rows{
    Field{"sequence", &storage::AuditEntry::sequence, kNumberSpec},
    Field{"recorded_at", &storage::AuditEntry::recorded_at, kTimeSpec},
    Field{"author", &storage::AuditEntry::author, {.help = "a key's name; local without one, cli from the command line"}},
    Field{"address", &storage::AuditEntry::address, {.help = "the client's; \"\" from the command line"}},
    Field{"request_id", &storage::AuditEntry::request_id, {.help = "\"\" from the command line"}},
    Field{"action", &storage::AuditEntry::action, {}},
    Field{"subject", &storage::AuditEntry::subject, {.help = "a document, a key's name, or how many"}},
};
template <> inline constexpr std::string_view document_name<storage::Event> = "event";
template <>
inline constexpr auto fields<storage::Event> = Rows{
    Field{"event", &storage::Event::id, kNumberSpec},
    Field{"recorded_at", &storage::Event::recorded_at, kTimeSpec},
    Field{"kind", &storage::Event::kind, kEventKindSpec},
    Field{"subject", &storage::Event::subject, kSubjectSpec},
    Field{"data", &storage::Event::body, {.help = "by kind", .schema = "object"}},
};
template <>
inline constexpr auto fields<documents::EventBegun> =
    Rows{Field{"event", &documents::EventBegun::event, {.min = 1, .help = "GET /v1/deliveries?event= says how it went"}}};
template <> inline constexpr std::string_view document_name<storage::Delivery> = "delivery";
template <>
inline constexpr auto fields<storage::Delivery> = Rows{
    Field{"id", &storage::Delivery::id, {.help = "X-Costcurve-Delivery: the same each time it is tried"}},
    Field{"event", &storage::Delivery::event, kNumberSpec},
    Field{"kind", &storage::Delivery::kind, kEventKindSpec},
    Field{"subject", &storage::Delivery::subject, kSubjectSpec},
    Field{"webhook", &storage::Delivery::webhook, {.format = Format::slug}},
    Field{"state", &storage::Delivery::state, {}},
    Field{"attempts", &storage::Delivery::attempts, {.min = 0}},
    Field{"next_try_at",
          &storage::Delivery::next_try_at,
          {.format = Format::date_time, .help = "while it is pending", .null_if_empty = true}},
    Field{"last_try_at", &storage::Delivery::last_try_at, {.format = Format::date_time, .null_if_empty = true}},
    Field{"last_status", &storage::Delivery::last_status, {.help = "of HTTP; null where there was no answer"}},
    Field{"last_error", &storage::Delivery::last_error, {.null_if_empty = true}},
};
template <> inline constexpr std::string_view document_name<storage::Headline> = "headline";
template <>
inline constexpr auto fields<storage::Headline> = Rows{
    Field{"cost", &storage::Headline::cost, {}},
    Field{"cash", &storage::Headline::cash, {}},
    Field{"npv", &storage::Headline::npv, {}},
    Field{"npv_after_tax", &storage::Headline::npv_after_tax, {}},
    Field{"energy_kwh", &storage::Headline::energy_kwh, {.help = "null where not known"}},
    Field{"carbon_kg", &storage::Headline::carbon_kg, {.help = "null where not known"}},
};
template <> inline constexpr std::string_view document_name<documents::ResultEntry> = "kept_result";
template <>
inline constexpr auto fields<documents::ResultEntry> = Rows{
    Field{"number", &storage::StoredResult::number, kNumberSpec},
    Field{"recalculation", &storage::StoredResult::run, {.format = Format::digits}},
    Field{"recorded_at", &storage::StoredResult::recorded_at, kTimeSpec},
    Field{"inputs_hash", &storage::StoredResult::inputs_hash, {.pattern = "^[0-9a-f]{64}$"}},
    Field{"model_version", &storage::StoredResult::model_version, {}},
    Field{"currency", &documents::ResultEntry::currency, {.format = Format::currency}},
    Field{"total", &storage::StoredResult::headline, {}},
};

} // namespace costcurve::model
