// A text line by line: logs, JSON lines, Prometheus text, bare numbers. No line is longer than `kMaxLine`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "server/import/importer.hpp"
#include "server/import/text/bytes.hpp"

namespace costcurve::imports {

/// Reads lines that end with LF, CR LF or the file. Memory is bounded by a block and a line. Not thread-safe.
class Lines {
public:
    explicit Lines(Bytes& bytes) : bytes_(bytes) {}
    /// Goes to the next line, blank ones too. False at the end and at an error (too long, not UTF-8, what `Bytes` finds).
    bool next();
    /// Without its end; valid until the next one.
    [[nodiscard]] std::string_view text() const { return text_; }
    /// Counts from 1.
    [[nodiscard]] std::size_t row() const { return row_; }
    [[nodiscard]] HardError error() const { return error_; }
    /// Ends the reading with this error.
    void fail(model::Code code, std::string_view message);

private:
    Bytes& bytes_;
    std::string_view block_; // what is left of it
    std::string begun_;      // a line that began in an earlier block
    std::string_view text_;
    std::size_t row_ = 0;
    bool ended_ = false;
    HardError error_;
};

} // namespace costcurve::imports
