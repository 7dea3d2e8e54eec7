// Pages of documents: the query, its answer, and how a page is put together.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/storage/record.hpp"

namespace costcurve::storage {

struct ListQuery {
    Kind kind = Kind::curve;
    std::size_t limit = 100;
    std::string after;                              ///< the id that the page before ended with; "" for the first
    std::string text;                               ///< contained in id or title, case ignored (ASCII); "" for all
    std::string provider, region, device, purchase; ///< of offers; "" for all
    std::optional<double> max_hourly_price;         ///< of offers
    std::size_t max_bytes = 4U << 20U;              ///< the page ends early where its documents grow larger than this
};
struct Page {
    std::vector<Revision> items; ///< ascending by id
    bool more = false;
};

/// Cuts rows that were read up to one more than the limit; true where there was one more.
template <class Row> [[nodiscard]] bool cut_to(std::vector<Row>& rows, std::size_t limit) {
    const bool more = rows.size() > limit;
    if (more) {
        rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(limit), rows.end());
    }
    return more;
}

/// A page while it is put together, up to its query's bytes.
class PageFill {
public:
    PageFill(std::size_t max_bytes, bool more) : max_bytes_(max_bytes) { page_.more = more; }
    /// False where the page, which has a revision already, would grow too large by this one: then it is full without it.
    [[nodiscard]] bool add(Revision revision);
    [[nodiscard]] Page take() { return std::move(page_); }

private:
    std::size_t max_bytes_;
    std::size_t bytes_ = 0;
    Page page_;
};

} // namespace costcurve::storage
