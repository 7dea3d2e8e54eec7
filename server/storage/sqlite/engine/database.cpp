// SQLite behind Database, Rows and Transaction, and the one table of what its error codes mean to an operator.
#include "server/storage/sqlite/engine/database.hpp"

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/storage/sqlite/engine/input_rows.hpp"

namespace costcurve::storage::sqlite {

namespace {

using Cause = StoreError::Cause;

struct Meaning {
    int code; // SQLite's primary code
    Cause cause;
    const char* advice;
};
constexpr Meaning kMeanings[] = {
    {SQLITE_BUSY, Cause::busy, "another process or a long write holds the database: try again, or stop it first"},
    {SQLITE_LOCKED, Cause::busy, "another connection holds the database: try again"},
    {SQLITE_PROTOCOL, Cause::busy, "other processes keep the database's lock: try again, or stop them first"},
    {SQLITE_FULL, Cause::full, "the disk or the database's allowed size is full: free some space or allow more"},
    {SQLITE_READONLY, Cause::read_only, "the file can't be written: check its permissions, its folder's, and the file system"},
    {SQLITE_PERM, Cause::read_only, "access is denied: check the file's permissions"},
    {SQLITE_CORRUPT, Cause::corrupt, "the file is damaged: stop the daemon and restore a backup"},
    {SQLITE_NOTADB, Cause::foreign_file, "the file is not a costcurve database: give another path, nothing was changed"},
    {SQLITE_CANTOPEN, Cause::unavailable, "the file can't be opened: check that its folder is there and may be written"},
    {SQLITE_NOMEM, Cause::unavailable, "memory ran out"},
    {SQLITE_IOERR, Cause::unavailable, "the disk failed to read or write: check it and the system's log"},
};
constexpr Meaning kUnknown = {SQLITE_ERROR, Cause::unavailable, "this should not happen: please report it"};
constexpr Meaning kDiskFull = kMeanings[3];
constexpr Meaning kDamaged = kMeanings[6];
static_assert(kDiskFull.cause == Cause::full && kDamaged.cause == Cause::corrupt);

bool begins_like_sqlite(const std::string& path) {
    constexpr std::string_view magic{"SQLite format 3\0", 16};
    std::string head(magic.size(), ' ');
    std::ifstream file(path, std::ios::binary);
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    return head == magic;
}

// Whether a file of the database has reached the process's file size limit: after a short write SQLite loses the error of the next
// write.
bool is_at_file_limit(const std::string& path) {
    constexpr std::uintmax_t kNear = 65536; // bytes
    struct rlimit limit {};
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return false;
    }
    for (const std::string& file : {path, path + "-wal"}) {
        std::error_code none;
        const std::uintmax_t size = std::filesystem::file_size(file, none);
        if (!none && size + kNear > limit.rlim_cur) {
            return true;
        }
    }
    return false;
}

Meaning meaning_of(int code, int system_error, const std::string& path) {
    const int primary = code & 0xff;
    if (primary == SQLITE_IOERR && (system_error == ENOSPC || system_error == EDQUOT || system_error == EFBIG)) {
        return kDiskFull;
    }
    if (code == SQLITE_IOERR_WRITE && is_at_file_limit(path)) {
        return kDiskFull;
    }
    if (primary == SQLITE_NOTADB && begins_like_sqlite(path)) {
        return kDamaged; // the header is valid but the rest isn't
    }
    for (const Meaning& meaning : kMeanings) {
        if (meaning.code == primary) {
            return meaning;
        }
    }
    return kUnknown;
}

// Disables SQLite's global locks, which makes two threads read three times as fast: each connection is used by one thread at a
// time, and memory statistics aren't needed.
void configure_once() {
    static const int done = [] {
        if (sqlite3_config(SQLITE_CONFIG_MULTITHREAD) != SQLITE_OK || sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) != SQLITE_OK) {
            throw std::logic_error("SQLite was in use before the store");
        }
        return 0;
    }();
    static_cast<void>(done);
}

// Creates a new file for its owner only; SQLite then creates the log with the same mode. If this fails, SQLite reports the error.
void create_private(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor >= 0) {
        ::close(descriptor);
    }
}

int open_flags(Database::Access access) {
    const int how = access == Database::Access::read    ? SQLITE_OPEN_READONLY
                    : access == Database::Access::write ? SQLITE_OPEN_READWRITE
                                                        : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    return how | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
}

} // namespace

void Database::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Database::Database(const std::filesystem::path& path, Access access, BusyTimeout busy_timeout)
    : path_(std::filesystem::absolute(path).string()), wait_{busy_timeout, {}} { // absolute: no ":memory:", no "file:" addresses
    configure_once();
    if (access == Access::create) {
        create_private(path_);
    }
    const int code = sqlite3_open_v2(path_.c_str(), &connection_, open_flags(access), nullptr);
    try {
        check(code);
        check(add_input_rows_table(connection_, &input_rows_));
        sqlite3_busy_handler(connection_, wait_for_lock, &wait_);
        sqlite3_db_config(connection_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
        sqlite3_db_config(connection_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr); // a file may come from anywhere
    } catch (...) {
        sqlite3_close(connection_);
        throw;
    }
}

Database::~Database() {
    statements_.clear();
    sqlite3_close(connection_);
}

// Waits like SQLite's own busy handler, but counts the waits.
int Database::wait_for_lock(void* state, int tries) {
    constexpr int delays_ms[] = {1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100};
    constexpr int last = static_cast<int>(std::size(delays_ms)) - 1;
    auto& wait = *static_cast<Wait*>(state);
    const auto now = std::chrono::steady_clock::now();
    if (tries == 0) {
        wait.since = now;
        if (wait.busy_timeout.waits != nullptr) {
            wait.busy_timeout.waits->fetch_add(1, std::memory_order_relaxed);
        }
    }
    const auto left = wait.since + std::chrono::milliseconds(wait.busy_timeout.timeout_ms) - now;
    if (left <= std::chrono::nanoseconds(0)) {
        return 0;
    }
    std::this_thread::sleep_for(
        std::min<std::chrono::nanoseconds>(left, std::chrono::milliseconds(delays_ms[std::min(tries, last)])));
    return 1;
}

void Database::check(int code) const {
    if (code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE) {
        fail(code);
    }
}

void Database::fail(int code) const {
    const Meaning meaning = meaning_of(code, sqlite3_system_errno(connection_), path_);
    throw StoreError(meaning.cause, fmt::format("{}: {} ({}); {}", path_, sqlite3_errmsg(connection_), code, meaning.advice));
}

sqlite3_stmt* Database::prepared(std::string_view sql) {
    if (const auto found = statements_.find(sql); found != statements_.end()) {
        if (sqlite3_stmt_busy(found->second.get()) != 0) {
            throw std::logic_error(fmt::format("a statement runs once at a time: {}", sql));
        }
        return found->second.get();
    }
    sqlite3_stmt* statement = nullptr;
    check(
        sqlite3_prepare_v3(connection_, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT, &statement, nullptr));
    statements_.emplace(sql, statement);
    for (int i = 1; i <= sqlite3_bind_parameter_count(statement); ++i) { // SQLite numbers $1, $2 … by first appearance
        const char* const name = sqlite3_bind_parameter_name(statement, i);
        if (name != nullptr && name[0] == '$' && std::to_string(i) != name + 1) {
            throw std::logic_error(std::string(sql) + ": parameter " + name + " is out of order");
        }
    }
    return statement;
}

std::unique_ptr<sql::Cursor> Database::open(std::string_view sql, std::span<const sql::Value> values) {
    return std::make_unique<Rows>(*this, sql, values);
}
void Database::post_values(std::string_view sql, std::span<const sql::Value> values) { Rows(*this, sql, values); }
void Database::execute(const std::string& script) { check(sqlite3_exec(connection_, script.c_str(), nullptr, nullptr, nullptr)); }

std::int64_t Database::last_row() const { return sqlite3_last_insert_rowid(connection_); }
bool Database::in_transaction() const { return sqlite3_get_autocommit(connection_) == 0; }
bool Database::is_read_only() const { return sqlite3_db_readonly(connection_, "main") == 1; }

bool Database::has_moved() const {
    int moved = 0;
    sqlite3_file_control(connection_, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    return moved != 0;
}

void Database::check_place() {
    std::optional<Inode> log;
    struct stat state {};
    if (stat(sqlite3_filename_wal(sqlite3_db_filename(connection_, "main")), &state) == 0) {
        log = {state.st_dev, state.st_ino};
    }
    if (has_moved() || (log_ && log != log_)) {
        throw StoreError(Cause::moved,
                         fmt::format("{}: the file, or the log beside it, was moved, replaced or deleted while in use: nothing is "
                                     "written any more; stop the daemon, put the file back or restore a backup, and start it",
                                     path_));
    }
    log_ = log;
}

void Database::copy_into(Database& target) {
    sqlite3_backup* copy = sqlite3_backup_init(target.connection_, "main", connection_, "main");
    if (copy == nullptr) {
        target.fail(sqlite3_extended_errcode(target.connection_));
    }
    int code = SQLITE_OK;
    int tries = 0;
    do { // copies all pages in one step under one read transaction: writers continue, and the copy never restarts
        code = sqlite3_backup_step(copy, -1);
    } while ((code == SQLITE_BUSY || code == SQLITE_LOCKED) && wait_for_lock(&wait_, tries++) != 0);
    sqlite3_backup_finish(copy);
    if (code != SQLITE_DONE) {
        target.fail(code);
    }
}

void Rows::Reset::operator()(sqlite3_stmt* statement) const {
    sqlite3_reset(statement); // its result repeats the error already thrown
    sqlite3_clear_bindings(statement);
}

bool Rows::step() {
    const int code = sqlite3_step(statement_.get());
    database_.check(code);
    return code == SQLITE_ROW;
}

void Rows::begin() {
    has_row_ = step();
    affected_ = sqlite3_changes64(database_.connection_);
}

bool Rows::next() {
    if (!is_first_ && has_row_) {
        has_row_ = step();
    }
    is_first_ = false;
    return has_row_;
}

std::int64_t Rows::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
double Rows::real(int column) const { return sqlite3_column_double(statement_.get(), column); }
bool Rows::is_null(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }

std::string_view Rows::text(int column) const {
    const auto* bytes =
        static_cast<const char*>(sqlite3_column_blob(statement_.get(), column)); // for TEXT, too: its unchanged bytes
    return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

void Rows::bind(int index, std::int64_t value) { database_.check(sqlite3_bind_int64(statement_.get(), index, value)); }
void Rows::bind(int index, double value) { database_.check(sqlite3_bind_double(statement_.get(), index, value)); }
void Rows::bind_null(int index) { database_.check(sqlite3_bind_null(statement_.get(), index)); }
void Rows::bind(int index, std::string_view value) {
    const char* bytes = value.data() == nullptr ? "" : value.data(); // a null pointer would bind NULL
    database_.check(sqlite3_bind_text64(statement_.get(), index, bytes, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}
void Rows::bind(int index, Bytes value) {
    const char* bytes = value.value.data() == nullptr ? "" : value.value.data();
    database_.check(sqlite3_bind_blob64(statement_.get(), index, bytes, value.value.size(), SQLITE_TRANSIENT));
}
void Rows::bind(int index, std::span<const Cell> cells) {
    struct Binding {
        Rows& rows;
        int index;
        void operator()(std::monostate /*null*/) const { rows.bind_null(index); }
        void operator()(std::int64_t value) const { rows.bind(index, value); }
        void operator()(double value) const { rows.bind(index, value); }
        void operator()(std::string_view value) const { rows.bind(index, value); }
    };
    for (const Cell& cell : cells) {
        std::visit(Binding{*this, index++}, cell);
    }
}

void Rows::bind(int index, std::span<const sql::Value> values) {
    for (const sql::Value& value : values) {
        std::visit([&](const auto& held) { bind(index, held); }, value);
        ++index;
    }
}

Transaction::Transaction(Database& database, Kind kind) : database_(database), kind_(kind) {
    database_.run(kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
    if (database_.in_transaction()) { // SQLite has rolled back by itself on some errors
        try {
            database_.run("ROLLBACK");
        } catch (const StoreError&) { // NOLINT(bugprone-empty-catch): the transaction is undone when the connection closes
        }
    }
}

void Transaction::commit() {
    if (kind_ == Kind::write) {
        database_.check_place();
    }
    database_.run("COMMIT");
}

Savepoint::Savepoint(Database& database) : database_(database) { database_.run("SAVEPOINT part"); }

Savepoint::~Savepoint() {
    if (!is_released_ && database_.in_transaction()) {
        try {
            database_.run("ROLLBACK TO part");
            release();
        } catch (const StoreError&) { // NOLINT(bugprone-empty-catch): then the whole transaction can't be committed either
        }
    }
}

void Savepoint::release() {
    database_.run("RELEASE part");
    is_released_ = true;
}

} // namespace costcurve::storage::sqlite
