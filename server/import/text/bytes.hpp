// Reads a file in blocks, inflates gzip, and enforces limits. Knows no format.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "model/documents/failure.hpp"

namespace costcurve::imports {

/// Maximum ratio of inflated to compressed size of a gzip member; above it the file is refused as a bomb. Deflate's own maximum is
/// 1032, for runs of a single byte; text stays below 100.
inline constexpr std::int64_t kMaxInflation = 200;
/// Inflated bytes below which the ratio isn't checked.
inline constexpr std::int64_t kFreeInflation = std::int64_t{1} << 24U;
/// The largest file that a format may take into memory as a whole, and the longest line or record.
inline constexpr std::size_t kMaxWhole = std::size_t{64} << 20U;
inline constexpr std::size_t kMaxLine = std::size_t{1} << 20U;

/// Input bytes of one file. Not thread-safe. After an error every call behaves as at the end.
class Bytes {
public:
    /// The next block of the file, "" at its end; valid until the next call.
    using Next = std::function<std::string_view()>;
    explicit Bytes(Next next);
    /// Reads a text, which must outlive this object.
    explicit Bytes(std::string_view text);
    Bytes(Bytes&&) noexcept;
    Bytes& operator=(Bytes&&) noexcept;
    ~Bytes();

    /// The next block, inflated, without a UTF-8 byte-order mark; "" at the end or at an error. Valid until the next call.
    [[nodiscard]] std::string_view next();
    /// The rest of the file, up to `most` bytes; nothing, and an error, if it is larger.
    [[nodiscard]] std::optional<std::string> whole(std::size_t most = kMaxWhole);
    /// What went wrong: damaged or truncated gzip, a bomb, UTF-16, binary bytes in what should be text, too large.
    [[nodiscard]] const std::optional<model::Issue>& error() const { return error_; }

private:
    struct Inflater;
    [[nodiscard]] std::string_view raw();
    [[nodiscard]] std::string_view inflated();
    std::string_view fail(model::Code code, std::string_view message);

    Next next_;
    std::unique_ptr<Inflater> inflater_; ///< of a gzip'd file
    std::string first_;                  ///< enough of the file to know its encoding
    bool started_ = false;
    bool ended_ = false;
    std::optional<model::Issue> error_;
};

} // namespace costcurve::imports
