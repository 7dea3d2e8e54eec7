// Connection and Rows over libpq: parameters and results in binary form, addresses checked and completed.
#include "server/storage/postgres/engine/connection.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <libpq-fe.h>

namespace costcurve::storage::postgres {

namespace {

using Option = std::pair<std::string, std::string>;

constexpr int kBinary = 1;

// Detects a lost network within half a minute, on the server's side too. The address may override these options.
const std::vector<Option>& default_options() {
    static const std::vector<Option> options = {
        {"application_name", "costcurve"}, {"client_encoding", "UTF8"}, {"connect_timeout", "10"},    {"keepalives_idle", "10"},
        {"keepalives_interval", "5"},      {"keepalives_count", "3"},   {"tcp_user_timeout", "20000"}};
    return options;
}

// The options of an address. Error messages don't contain its password.
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

// Forces generic plans by index. A prepared statement would keep a plan made for an empty table, which scans a table that has
// grown; planning each time costs more than executing.
std::string server_options(const ConnectionSettings& settings) {
    return fmt::format(
        "-c lock_timeout={} -c statement_timeout={} -c idle_in_transaction_session_timeout=60000 "
        "-c default_transaction_isolation=read\\ committed -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off "
        "-c plan_cache_mode=force_generic_plan -c {}=on",
        settings.busy_timeout_ms, settings.statement_timeout_ms, kOptionsArrived);
}

// Options of the address come last and override the defaults.
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
    connection_.reset(); // closes the old connection before opening the next
    statements_.clear();
    is_writing_ = false;
    in_scope_ = false;
    sent_.clear();
    connection_.reset(PQconnectdbParams(keywords.data(), values.data(), 0));
    if (!connection_) {
        throw std::bad_alloc();
    }
    if (PQstatus(connection_.get()) != CONNECTION_OK) {
        fail();
    }
    PQsetErrorVerbosity(connection_.get(), PQERRORS_TERSE);
    PQsetNoticeProcessor(
        connection_.get(), [](void*, const char*) {},
        nullptr); // ignores notices of "IF NOT EXISTS" and of ROLLBACK outside of a transaction
    prefix_ = random_prefix();
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

// If the connection failed, libpq has no SQLSTATE but only the server's message.
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

PGresult* Connection::checked(PGresult* result) {
    const ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_COPY_IN) {
        return result;
    }
    const std::unique_ptr<PGresult, decltype(&PQclear)> owner(result, PQclear);
    const bool is_lost_now = is_lost();
    const std::string_view sqlstate = field(result, PG_DIAG_SQLSTATE);
    const std::string_view primary = field(result, PG_DIAG_MESSAGE_PRIMARY);
    if (sqlstate == "26000" || sqlstate == "42P05") {
        is_preparing_ = false; // from now on every statement is parsed anew: slower but correct
    }
    const std::string message = primary.empty() ? std::string(PQerrorMessage(connection_.get())) : std::string(primary);
    throw sql_error({target_, sqlstate, message, field(result, PG_DIAG_CONSTRAINT_NAME), is_lost_now});
}

void Connection::execute(const std::string& script) {
    settle();
    PQclear(checked(PQexec(connection_.get(), script.c_str())));
}

const std::string& Connection::prepared(std::string_view sql, const Parameters& parameters) {
    if (const auto found = statements_.find(sql); found != statements_.end()) {
        return found->second;
    }
    settle(); // drain the pipeline first: a rollback in it would leave unknown what is prepared
    std::string name = prefix_ + std::to_string(statements_.size());
    const std::string text(sql);
    PQclear(checked(PQprepare(connection_.get(), name.c_str(), text.c_str(), parameters.count(), parameters.types().data())));
    return statements_.emplace(text, std::move(name)).first->second;
}

PGresult* Connection::result_of(std::string_view sql, const Parameters& parameters) {
    send(sql, parameters, {true, std::nullopt});
    return collect().front();
}

std::unique_ptr<sql::Cursor> Connection::open(std::string_view sql, std::span<const sql::Value> values) {
    return std::make_unique<Rows>(*this, sql, values);
}

void Connection::post_values(std::string_view sql, std::span<const sql::Value> values) {
    post_statement(sql, Parameters(values), std::nullopt);
}

std::vector<Rows> Connection::run_all(std::span<const Statement> statements) {
    for (const Statement& statement : statements) { // prepare all before the first is sent
        if (is_preparing_) {
            static_cast<void>(prepared(statement.sql, statement.parameters));
        }
    }
    for (const Statement& statement : statements) {
        send(statement.sql, statement.parameters, {true, std::nullopt});
    }
    std::vector<Rows> rows;
    for (PGresult* result : collect()) {
        rows.push_back(Rows(result));
    }
    return rows;
}

void Connection::post_statement(std::string_view sql, const Parameters& parameters, std::optional<std::int64_t> changes) {
    send(sql, parameters, {false, changes});
    if (!in_scope_) {
        settle();
    }
}

void Connection::send(std::string_view sql, const Parameters& parameters, Sent sent) {
    const std::string* name = is_preparing_ ? &prepared(sql, parameters) : nullptr;
    const std::vector<const char*> pointers = parameters.pointers();
    const std::vector<int> lengths = parameters.lengths();
    const std::vector<int> formats(pointers.size(), kBinary);
    if (sent_.empty() && PQenterPipelineMode(connection_.get()) != 1) {
        give_up();
    }
    sent_.push_back(sent);
    const int is_sent =
        name != nullptr ? PQsendQueryPrepared(connection_.get(), name->c_str(), parameters.count(), pointers.data(), lengths.data(),
                                              formats.data(), kBinary)
                        : PQsendQueryParams(connection_.get(), std::string(sql).c_str(), parameters.count(),
                                            parameters.types().data(), pointers.data(), lengths.data(), formats.data(), kBinary);
    if (is_sent != 1) {
        give_up();
    }
}

bool Connection::expects_changes() const {
    return std::ranges::any_of(sent_, [](const Sent& sent) { return sent.changes.has_value(); });
}

void Connection::give_up() {
    sent_.clear();
    try {
        fail();
    } catch (...) {
        connection_.reset();
        throw;
    }
}

void Connection::check_changed(PGresult* result, const Sent& sent) const {
    if (sent.changes && std::to_string(*sent.changes) != PQcmdTuples(result)) {
        throw StoreError(StoreError::Cause::corrupt,
                         fmt::format("{}: rows that belong together don't; costcurve check says which", target_));
    }
}

// After the first error the server skips the rest of the pipeline.
std::vector<PGresult*> Connection::collect() {
    if (sent_.empty()) {
        return {};
    }
    using Result = std::unique_ptr<PGresult, decltype(&PQclear)>;
    const std::vector<Sent> sent = std::exchange(sent_, {});
    const auto next = [this] { return Result(PQgetResult(connection_.get()), PQclear); };
    std::vector<Result> arrived;
    arrived.reserve(sent.size());
    if (PQpipelineSync(connection_.get()) != 1) {
        give_up();
    }
    for (std::size_t i = 0; i < sent.size(); ++i) {
        arrived.push_back(next());
        while (next() != nullptr && !is_lost()) {} // reads to the end of this statement; a lost connection has no end
    }
    static_cast<void>(next()); // the end of the pipeline
    PQexitPipelineMode(connection_.get());
    for (std::size_t i = 0; i < sent.size(); ++i) { // only now is it known whether the connection is lost
        Result success(checked(arrived[i].release()), PQclear);
        check_changed(success.get(), sent[i]);
        arrived[i] = std::move(success);
    }
    std::vector<PGresult*> rows;
    for (std::size_t i = 0; i < sent.size(); ++i) {
        if (sent[i].gives_rows) {
            rows.push_back(arrived[i].release());
        }
    }
    return rows;
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

// After a header of 20 bytes (dimensions, NULL flag, type, size, first index), each element is encoded like a COPY cell.
std::vector<std::optional<double>> Rows::reals(int column) const {
    constexpr std::size_t kHead = 20;
    constexpr std::size_t kLength = sizeof(std::uint32_t);
    std::string_view bytes = text(column);
    std::vector<std::optional<double>> elements;
    if (bytes.size() < kHead) { // no element, or NULL
        return elements;
    }
    bytes.remove_prefix(kHead);
    elements.reserve(bytes.size() / (kLength + sizeof(double)));
    while (bytes.size() >= kLength) {
        const std::uint64_t length = number_of(bytes.substr(0, kLength));
        bytes.remove_prefix(kLength);
        if (length != sizeof(double)) { // the length of NULL is -1
            elements.emplace_back();
            continue;
        }
        elements.emplace_back(std::bit_cast<double>(number_of(bytes.substr(0, sizeof(double)))));
        bytes.remove_prefix(sizeof(double));
    }
    return elements;
}

} // namespace costcurve::storage::postgres
