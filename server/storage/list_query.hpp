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
    std::string after;                              ///< last id of the previous page; "" for the first page
    std::string text;                               ///< contained in id or title, case ignored (ASCII); "" for all
    std::string provider, region, device, purchase; ///< offers only; "" for all
    std::optional<double> max_hourly_price;         ///< offers only
    std::size_t max_bytes = 4U << 20U;              ///< the page ends early if its documents exceed this
};
struct Page {
    std::vector<Revision> items; ///< ascending by id
    bool more = false;
};

/// Cuts `rows`, read with a limit of one more, to `limit`. True if there was one more row.
template <class Row> [[nodiscard]] bool cut_to(std::vector<Row>& rows, std::size_t limit) {
    const bool more = rows.size() > limit;
    if (more) {
        rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(limit), rows.end());
    }
    return more;
}

/// A page under construction, limited by the query's max_bytes.
class PageFill {
public:
    PageFill(std::size_t max_bytes, bool more) : max_bytes_(max_bytes) { page_.more = more; }
    /// Adds a revision. False if the page is not empty and would exceed max_bytes; the revision is then left out.
    [[nodiscard]] bool add(Revision revision);
    [[nodiscard]] Page take() { return std::move(page_); }

private:
    std::size_t max_bytes_;
    std::size_t bytes_ = 0;
    Page page_;
};

} // namespace costcurve::storage
