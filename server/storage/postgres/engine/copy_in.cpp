// PostgreSQL's binary COPY format: a header, rows of cells, a trailer.
#include "server/storage/postgres/engine/copy_in.hpp"

#include <libpq-fe.h>

namespace costcurve::storage::postgres {

namespace {

constexpr std::string_view kCopySignature{"PGCOPY\n\377\r\n\0", 11};

} // namespace

CopyIn::CopyIn(Connection& connection, std::string_view sql) : connection_(connection), buffer_(kCopySignature) {
    connection_.settle();
    PQclear(connection_.checked(PQexec(connection_.connection_.get(), std::string(sql).c_str())));
    append_number(buffer_, std::uint32_t{0}); // flags
    append_number(buffer_, std::uint32_t{0}); // length of the header extension
}

CopyIn::~CopyIn() {
    if (is_open_ && !connection_.is_lost()) {
        PQputCopyEnd(connection_.connection_.get(), "given up");
        while (PGresult* result = PQgetResult(connection_.connection_.get())) {
            PQclear(result);
            if (connection_.is_lost()) { // a lost connection returns results forever
                break;
            }
        }
    }
}

void CopyIn::send() {
    if (PQputCopyData(connection_.connection_.get(), buffer_.data(), static_cast<int>(buffer_.size())) != 1) {
        is_open_ = false;
        connection_.fail();
    }
    buffer_.clear();
}

void CopyIn::finish() {
    append_number(buffer_, std::uint16_t{0xFFFF});
    send();
    is_open_ = false;
    if (PQputCopyEnd(connection_.connection_.get(), nullptr) != 1) {
        connection_.fail();
    }
    PGresult* result = PQgetResult(connection_.connection_.get());
    while (PGresult* more = PQgetResult(connection_.connection_.get())) {
        PQclear(more);
        if (connection_.is_lost()) {
            break;
        }
    }
    PQclear(connection_.checked(result));
}

} // namespace costcurve::storage::postgres
