#include "tests/storage/store_place.hpp"

#include <cstdlib>
#include <stdexcept>

#include <unistd.h>
#ifdef COSTCURVE_TESTS_ON_POSTGRES
#include <libpq-fe.h>
#endif

#include "server/storage/error.hpp"
#include "server/storage/sqlite/engine/database.hpp"

namespace costcurve::tests {

namespace {

class FileSide : public Side {
public:
    explicit FileSide(const std::string& path) : database_(path, storage::sqlite::Database::Access::write) {}
    void execute(const std::string& sql) override { database_.execute(sql); }
    std::int64_t number(const std::string& sql) override { return database_.number(sql); }

private:
    storage::sqlite::Database database_;
};

#ifdef COSTCURVE_TESTS_ON_POSTGRES
// libpq as it is, so that the store's own use of it is not what tests it.
class ServerSide : public Side {
public:
    explicit ServerSide(const std::string& url) : connection_(PQconnectdb(url.c_str())) {
        if (PQstatus(connection_.get()) != CONNECTION_OK) {
            throw std::runtime_error(PQerrorMessage(connection_.get()));
        }
        execute("SET client_min_messages = warning");
    }
    void execute(const std::string& sql) override { static_cast<void>(result_of(sql)); }
    std::int64_t number(const std::string& sql) override {
        const Result result = result_of(sql);
        if (PQntuples(result.get()) == 0 || PQgetisnull(result.get(), 0, 0) != 0) {
            return 0;
        }
        return std::stoll(PQgetvalue(result.get(), 0, 0));
    }

private:
    struct Free {
        void operator()(PGconn* connection) const { PQfinish(connection); }
        void operator()(PGresult* result) const { PQclear(result); }
    };
    using Result = std::unique_ptr<PGresult, Free>;

    [[nodiscard]] Result result_of(const std::string& sql) {
        Result result(PQexec(connection_.get(), sql.c_str()));
        const ExecStatusType status = PQresultStatus(result.get());
        if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
            throw storage::StoreError(storage::StoreError::Cause::unavailable, sql + ": " + PQerrorMessage(connection_.get()));
        }
        return result;
    }

    std::unique_ptr<PGconn, Free> connection_;
};
std::unique_ptr<Side> server_side(const std::string& url) { return std::make_unique<ServerSide>(url); }
#else
std::unique_ptr<Side> server_side(const std::string& /*url*/) { throw std::runtime_error("the tests were built without libpq"); }
#endif

std::string server_url() {
    const char* url = std::getenv("COSTCURVE_TEST_POSTGRES");
    return url == nullptr ? "" : url;
}

// postgres://user@host/postgres?… with another database.
std::string with_database(const std::string& url, const std::string& database) {
    const std::size_t begin = url.find('/', url.find("//") + 2) + 1;
    const std::size_t end = std::min(url.find('?', begin), url.size());
    return url.substr(0, begin) + database + url.substr(end);
}

} // namespace

Engine engine_of_tests() { return server_url().empty() ? Engine::sqlite : Engine::postgres; }

StorePlace::StorePlace(Engine engine) : engine_(engine) {
    std::string name = (std::filesystem::temp_directory_path() / "costcurve_store_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
        throw std::runtime_error("no folder for the test's store");
    }
    folder_ = name;
    if (engine_ == Engine::sqlite) {
        path_ = file("costcurve.db");
        return;
    }
    static int places = 0;
    database_ = "test_" + std::to_string(getpid()) + "_" + std::to_string(++places);
    server_side(server_url())->execute("CREATE DATABASE " + database_);
    path_ = with_database(server_url(), database_);
}

StorePlace::~StorePlace() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
    if (engine_ == Engine::sqlite) {
        return;
    }
    try {
        server_side(server_url())->execute("DROP DATABASE IF EXISTS " + database_ + " WITH (FORCE)");
    } catch (const std::exception&) { // it goes with the server
    }
}

std::unique_ptr<Side> StorePlace::side() const {
    if (engine_ == Engine::sqlite) {
        return std::make_unique<FileSide>(path_);
    }
    return server_side(path_);
}

} // namespace costcurve::tests
