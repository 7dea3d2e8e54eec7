// Helpers of lists: sizes of revisions for a page, and case folding for searches.
#include "server/storage/list_query.hpp"

namespace costcurve::storage {

namespace {

std::size_t bytes_of(const Record& record) {
    std::size_t bytes = record.body.size();
    for (const Series& series : record.series) {
        bytes += series.x.size() * (sizeof(double) + sizeof(double));
    }
    return bytes;
}

} // namespace

bool PageFill::add(Revision revision) {
    bytes_ += bytes_of(revision.record);
    if (bytes_ > max_bytes_ && !page_.items.empty()) {
        page_.more = true;
        return false;
    }
    page_.items.push_back(std::move(revision));
    return true;
}

} // namespace costcurve::storage
