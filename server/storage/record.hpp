// Stored documents and their revisions as values. A body is opaque text to the store; the data for searches, filters and joins is
// stored beside it.
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
/// The plural used in paths and file names: "devices", "aliases".
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

/// Filter columns of offers.
struct OfferFacts {
    std::string provider;
    std::string region;
    std::string device;
    std::string purchase;
    std::optional<double> hourly_price; ///< price of an instance; the last point of a curve; empty for a curve stored apart
    friend bool operator==(const OfferFacts&, const OfferFacts&) = default;
};

/// Data for deliveries to a webhook. Empty in a record read from the store: only the outbox returns secrets.
struct WebhookFacts {
    std::string url;
    std::string secret;              ///< "" keeps the stored secret
    std::vector<std::string> events; ///< kinds; empty for all
    bool enabled = true;
};

/// Data for fetching a feed, beside its document. Empty in a record read from the store.
struct FeedFacts {
    std::string secret; ///< "" keeps the stored secret
};

/// A document's content.
struct Record {
    DocumentKey key;
    std::string title;          ///< searched text beside the id: name and note
    std::string body;           ///< encoded document without the points of its curves; opaque here
    std::vector<Series> series; ///< the points taken out of the body
    std::vector<DocumentKey> references;
    std::optional<OfferFacts> offer;          ///< of offers
    std::optional<WebhookFacts> webhook = {}; ///< of webhooks that are to be saved
    std::optional<FeedFacts> feed = {};       ///< of feeds that are to be saved
    int encoding = 1;                         ///< the version of the document format that the body is written in
    /// Whether a stored record in an earlier encoding has the same content as this record. If so, the stored body stays and the
    /// save is no change. If null, older bodies are replaced. Must not read from the store.
    bool (*equals_older_body)(const Record& stored, const Record& record) = nullptr;
};

/// One revision of a document. Revisions of a document count from 1; a deletion is one of them, without a body.
struct Revision {
    Record record;
    std::int64_t revision = 0;
    std::string recorded_at; ///< RFC 3339 UTC with microseconds, by the store's clock at that time
    std::string recorded_by; ///< the author's name
    bool deleted = false;
    std::int64_t sequence = 0;   ///< number of its change, which orders revisions across documents
    std::string unreadable = {}; ///< why the content, then empty, can't be read; "" if it can
};

} // namespace costcurve::storage
