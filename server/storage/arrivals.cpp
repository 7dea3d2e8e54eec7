// One statement a table, for a thousand documents at a time.
#include "server/storage/arrivals.hpp"

#include "server/storage/page.hpp"

namespace costcurve::storage {

namespace {

constexpr std::size_t kMost = 1000; // at a time: their rows stand in memory

constexpr const char* kLastDocument = "SELECT coalesce(max(document), 0) FROM document";
constexpr const char* kLastBody = "SELECT coalesce(max(body), 0) FROM body";
constexpr const char* kLastCurve = "SELECT coalesce(max(curve), 0) FROM curve";
constexpr const char* kAddDocuments = "INSERT INTO document (document, kind, id) SELECT c0, c1, c2 FROM given";
constexpr const char* kAddBodies = "INSERT INTO body (body, text) SELECT c0, c1 FROM given";
constexpr const char* kAddRevisions = R"(
    INSERT INTO revision (document, revision, since, until, deleted, kind, id, title, search, body,
                          provider, region, device, purchase, hourly_price)
    SELECT c0, 1, c1, 9223372036854775807, 0, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11 FROM given)";
constexpr const char* kAddCurves = "INSERT INTO curve (curve, document, pointer) SELECT c0, c1, c2 FROM given";
constexpr const char* kAddPoints = "INSERT INTO point (curve, x, since, y) SELECT c0, c1, c2, c3 FROM given";

} // namespace

std::int64_t Arrivals::add(const Record& record) {
    if (records_.size() >= kMost) {
        write();
    }
    if (first_ == 0) {
        first_ = database_.number(kLastDocument) + 1;
    }
    records_.push_back(&record);
    return first_ + std::ssize(records_) - 1;
}

void Arrivals::write() {
    if (records_.empty()) {
        return;
    }
    write_documents();
    write_curves();
    first_ += std::ssize(records_);
    records_.clear();
}

void Arrivals::write_documents() {
    Given documents;
    Given bodies;
    Given revisions;
    std::vector<std::string> searched;
    searched.reserve(records_.size()); // what stands in it stays where it is
    std::int64_t document = first_;
    std::int64_t body = database_.number(kLastBody);
    for (const Record* const record : records_) {
        const auto& [kind, id] = record->key;
        searched.push_back(lower(id + "\n" + record->title));
        documents.add({document, name_of(kind), id});
        bodies.add({++body, record->body});
        const auto with = [&](Cell provider, Cell region, Cell device, Cell purchase, Cell hourly_price) {
            revisions.add({document, change_.sequence(), name_of(kind), id, record->title, searched.back(), body, provider, region,
                           device, purchase, hourly_price});
        };
        if (const auto& offer = record->offer) {
            with(offer->provider, offer->region, offer->device, offer->purchase,
                 offer->hourly_price ? Cell(*offer->hourly_price) : Cell());
        } else {
            with({}, {}, {}, {}, {});
        }
        ++document;
    }
    database_.run_with(kAddDocuments, documents);
    database_.run_with(kAddBodies, bodies);
    database_.run_with(kAddRevisions, revisions);
}

void Arrivals::write_curves() {
    Given curves;
    Given points;
    std::int64_t document = first_;
    std::int64_t curve = database_.number(kLastCurve);
    for (const Record* const record : records_) {
        for (const Series& series : record->series) {
            curves.add({++curve, document, series.pointer});
            for (std::size_t i = 0; i < series.x.size(); ++i) {
                points.add({curve, series.x[i], change_.sequence(), series.y[i]});
            }
        }
        ++document;
    }
    database_.run_with(kAddCurves, curves);
    database_.run_with(kAddPoints, points);
}

} // namespace costcurve::storage
