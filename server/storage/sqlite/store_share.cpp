// Store calls for work shared by threads of a process: run items, Idempotency-Keys, deliveries.
#include <condition_variable>
#include <mutex>
#include <utility>

#include "server/storage/sqlite/outbox.hpp"
#include "server/storage/sqlite/runs.hpp"
#include "server/storage/sqlite/store.hpp"

namespace costcurve::storage::sqlite {

void TakenItems::give_back(std::int64_t run, std::span<const RunItem> items) {
    const std::lock_guard lock(mutex_);
    std::set<std::int64_t>& taken = taken_[run];
    for (const RunItem& item : items) {
        taken.erase(item.document);
    }
    if (taken.empty()) {
        taken_.erase(run);
    }
}

bool HeldKeys::hold(std::string_view author, std::string_view key) {
    const std::lock_guard lock(mutex_);
    return held_.emplace(author, key).second;
}

void HeldKeys::release(std::string_view author, std::string_view key) {
    const std::lock_guard lock(mutex_);
    held_.erase({std::string(author), std::string(key)});
}

SqliteShare::~SqliteShare() { store_.taken_items_.give_back(run_, items_); }

bool SqliteShare::finish(std::span<const RunOutcome> outcomes) { return store_.finish_items(run_, outcomes); }

AnswerClaim SqliteStore::claim_answer(std::string_view author_name, std::string_view idempotency_key,
                                      std::string_view /*request_hash*/) {
    if (!held_keys_.hold(author_name, idempotency_key)) {
        return {};
    }
    AnswerClaim claim;
    try {
        claim.kept = kept_answer(author_name, idempotency_key);
        const AnswerRoom room = claim.kept ? AnswerRoom() : answer_room(author_name);
        claim.is_full = !claim.kept && room.answers <= 0;
        claim.is_held = room.answers > 0;
        claim.room = room.bytes;
    } catch (...) {
        held_keys_.release(author_name, idempotency_key);
        throw;
    }
    if (!claim.is_held) {
        held_keys_.release(author_name, idempotency_key);
    }
    return claim;
}

void SqliteStore::release_answer(std::string_view author_name, std::string_view idempotency_key) {
    held_keys_.release(author_name, idempotency_key);
}

// One daemon delivers from a file, so there are no leases.
std::vector<DueDelivery> SqliteStore::take_deliveries(std::size_t limit, std::chrono::seconds /*lease*/) {
    const std::int64_t now = this->now();
    forget_future_tries(now);
    return find_due(*readers_.lease(), now, limit);
}

std::unique_ptr<Share> SqliteStore::take_items(std::int64_t run, std::string_view model_version, std::size_t limit) {
    const Lease reader = readers_.lease();
    std::vector<RunItem> items = taken_items_.take(
        run, [&](const std::set<std::int64_t>& taken) { return find_items(*reader, run, model_version, taken, limit); });
    return std::make_unique<SqliteShare>(*this, run, std::move(items));
}

bool SqliteStore::finish_items(std::int64_t run, std::span<const RunOutcome> outcomes) {
    const Lease writer = writer_.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    const bool goes_on = sqlite::finish_items(*writer, run, outcomes, now());
    transaction.commit();
    return goes_on;
}

// Only command line verbs write to the file beside the daemon, and they need nobody to be woken.
bool SqliteStore::wait_for_others(std::chrono::milliseconds timeout, const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait_for(lock, stop, timeout, [] { return false; });
    return false;
}

} // namespace costcurve::storage::sqlite
