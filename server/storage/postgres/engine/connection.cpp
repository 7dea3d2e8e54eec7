// Connection and Rows over libpq: parameters and results in binary form, addresses checked and completed.
#include "server/storage/postgres/engine/connection.hpp"

#include <array>
#include <bit>
#include <cassert>
#include <memory>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <libpq-fe.h>

#include "server/storage/timestamp.hpp"

namespace costcurve::storage::postgres {

namespace {

using Option = std::pair<std::string, std::string>;

constexpr int kBinary = 1;

// A network that is gone is noticed within half a minute, by the server too where the address doesn't say otherwise.
const std::vector<Option>& default_options() {
    static const std::vector<Option> options = {
        {"application_name", "costcurve"}, {"client_encoding", "UTF8"}, {"connect_timeout", "10"},    {"keepalives_idle", "10"},
        {"keepalives_interval", "5"},      {"keepalives_count", "3"},   {"tcp_user_timeout", "20000"}};
    return options;
}

// An address as options; its password isn't in the message of one that can't be read.
std::vector<Option> options_of(const std::string& url) {
    const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> parsed(PQconninfoParse(url.c_str(), nullptr),
                                                                              PQconninfoFree);
    if (parsed == nullptr) {
        throw StoreError(StoreError::Cause::unavailable,
                         "the database's address can't be read: give postgres://user@host:5432/name, with special characters in "
                         "user and password as %xx, and options behind a '?'");
    }
    std::vector<Option> options;
    for (const PQconninfoOption* option = parsed.get(); option->keyword != nullptr; ++option) {
        if (option->val != nullptr) {
            options.emplace_back(option->keyword, option->val);
        }
    }
    return options;
}

// Every statement has an index that it is written for: no plan of an empty table, which a prepared statement would keep, reads all
// of it once it is large.
std::string server_options(const ConnectionSettings& settings) {
    return fmt::format("-c lock_timeout={} -c statement_timeout={} -c idle_in_transaction_session_timeout=60000 "
                       "-c default_transaction_isolation=read\\ committed -c enable_seqscan=off -c jit=off -c {}=on",
                       settings.busy_timeout_ms, settings.statement_timeout_ms, kOptionsArrived);
}

// What the address says comes behind, and wins.
std::vector<Option> complete_options(const std::string& url, const ConnectionSettings& settings) {
    std::vector<Option> options = default_options();
    std::string server = server_options(settings);
    for (Option& option : options_of(url)) {
        if (option.first == "options") {
            server += " " + option.second;
        } else {
            options.push_back(std::move(option));
        }
    }
    options.emplace_back("options", std::move(server));
    return options;
}

std::string target_of(const std::vector<Option>& options) {
    std::string host = "the local server";
    std::string port;
    std::string name;
    for (const auto& [keyword, value] : options) {
        host = keyword == "host" && !value.empty() ? value : host;
        port = keyword == "port" && !value.empty() ? fmt::format(":{}", value) : port;
        name = keyword == "dbname" ? value : name;
    }
    return fmt::format("PostgreSQL at {}{}, database '{}'", host, port, name);
}

std::string random_prefix() {
    std::random_device device;
    return fmt::format("c{:08x}{:08x}_", device(), device());
}

std::string_view field(const PGresult* result, int code) {
    const char* text = PQresultErrorField(result, code);
    return text == nullptr ? std::string_view() : std::string_view(text);
}

std::uint64_t number_of(std::string_view bytes) {
    std::uint64_t number = 0;
    for (const char byte : bytes) {
        number = number << 8U | static_cast<unsigned char>(byte);
    }
    return number;
}

} // namespace

Connection::Connection(const std::string& url, const ConnectionSettings& settings) : url_(url), settings_(settings) {
    target_ = target_of(options_of(url_));
    connect();
}

void Connection::Finish::operator()(pg_conn* connection) const { PQfinish(connection); }

void Connection::connect() {
    const std::vector<Option> options = complete_options(url_, settings_);
    std::vector<const char*> keywords;
    std::vector<const char*> values;
    for (const auto& [keyword, value] : options) {
        keywords.push_back(keyword.c_str());
        values.push_back(value.c_str());
    }
    keywords.push_back(nullptr);
    values.push_back(nullptr);
    connection_.reset(); // one at a time
    statements_.clear();
    is_writing_ = false;
    connection_.reset(PQconnectdbParams(keywords.data(), values.data(), 0));
    if (!connection_) {
        throw std::bad_alloc();
    }
    if (PQstatus(connection_.get()) != CONNECTION_OK) {
        fail();
    }
    PQsetErrorVerbosity(connection_.get(), PQERRORS_TERSE);
    PQsetNoticeProcessor(
        connection_.get(), [](void*, const char*) {}, nullptr); // of "IF NOT EXISTS", of ROLLBACK outside of a transaction
    prefix_ = random_prefix();
    ++connected_;
}

void Connection::reconnect() { connect(); }

bool Connection::is_lost() const { return PQstatus(connection_.get()) != CONNECTION_OK; }
int Connection::socket() const { return PQsocket(connection_.get()); }

bool Connection::in_transaction() const {
    const PGTransactionStatusType status = PQtransactionStatus(connection_.get());
    return status == PQTRANS_INTRANS || status == PQTRANS_INERROR || status == PQTRANS_ACTIVE;
}

bool Connection::take_notifications() {
    if (PQconsumeInput(connection_.get()) == 0) {
        fail();
    }
    bool found = false;
    while (PGnotify* notification = PQnotifies(connection_.get())) {
        found = true;
        PQfreemem(notification);
    }
    return found;
}

// Of a connection that couldn't be made, libpq has no SQLSTATE, but the server's words.
void Connection::fail() const {
    const std::string message = PQerrorMessage(connection_.get());
    struct Sign {
        std::string_view words;
        std::string_view sqlstate;
    };
    constexpr Sign signs[] = {{"password authentication failed", "28P01"}, {"no password supplied", "28P01"},
                              {"no pg_hba.conf entry", "28000"},           {"authentication failed", "28000"},
                              {"the database system is ", "57P03"},        {"too many clients", "53300"},
                              {"remaining connection slots", "53300"},     {"role \"", "28000"},
                              {"session is not read-write", "25006"},      {"unsupported startup parameter", "08P01"}};
    std::string_view sqlstate = "08006";
    for (const Sign& sign : signs) {
        if (message.find(sign.words) != std::string::npos) {
            sqlstate = sign.sqlstate;
            break;
        }
    }
    if (message.find("database \"") != std::string::npos && message.find("does not exist") != std::string::npos) {
        sqlstate = "3D000";
    }
    throw sql_error({target_, sqlstate, message, "", true});
}

PGresult* Connection::checked(PGresult* result) const {
    const ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_COPY_IN) {
        return result;
    }
    const std::unique_ptr<PGresult, decltype(&PQclear)> owner(result, PQclear);
    const bool is_lost_now = is_lost();
    const std::string_view sqlstate = field(result, PG_DIAG_SQLSTATE);
    const std::string_view primary = field(result, PG_DIAG_MESSAGE_PRIMARY);
    const std::string message = primary.empty() ? std::string(PQerrorMessage(connection_.get())) : std::string(primary);
    throw sql_error({target_, sqlstate, message, field(result, PG_DIAG_CONSTRAINT_NAME), is_lost_now});
}

void Connection::execute(const std::string& script) { PQclear(checked(PQexec(connection_.get(), script.c_str()))); }

const std::string& Connection::prepared(std::string_view sql, const Parameters& parameters) {
    if (const auto found = statements_.find(sql); found != statements_.end()) {
        return found->second;
    }
    std::string name = prefix_ + std::to_string(statements_.size());
    const std::string text(sql);
    PQclear(checked(PQprepare(connection_.get(), name.c_str(), text.c_str(), parameters.count(), parameters.types().data())));
    return statements_.emplace(text, std::move(name)).first->second;
}

PGresult* Connection::run(std::string_view sql, const Parameters& parameters) {
    const std::vector<const char*> pointers = parameters.pointers();
    const std::vector<int> lengths = parameters.lengths();
    const std::vector<int> formats(pointers.size(), kBinary);
    if (!is_preparing_) {
        return checked(PQexecParams(connection_.get(), std::string(sql).c_str(), parameters.count(), parameters.types().data(),
                                    pointers.data(), lengths.data(), formats.data(), kBinary));
    }
    try {
        const std::string& name = prepared(sql, parameters);
        return checked(PQexecPrepared(connection_.get(), name.c_str(), parameters.count(), pointers.data(), lengths.data(),
                                      formats.data(), kBinary));
    } catch (const SqlError& error) {
        if (error.sqlstate() == "26000" || error.sqlstate() == "42P05") {
            is_preparing_ = false; // from now on each statement is parsed anew: slower, and right
        }
        throw;
    }
}

Rows::~Rows() { PQclear(result_); }

bool Rows::next() { return ++row_ < PQntuples(result_); }

std::int64_t Rows::affected() const {
    const std::string_view count = PQcmdTuples(result_);
    std::int64_t number = 0;
    for (const char digit : count) {
        number = number * 10 + (digit - '0');
    }
    return number;
}

bool Rows::is_null(int column) const { return PQgetisnull(result_, row_, column) == 1; }

std::string_view Rows::text(int column) const {
    return {PQgetvalue(result_, row_, column), static_cast<std::size_t>(PQgetlength(result_, row_, column))};
}

std::int64_t Rows::integer(int column) const {
    const std::string_view bytes = text(column);
    const std::uint64_t number = number_of(bytes);
    switch (bytes.size()) {
    case 0: // NULL
    case 1: // a boolean
    case sizeof(std::int64_t):
        return static_cast<std::int64_t>(number);
    case sizeof(std::int32_t):
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(number));
    case sizeof(std::int16_t):
        return static_cast<std::int16_t>(static_cast<std::uint16_t>(number));
    default:
        throw std::logic_error(fmt::format("column {} is no integer", PQfname(result_, column)));
    }
}

double Rows::real(int column) const {
    const std::string_view bytes = text(column);
    if (!bytes.empty() && bytes.size() != sizeof(double)) {
        throw std::logic_error(fmt::format("column {} is no double precision", PQfname(result_, column)));
    }
    return std::bit_cast<double>(number_of(bytes));
}

std::string Rows::time_or_empty(int column) const { return is_null(column) ? "" : format_time(integer(column)); }

} // namespace costcurve::storage::postgres
