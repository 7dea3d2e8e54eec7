// The order of values in each hash of the audit chain. Stored: a change here makes every check fail.
#include "server/storage/writes/chain.hpp"

#include <algorithm>

namespace costcurve::storage {

RevisionRow row_of(const Record& record, std::int64_t document, std::int64_t since, std::int64_t revision, bool deleted) {
    RevisionRow row;
    row.document = document;
    row.since = since;
    row.revision = revision;
    row.deleted = deleted;
    row.kind = name_of(record.key.kind);
    row.id = record.key.id;
    row.title = record.title;
    if (record.offer && !deleted) {
        row.provider = record.offer->provider;
        row.region = record.offer->region;
        row.device = record.offer->device;
        row.purchase = record.offer->purchase;
        row.hourly_price = record.offer->hourly_price;
    }
    return row;
}

Hash hash_of_revision(const RevisionRow& row, const Hash& body, std::span<const CurveRows> curves,
                      std::span<const DocumentKey> references) {
    HashInput input;
    input.add(row.document).add(row.since).add(row.revision).add(std::int64_t{row.deleted ? 1 : 0});
    input.add(row.kind).add(row.id).add(row.title);
    input.add(row.provider).add(row.region).add(row.device).add(row.purchase).add(row.hourly_price);
    input.add(text_of(body));
    input.add(std::ssize(curves));
    for (const CurveRows& curve : curves) {
        input.add(std::string_view(curve.pointer)).add(std::ssize(curve.rows));
        for (const PointRow& point : curve.rows) {
            input.add(point.x).add(point.y);
        }
    }
    input.add(std::ssize(references));
    for (const DocumentKey& key : references) {
        input.add(name_of(key.kind)).add(std::string_view(key.id));
    }
    return input.take();
}

Hash hash_of_result(const ResultRow& row) {
    HashInput input;
    input.add(row.scenario).add(row.number).add(row.run).add(row.recorded_at).add(row.inputs_hash).add(row.model_version);
    const Headline& of = row.headline;
    input.add(std::string_view(of.currency)).add(of.cost).add(of.cash).add(of.npv).add(of.npv_after_tax);
    for (const std::optional<double>& metered : {of.energy_kwh, of.carbon_kg}) {
        metered ? input.add(*metered) : input.add(std::string_view("not known"));
    }
    if (of.feasible) { // results before version 2 have neither
        input.add(std::int64_t{*of.feasible ? 1 : 0}).add(std::string_view(of.decide_by));
    }
    return input.add(row.packed).take();
}

Hash link_of(const Hash& previous, const ChangeRow& change) {
    HashInput input;
    input.add(text_of(previous)).add(change.sequence).add(change.era).add(change.recorded_at).add(change.author);
    input.add(change.address).add(change.request_id).add(change.action).add(change.subject);
    return input.add(change.content ? text_of(*change.content) : std::string_view()).take();
}

Hash content_of(std::vector<std::pair<std::int64_t, Hash>> hashes) {
    std::sort(hashes.begin(), hashes.end());
    std::string bytes;
    bytes.reserve(hashes.size() * sizeof(Hash));
    for (const auto& [order, hash] : hashes) {
        bytes += text_of(hash);
    }
    return hash_of(bytes);
}

Hash hash_of_secret(std::string_view name, std::string_view role, std::string_view hash) {
    return HashInput().add(name).add(role).add(hash).take();
}

Hash hash_of_seal(std::string_view subject, const Hash& hash) { return HashInput().add(subject).add(text_of(hash)).take(); }

Hash hash_of_standing(const StandingRow& row) {
    HashInput input;
    input.add(row.comparison).add(row.run).add(row.recorded_at).add(row.objective).add(row.currency).add(row.cheapest);
    return input.add(row.figure).add(std::int64_t{row.is_base ? 1 : 0}).add(row.event).add(row.body).take();
}

} // namespace costcurve::storage
