// Store calls that several daemons make concurrently: run items, deliveries, Idempotency-Keys, and waiting for changes.
#include <utility>

#include "server/storage/postgres/answer_claims.hpp"
#include "server/storage/postgres/daemons/outbox.hpp"
#include "server/storage/postgres/store.hpp"

namespace costcurve::storage::postgres {

std::unique_ptr<Share> PostgresStore::take_items(std::int64_t run, std::string_view model_version, std::size_t limit) {
    note_lost_shares();
    auto share = [&] {
        bool is_second = false;
        while (true) {
            try {
                return std::make_unique<PostgresShare>(*this, workers_.lease(), run, model_version, limit);
            } catch (const SqlError& error) {
                if (!error.is_lost() || is_second) {
                    throw;
                }
                is_second = true;
            }
        }
    }();
    if (!share->items().empty()) {
        const auto before = write_ours([&](Connection& connection, sql::ChangeMark& /*mark*/) {
            return sql::Outcome<std::vector<int>>{count_attempts(connection, run, share->items())};
        });
        share->begin(before, [this](LostShare lost) { give_back(std::move(lost)); });
    }
    return share;
}

void PostgresStore::give_back(LostShare share) {
    try {
        write([&](sql::Connection& connection) { forget_attempts(static_cast<Connection&>(connection), share.run, share.items); });
    } catch (const StoreError&) {
        const std::lock_guard lock(mutex_);
        lost_shares_.push_back(std::move(share));
    }
}

void PostgresStore::note_lost_shares() {
    std::vector<LostShare> lost;
    {
        const std::lock_guard lock(mutex_);
        lost = std::exchange(lost_shares_, {});
    }
    for (LostShare& share : lost) {
        give_back(std::move(share));
    }
}

std::vector<DueDelivery> PostgresStore::take_deliveries(std::size_t limit, std::chrono::seconds lease) {
    const std::int64_t now = this->now();
    forget_future_tries(now);
    if (!read_short([&](Connection& connection) { return has_due(connection, holder_, now); })) {
        return {};
    }
    return write_ours([&](Connection& connection, sql::ChangeMark& /*mark*/) {
        TakenDeliveries taken = take_due(connection, holder_, now, limit, lease);
        if (taken.has_new_lease) {
            has_leased_ = true;
        }
        return sql::Outcome<std::vector<DueDelivery>>{std::move(taken.deliveries), taken.has_new_lease};
    });
}

AnswerClaim PostgresStore::claim_answer(std::string_view author_name, std::string_view idempotency_key,
                                        std::string_view request_hash) {
    const AnswerRoom room = answer_room(author_name);
    const bool is_held = write_ours([&](Connection& connection, sql::ChangeMark& /*mark*/) {
        const bool claimed = room.answers > 0 && claim_key(connection, holder_, author_name, idempotency_key, request_hash, now());
        return sql::Outcome<bool>{claimed, claimed};
    });
    if (is_held) {
        watch_.hold();
        return {true, std::nullopt, false, room.bytes};
    }
    std::optional<StoredAnswer> kept = kept_answer(author_name, idempotency_key);
    const bool is_full = !kept && room.answers <= 0;
    return {false, std::move(kept), is_full};
}

void PostgresStore::release_answer(std::string_view author_name, std::string_view idempotency_key) {
    write([&](sql::Connection& connection) {
        release_key(static_cast<Connection&>(connection), holder_, author_name, idempotency_key);
    });
}

bool PostgresStore::wait_for_others(std::chrono::milliseconds timeout, const std::stop_token& stop) {
    return watch_.wait(timeout, stop);
}

} // namespace costcurve::storage::postgres
