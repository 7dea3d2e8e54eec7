// The newest file of a directory that a pattern names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "model/documents/automation.hpp"

namespace costcurve::ingest {

struct FoundFile {
    std::string problem; ///< a sentence; "" where there is none
    std::string name;
    std::string body;
    std::optional<std::int64_t> modified_at; ///< in microseconds since 1970
};

/// The last modified of the regular files whose names fit, by name where several are of one moment; links lead nowhere. `root` is
/// the directory that the service was started with, "" for none.
[[nodiscard]] FoundFile newest_file(const std::string& root, const model::FeedSource& from, std::size_t max_bytes);

} // namespace costcurve::ingest
