// Files of a feed's directory. Paths are resolved before a file is opened, so that no link leads outside.
#include "server/ingest/feed_files.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>
#include <fnmatch.h>

namespace costcurve::ingest {

namespace {

namespace files = std::filesystem;

bool is_below(const files::path& root, const files::path& path) {
    return std::mismatch(root.begin(), root.end(), path.begin(), path.end()).first == root.end();
}

struct Candidate {
    files::path path;
    files::file_time_type modified;
};

std::optional<Candidate> newest_in(const files::path& directory, const std::string& pattern, std::error_code& error) {
    std::optional<Candidate> newest;
    for (files::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
        std::error_code of_entry;
        const std::string name = entry->path().filename().string();
        const bool fits = fnmatch(pattern.c_str(), name.c_str(), FNM_PERIOD) == 0;
        if (!fits || entry->symlink_status(of_entry).type() != files::file_type::regular) {
            continue;
        }
        const files::file_time_type modified = entry->last_write_time(of_entry);
        if (!of_entry && (!newest || std::pair(modified, name) > std::pair(newest->modified, newest->path.filename().string()))) {
            newest = Candidate{entry->path(), modified};
        }
    }
    return newest;
}

FoundFile failed(std::string problem) { return {std::move(problem), "", "", std::nullopt}; }

} // namespace

FoundFile newest_file(const std::string& root, const model::FeedSource& from, std::size_t max_bytes) {
    if (root.empty()) {
        return failed("the service was started without a directory of feeds; serve --feed-directory DIR allows one");
    }
    std::error_code error;
    const files::path base = files::canonical(root, error);
    const files::path directory = error ? files::path() : files::canonical(base / from.directory, error);
    if (error || !is_below(base, directory)) {
        return failed(fmt::format("there is no directory {} below the directory of feeds", from.directory));
    }
    const std::optional<Candidate> found = newest_in(directory, from.pattern, error);
    if (error || !found) {
        return failed(error ? fmt::format("the directory {} can't be read: {}", from.directory, error.message())
                            : fmt::format("no file of {} fits {}", from.directory, from.pattern));
    }
    const std::uintmax_t size = files::file_size(found->path, error);
    const std::string name = found->path.filename().string();
    if (!error && size > max_bytes) {
        return failed(fmt::format("{} has {} bytes; the feed's max_mib allows {}", name, size, max_bytes));
    }
    std::ifstream stream(found->path, std::ios::binary);
    FoundFile file{"", name, std::string(std::istreambuf_iterator<char>(stream), {}), std::nullopt};
    if (error || !stream.good()) {
        return failed(fmt::format("{} can't be read", name));
    }
    const auto since = std::chrono::file_clock::to_sys(found->modified).time_since_epoch();
    file.modified_at = std::chrono::duration_cast<std::chrono::microseconds>(since).count();
    return file;
}

} // namespace costcurve::ingest
