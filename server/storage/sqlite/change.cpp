// Changes of an era are one range of an index.
#include "server/storage/sqlite/change.hpp"

#include <algorithm>

#include "server/storage/timestamp.hpp"

namespace costcurve::storage::sqlite {

namespace {

constexpr const char* kLastChange = "SELECT sequence, era, recorded_at, link FROM change ORDER BY sequence DESC LIMIT 1";
constexpr const char* kAddChange = R"(
    INSERT INTO change (sequence, era, recorded_at, author, address, request_id, action, subject) VALUES (?, ?, ?, ?, ?, ?, ?, ?))";
constexpr const char* kClose = "UPDATE change SET content = CAST(? AS BLOB), link = CAST(? AS BLOB) WHERE sequence = ?";
constexpr const char* kLastEra = "SELECT coalesce(max(era), 0) FROM change";
constexpr const char* kChangeInEra =
    "SELECT sequence FROM change WHERE era = ? AND recorded_at <= ? ORDER BY recorded_at DESC LIMIT 1";

} // namespace

std::int64_t Change::sequence() {
    if (is_recorded()) {
        return number_.sequence;
    }
    ChangeNumber last;
    {
        Rows rows(database_, kLastChange);
        if (rows.next()) {
            last = {rows.integer(0), rows.integer(1), rows.integer(2)};
            std::ranges::copy(rows.text(3).substr(0, previous_link_.size()), previous_link_.begin());
        }
    }
    number_ = next_change(last, now_);
    recorded_at_text_ = format_time(number_.recorded_at);
    Rows(database_, kAddChange, number_.sequence, number_.era, number_.recorded_at, author_.name, author_.address,
         author_.request_id, action_, subject_)
        .run();
    return number_.sequence;
}

void Change::close(const std::optional<Hash>& content) {
    const Hash link = link_of(previous_link_, {number_.sequence, number_.era, number_.recorded_at, author_.name, author_.address,
                                               author_.request_id, action_, subject_, content});
    const auto text = content ? std::optional(text_of(*content)) : std::nullopt;
    Rows(database_, kClose, text, text_of(link), number_.sequence).run();
}

void Change::finish() {
    if (is_recorded()) {
        close(content_of(std::move(hashes_)));
    }
}

void Change::finish_as_action() {
    static_cast<void>(sequence());
    close(std::nullopt);
}

std::int64_t change_at(Database& database, std::int64_t moment) {
    for (std::int64_t era = database.number(kLastEra); era >= 0; --era) { // an era begins with its earliest change
        Rows rows(database, kChangeInEra, era, moment);
        if (rows.next()) {
            return rows.integer(0);
        }
    }
    return 0;
}

} // namespace costcurve::storage::sqlite
