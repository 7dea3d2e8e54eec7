// An eponymous virtual table of SQLite (https://www.sqlite.org/vtab.html): no state of its own, one way to be read, from its first
// row to its last.
#include "server/storage/sqlite/engine/input_rows.hpp"

#include <sqlite3.h>

namespace costcurve::storage::sqlite {

namespace {

struct Table : sqlite3_vtab {
    const InputRows* const* input = nullptr;
};
struct Cursor : sqlite3_vtab_cursor {
    const InputRows* input = nullptr;
    std::size_t at = 0; // the row's first cell
};

Cursor& known(sqlite3_vtab_cursor* cursor) { return *static_cast<Cursor*>(cursor); }

int connect(sqlite3* connection, void* input, int /*count*/, const char* const* /*words*/, sqlite3_vtab** made, char** /*error*/) {
    auto* const table = new Table();
    table->input = static_cast<const InputRows* const*>(input);
    *made = table;
    return sqlite3_declare_vtab(connection,
                                "CREATE TABLE input_rows (c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15)");
}

int disconnect(sqlite3_vtab* table) {
    delete static_cast<Table*>(table);
    return SQLITE_OK;
}

int plan(sqlite3_vtab* /*table*/, sqlite3_index_info* /*info*/) { return SQLITE_OK; }

int open_cursor(sqlite3_vtab* /*table*/, sqlite3_vtab_cursor** made) {
    *made = new Cursor();
    return SQLITE_OK;
}

int close_cursor(sqlite3_vtab_cursor* cursor) {
    delete static_cast<Cursor*>(cursor);
    return SQLITE_OK;
}

int begin(sqlite3_vtab_cursor* cursor, int /*plan*/, const char* /*name*/, int /*count*/, sqlite3_value** /*values*/) {
    known(cursor).input = *static_cast<Table*>(cursor->pVtab)->input;
    known(cursor).at = 0;
    return SQLITE_OK;
}

int next(sqlite3_vtab_cursor* cursor) {
    known(cursor).at += known(cursor).input->columns;
    return SQLITE_OK;
}

int is_behind_last(sqlite3_vtab_cursor* cursor) { return known(cursor).at >= known(cursor).input->cells.size() ? 1 : 0; }

int give_row(sqlite3_vtab_cursor* cursor, sqlite3_int64* row) {
    *row = static_cast<sqlite3_int64>(known(cursor).at);
    return SQLITE_OK;
}

struct Give {
    sqlite3_context* to;
    void operator()(std::monostate /*null*/) const { sqlite3_result_null(to); }
    void operator()(std::int64_t value) const { sqlite3_result_int64(to, value); }
    void operator()(double value) const { sqlite3_result_double(to, value); }
    void operator()(std::string_view value) const {
        const char* const bytes = value.data() == nullptr ? "" : value.data(); // a null pointer would be NULL
        sqlite3_result_text64(to, bytes, value.size(), SQLITE_STATIC, SQLITE_UTF8);
    }
};

int give_cell(sqlite3_vtab_cursor* cursor, sqlite3_context* to, int column) {
    const Cursor& at = known(cursor);
    std::visit(Give{to}, at.input->cells[at.at + static_cast<std::size_t>(column)]);
    return SQLITE_OK;
}

constexpr sqlite3_module module() {
    sqlite3_module made{};
    made.xConnect = connect; // and no xCreate: no database has the table
    made.xBestIndex = plan;
    made.xDisconnect = disconnect;
    made.xOpen = open_cursor;
    made.xClose = close_cursor;
    made.xFilter = begin;
    made.xNext = next;
    made.xEof = is_behind_last;
    made.xColumn = give_cell;
    made.xRowid = give_row;
    return made;
}

} // namespace

int add_input_rows_table(sqlite3* connection, const InputRows** input) {
    static constexpr sqlite3_module kModule = module();
    return sqlite3_create_module(connection, "input_rows", &kModule, static_cast<void*>(input));
}

} // namespace costcurve::storage::sqlite
