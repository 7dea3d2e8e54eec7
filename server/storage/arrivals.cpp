// One statement a table, for some hundred documents at a time.
#include "server/storage/arrivals.hpp"

#include "server/storage/page.hpp"
#include "server/storage/points.hpp"

namespace costcurve::storage {

namespace {

constexpr std::size_t kMost = 250; // at a time: their rows stand in the processor's cache

constexpr const char* kLastDocument = "SELECT coalesce(max(document), 0) FROM document";
constexpr const char* kLastBody = "SELECT coalesce(max(body), 0) FROM body";
constexpr const char* kAddDocuments = "INSERT INTO document (document, kind, id) SELECT c0, c1, c2 FROM given";
constexpr const char* kAddBodies = "INSERT INTO body (body, text) SELECT c0, c1 FROM given";
constexpr const char* kAddRevisions = R"(
    INSERT INTO revision (row, document, revision, since, until, deleted, kind, id, title, search, body,
                          provider, region, device, purchase, hourly_price)
    SELECT c0 << 32 | c1, c0, 1, c1, 9223372036854775807, 0, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11 FROM given)";
constexpr const char* kAddPoints = "INSERT INTO point (document, pointer, x, since, y) SELECT c0, c1, c2, c3, c4 FROM given";

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
    write_points();
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
        const std::string_view kind = name_of(record->key.kind);
        const std::string& id = record->key.id;
        searched.push_back(lower(record->title));
        documents.add({document, kind, id});
        bodies.add({++body, record->body});
        const auto with = [&](Cell provider, Cell region, Cell device, Cell purchase, Cell hourly_price) {
            revisions.add({document, change_.sequence(), kind, id, record->title, searched.back(), body, provider, region, device,
                           purchase, hourly_price});
        };
        if (const auto& offer = record->offer) {
            with(offer->provider, offer->region, offer->device, offer->purchase,
                 offer->hourly_price ? Cell(*offer->hourly_price) : Cell());
        } else {
            with({}, {}, {}, {}, {});
        }
        ++document;
    }
    Rows(database_, kAddDocuments, documents).run();
    Rows(database_, kAddBodies, bodies).run();
    Rows(database_, kAddRevisions, revisions).run();
}

void Arrivals::write_points() {
    Given points;
    std::int64_t document = first_;
    for (const Record* const record : records_) {
        for (const Series& series : record->series) {
            auto known = pointers_.find(series.pointer);
            if (known == pointers_.end()) {
                known = pointers_.emplace(series.pointer, find_or_add_pointer(database_, series.pointer)).first;
            }
            for (std::size_t i = 0; i < series.x.size(); ++i) {
                points.add({document, known->second, series.x[i], change_.sequence(), series.y[i]});
            }
        }
        ++document;
    }
    Rows(database_, kAddPoints, points).run();
}

} // namespace costcurve::storage
