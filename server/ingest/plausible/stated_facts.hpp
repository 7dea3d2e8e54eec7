// Whether the numbers beside the price of an offer, and those of a server, a site, a performance and bought throughput are
// plausible.
#pragma once

#include <map>
#include <string>

#include "model/documents/kinds.hpp"
#include "server/storage/snapshot.hpp"

namespace costcurve::ingest {

/// Takes the offers, endpoints, servers, sites and performances of one list.
class StatedNumbers {
public:
    /// Keeps a copy where it states a number that no other guard judges.
    template <class T> void add(const T& document);

    /// Why they are held:
    /// - a number that is stated is about twice or half what is stored of it, or beyond (chances of spot machines four times or a
    ///   fourth), or of the other sign, or 0;
    /// - it is out of what the catalogue's machines and sites have, by far (kUsual), and is not stored so;
    /// - it is in another currency than before;
    /// - a server has another device than before, or another number of them; a new one costs by the device a third or three times
    /// the median of servers with
    ///   boards of its chip, by rough rates, where none is stored a sixth or six times what chips of its size do; or there is no
    ///   rough rate of its currency.
    [[nodiscard]] std::map<storage::DocumentKey, std::string> reasons(const storage::Snapshot& snapshot) const;
    /// The first of these reasons, against `before` rather than what is stored; "" where no document here has its id.
    [[nodiscard]] std::string reason_since(const model::AnyDocument& before) const;
    /// By their keys; of two of one id the later.
    [[nodiscard]] const std::map<storage::DocumentKey, model::AnyDocument>& documents() const { return documents_; }

private:
    std::map<storage::DocumentKey, model::AnyDocument> documents_;
};

} // namespace costcurve::ingest
