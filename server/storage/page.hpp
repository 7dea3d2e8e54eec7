// Pages of documents by id, filtered by index: the current ones, or those as of a change.
#pragma once

#include "server/storage/content.hpp"

namespace costcurve::storage {

/// At most limit + 1 revisions that are not deleted, without their content, ascending by id.
[[nodiscard]] std::vector<Stored> find_page(Database& database, const ListQuery& query, std::int64_t sequence, bool is_current);

/// Lower case in ASCII, as titles are searched.
[[nodiscard]] std::string lower(std::string_view text);

} // namespace costcurve::storage
