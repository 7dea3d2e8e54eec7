// Store calls that save. Single saves are queued: concurrent saves share a transaction.
#include "server/storage/sql/store.hpp"

namespace costcurve::storage::sql {

void refuse_second_visit(bool has_begun) {
    if (has_begun) {
        throw StoreError(StoreError::Cause::unavailable, "the connection to the database broke in the middle of a read: try again");
    }
}

SqlStore::SqlStore(StoreSettings settings)
    : settings_(std::move(settings)), busy_timeout_{settings_.busy_timeout_ms, &waits_},
      saves_(busy_timeout_, [this](std::span<const WaitingSave> saves) { return save_together(saves); }) {}

SaveOutcome SqlStore::save(const Author& author, const Record& record, const Condition& condition) {
    check_records(std::span(&record, 1));
    return saves_.save({author, record, condition});
}

} // namespace costcurve::storage::sql
