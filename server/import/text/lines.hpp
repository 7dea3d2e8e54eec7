// Reads a text line by line: logs, JSON lines, Prometheus text, bare numbers. Lines are at most `kMaxLine` bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "server/import/importer.hpp"
#include "server/import/text/bytes.hpp"

namespace costcurve::imports {

/// Reads lines that end with LF, CR LF or the end of file. Memory is bounded by a block and a line. Not thread-safe.
class Lines {
public:
    explicit Lines(Bytes& bytes) : bytes_(bytes) {}
    /// Advances to the next line, including blank ones. False at the end and after an error (too long, not UTF-8, an error of
    /// `Bytes`).
    bool next();
    /// The line without its line end; valid until next() is called.
    [[nodiscard]] std::string_view text() const { return text_; }
    /// Line number, from 1.
    [[nodiscard]] std::size_t row() const { return row_; }
    [[nodiscard]] HardError error() const { return error_; }
    /// Stops reading with this error.
    void fail(model::Code code, std::string_view message);

private:
    Bytes& bytes_;
    std::string_view block_; // unread rest of the block
    std::string begun_;      // a line that began in an earlier block
    std::string_view text_;
    std::size_t row_ = 0;
    bool ended_ = false;
    HardError error_;
};

} // namespace costcurve::imports
