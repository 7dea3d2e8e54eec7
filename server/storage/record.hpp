// What is stored: revisions of documents, as values. A body is text that storage keeps and never reads; what it searches,
// filters and joins by is stored beside it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/documents/kinds.hpp"

namespace costcurve::storage {

using Kind = model::DocumentKind;
inline constexpr const auto& kind_names = model::enum_names<Kind>;
/// As paths and files of documents have it: "devices", "aliases".
[[nodiscard]] inline std::string plural_of(std::string_view name) { return std::string(name) + (name.ends_with('s') ? "es" : "s"); }
using model::name_of;

/// Names a document, whatever its revision.
struct DocumentKey {
    Kind kind = Kind::curve;
    std::string id;
    friend auto operator<=>(const DocumentKey&, const DocumentKey&) = default; // NOLINT(modernize-use-nullptr): false alarm
};

/// The points of one curve of a document, ascending in x. A date is a day number, as in model::Curve.
struct Series {
    std::string pointer; ///< the place of the curve in its document: "" for a curve itself, "/hourly_price" in an offer
    std::vector<double> x;
    std::vector<double> y;
    friend bool operator==(const Series&, const Series&) = default;
};

/// What offers are filtered by.
struct OfferFacts {
    std::string provider;
    std::string region;
    std::string device;
    std::string purchase;
    std::optional<double> hourly_price; ///< of an instance; the last point where it is a curve; unknown of a curve stored apart
    friend bool operator==(const OfferFacts&, const OfferFacts&) = default;
};

/// What deliveries to a webhook need. Of a record that is read it is empty: only the outbox gives secrets.
struct WebhookFacts {
    std::string url;
    std::string secret;              ///< "": the one that is stored stays
    std::vector<std::string> events; ///< kinds; empty for all
    bool enabled = true;
};

/// What fetching a feed needs beside its document. Of a record that is read it is empty.
struct FeedFacts {
    std::string secret; ///< "": the one that is stored stays
};

/// A document's content.
struct Record {
    DocumentKey key;
    std::string title;          ///< what a search reads beside the id: name and note, for people
    std::string body;           ///< its encoding without the points of its curves; opaque here
    std::vector<Series> series; ///< the points taken out of the body
    std::vector<DocumentKey> references;
    std::optional<OfferFacts> offer;          ///< of offers
    std::optional<WebhookFacts> webhook = {}; ///< of webhooks that are to be saved
    std::optional<FeedFacts> feed = {};       ///< of feeds that are to be saved
    int encoding = 1;                         ///< the version of the document format that the body is written in
    /// Whether the body and series of a stored record in an earlier encoding say the same as this record's: then they stay, and a
    /// save of the same content is no change. May be null: such a body is replaced. May read nothing of the store.
    bool (*equals_older_body)(const Record& stored, const Record& record) = nullptr;
};

/// One revision of a document. Revisions of a document count from 1; a deletion is one of them, without a body.
struct Revision {
    Record record;
    std::int64_t revision = 0;
    std::string recorded_at; ///< RFC 3339 UTC with microseconds, by the clock of then
    std::string recorded_by; ///< the author's name
    bool deleted = false;
    std::int64_t sequence = 0;   ///< of its change: what orders revisions of different documents
    std::string unreadable = {}; ///< why its content can't be read, which is empty then; "" where it can
};

} // namespace costcurve::storage
