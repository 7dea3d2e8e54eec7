// Shared by the tests of SQLite's store: its file, and the folder that it is in.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "server/storage/sqlite/engine/database.hpp"
#include "tests/storage/sample_store.hpp"

namespace costcurve::storage::test {

using namespace sqlite;

class Folder {
public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "costcurve_storage_XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) {
            throw std::runtime_error("no folder for the test");
        }
        path_ = name;
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

/// Another connection to the same file, past the store.
inline Database side_of(const SampleStore& sample) { return {sample.settings.path, Database::Access::write}; }

inline std::int64_t count(Database& database, const std::string& table) { return database.number("SELECT count(*) FROM " + table); }

inline std::string content_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace costcurve::storage::test
