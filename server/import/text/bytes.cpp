// Detects gzip, UTF-16 and byte-order marks by a file's first bytes.
#include "server/import/text/bytes.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <zlib.h>

#include "model/stop.hpp"
#include "server/import/importer.hpp"

namespace costcurve::imports {

namespace {

constexpr std::string_view kGzip = "\x1f\x8b";
constexpr std::string_view kMark8 = "\xef\xbb\xbf";
constexpr std::string_view kMark16Little = "\xff\xfe";
constexpr std::string_view kMark16Big = "\xfe\xff";
constexpr std::size_t kMarks = 3; // bytes that tell them all apart
constexpr int kGzipWindow = 15 + 16;

} // namespace

// The state of zlib, and what came out of it last.
struct Bytes::Inflater {
    z_stream stream{};
    std::array<char, 1U << 16U> out;
    std::string_view in;
    std::int64_t bytes_in = 0;
    std::int64_t bytes_out = 0;
    bool at_member_end = false;
    std::string first; // enough of what comes out to know its encoding

    Inflater() { inflateInit2(&stream, kGzipWindow); }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    ~Inflater() { inflateEnd(&stream); }
};

Bytes::Bytes(Next next) : next_(std::move(next)) {}
Bytes::Bytes(std::string_view text)
    : next_([text, done = false]() mutable { return std::exchange(done, true) ? std::string_view() : text; }) {}
Bytes::Bytes(Bytes&&) noexcept = default;
Bytes& Bytes::operator=(Bytes&&) noexcept = default;
Bytes::~Bytes() = default;

std::string_view Bytes::fail(model::Code code, std::string_view message) {
    error_ = hard_error(code, 0, message);
    ended_ = true;
    return {};
}

// The file as it is, its first bytes gathered in one block.
std::string_view Bytes::raw() {
    if (started_) {
        return next_();
    }
    started_ = true;
    while (first_.size() < kMarks) {
        const std::string_view block = next_();
        if (block.empty()) {
            break;
        }
        first_ += block;
    }
    return first_;
}

std::string_view Bytes::inflated() {
    Inflater& inflater = *inflater_;
    for (;;) {
        if (inflater.in.empty()) {
            inflater.in = raw();
            inflater.bytes_in += static_cast<std::int64_t>(inflater.in.size());
        }
        if (inflater.in.empty()) {
            return inflater.at_member_end ? std::string_view() : fail(model::Code::bad_format, "the gzip file is cut off");
        }
        if (inflater.at_member_end) { // several members in a row are one file
            inflateReset(&inflater.stream);
            inflater.at_member_end = false;
        }
        z_stream& stream = inflater.stream;
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(inflater.in.data())); // NOLINT: zlib only reads it
        stream.avail_in = static_cast<uInt>(std::min(inflater.in.size(), std::size_t{1} << 30U));
        stream.next_out = reinterpret_cast<Bytef*>(inflater.out.data()); // NOLINT: bytes are bytes
        stream.avail_out = static_cast<uInt>(inflater.out.size());
        const uInt before = stream.avail_in;
        const int result = inflate(&stream, Z_NO_FLUSH);
        inflater.in.remove_prefix(before - stream.avail_in);
        const std::size_t made = inflater.out.size() - stream.avail_out;
        inflater.bytes_out += static_cast<std::int64_t>(made);
        inflater.at_member_end = result == Z_STREAM_END;
        if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
            return fail(model::Code::bad_format, "the gzip file is damaged");
        }
        if (inflater.bytes_out > kFreeInflation && inflater.bytes_out > kMaxInflation * inflater.bytes_in) {
            return fail(model::Code::too_large, "the gzip file grows more than 200 times: give the file itself if it is real");
        }
        if (made > 0) {
            return {inflater.out.data(), made};
        }
    }
}

std::string_view Bytes::next() {
    if (ended_) {
        return {};
    }
    model::stop_where_unwanted();
    const bool first = !started_;
    std::string_view block = inflater_ ? inflated() : raw();
    if (first && block.starts_with(kGzip)) {
        inflater_ = std::make_unique<Inflater>();
        inflater_->in = block;
        inflater_->bytes_in = static_cast<std::int64_t>(block.size());
        std::string& begin = inflater_->first;
        for (block = inflated(); !block.empty(); block = inflated()) {
            begin += block;
            if (begin.size() >= kMarks) {
                break;
            }
        }
        if (error_) {
            return {};
        }
        block = begin;
    }
    if (first && (block.starts_with(kMark16Little) || block.starts_with(kMark16Big))) {
        return fail(model::Code::bad_format, "the file is in UTF-16; save it as UTF-8");
    }
    if (first && block.starts_with(kMark8)) {
        block.remove_prefix(kMark8.size());
        if (block.empty()) {
            return next();
        }
    }
    if (block.find('\0') != std::string_view::npos) {
        return fail(model::Code::bad_format,
                    "the file has zero bytes: it is binary, or in UTF-16 or UTF-32; save it as UTF-8 text");
    }
    ended_ = block.empty();
    return block;
}

std::optional<std::string> Bytes::whole(std::size_t most) {
    std::string all;
    for (std::string_view block = next(); !block.empty(); block = next()) {
        if (block.size() > most - all.size()) {
            static_cast<void>(fail(model::Code::too_large, fmt::format("the file has more than {} bytes", most)));
            return std::nullopt;
        }
        all += block;
    }
    return error_ ? std::nullopt : std::optional(std::move(all));
}

} // namespace costcurve::imports
