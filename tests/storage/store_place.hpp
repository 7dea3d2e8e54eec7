// Where a test keeps a store: a new SQLite file or, under tests/support/postgres.py, a new PostgreSQL database. No tests here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace costcurve::tests {

enum class Engine { sqlite, postgres };

/// PostgreSQL where COSTCURVE_TEST_POSTGRES names a server, as tests/support/postgres.py sets it; else SQLite.
[[nodiscard]] Engine engine_of_tests();

/// A connection to the same data, past the store. Throws StoreError where the database refuses.
class Side {
public:
    virtual ~Side() = default;
    virtual void execute(const std::string& sql) = 0;
    /// The first column of the first row.
    [[nodiscard]] virtual std::int64_t number(const std::string& sql) = 0;
};

/// A new, empty place that goes with it. Its path is what `open_store` takes and `--database` too.
class StorePlace {
public:
    explicit StorePlace(Engine engine = engine_of_tests());
    ~StorePlace();
    StorePlace(const StorePlace&) = delete;
    StorePlace& operator=(const StorePlace&) = delete;

    [[nodiscard]] Engine engine() const { return engine_; }
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::unique_ptr<Side> side() const;
    /// A folder of its own, in which a file of SQLite is.
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    [[nodiscard]] std::string file(const std::string& name) const { return (folder_ / name).string(); }

private:
    Engine engine_;
    std::filesystem::path folder_;
    std::string database_; ///< its name; empty with SQLite
    std::string path_;
};

} // namespace costcurve::tests
