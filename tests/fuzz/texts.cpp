// Any bytes as a table, as lines, as JSON, as gzip, as numbers and names: what all formats stand on.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <zlib.h>

#include "server/import/identity/aliases.hpp"
#include "server/import/text/json.hpp"
#include "server/import/text/lines.hpp"
#include "server/import/text/numbers.hpp"
#include "server/import/text/table.hpp"
#include "server/import/text/utf8.hpp"
#include "tests/fuzz/expect.hpp"

namespace costcurve::imports {
namespace {

using fuzz::expect;

Bytes in_blocks(std::string_view text, std::size_t size) {
    return Bytes([text, size]() mutable {
        const std::string_view block = text.substr(0, size);
        text.remove_prefix(block.size());
        return block;
    });
}

std::string all_of(Table& table) {
    std::string all;
    for (const std::string& name : table.header()) {
        all += name + "|";
    }
    const auto columns = static_cast<int>(table.header().size());
    std::size_t row = 0;
    while (table.next()) {
        expect(table.row() > row, "rows do not ascend");
        row = table.row();
        all += fmt::format("\n{}", row);
        for (int i = 0; i <= columns; ++i) {
            const std::string_view cell = table.text({i});
            expect(is_utf8(cell), "a cell is not UTF-8");
            static_cast<void>(parse_number(cell));
            all += fmt::format("|{}", cell);
        }
    }
    return table.error() ? all + table.error()->message : all;
}

std::string all_of(Lines& lines) {
    std::string all;
    while (lines.next()) {
        expect(is_utf8(lines.text()) && lines.text().find('\n') == std::string_view::npos, "a line is no line");
        all += fmt::format("{} {}\n", lines.row(), lines.text());
    }
    return lines.error() ? all + lines.error()->message : all;
}

// The size of the blocks must not matter, but for what comes before an error. The delimiter is looked for in the first one, so that
// has to hold the header.
void read_text(std::string_view text, std::size_t size) {
    Bytes whole_lines = in_blocks(text, text.size());
    Bytes small_lines = in_blocks(text, size);
    Lines whole(whole_lines);
    Lines small(small_lines);
    const std::string all = all_of(whole);
    const std::string same = all_of(small);
    expect(whole.error().has_value() == small.error().has_value(), "blocks make an error");
    expect(whole.error() || all == same, "blocks make a difference to lines");
    for (const std::size_t step : {text.size(), size}) {
        Bytes bytes = in_blocks(text, step);
        Table table(bytes);
        static_cast<void>(all_of(table));
        Bytes again = in_blocks(text, step);
        Table named(again, {"a", "b"});
        static_cast<void>(all_of(named));
    }
}

void read_gzip(std::string_view text, std::size_t size) {
    Bytes damaged = in_blocks(text, size);
    static_cast<void>(damaged.whole());
    std::string packed(text.size() + 128, '\0');
    z_stream stream{};
    deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data())); // NOLINT: zlib only reads it
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data()); // NOLINT: bytes are bytes
    stream.avail_out = static_cast<uInt>(packed.size());
    const bool done = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    if (!done) {
        return;
    }
    Bytes plain = in_blocks(text, text.size());
    Bytes zipped = in_blocks(packed, size);
    const std::optional<std::string> before = plain.whole();
    if (text.starts_with("\x1f\x8b")) { // gzip in gzip stays packed
        return;
    }
    expect(before == zipped.whole(), "gzip makes a difference");
}

void read_words(std::string_view text) {
    const Number number = parse_number(text);
    expect(number.state != Number::State::good || std::isfinite(number.value), "a number is not finite");
    static_cast<void>(parse_number(text, DecimalMark::comma));
    const std::optional<Moment> moment = parse_moment(text);
    expect(!moment || std::isfinite(moment->seconds), "a moment is not finite");
    const std::string id = make_id({text});
    expect(id.size() <= 128 && make_id({id}) == id, "an id is not stable");
    static_cast<void>(device_of(text));
    static_cast<void>(tpu_slice_of(text));
    static_cast<void>(instance_of(text));
    if (is_utf8(text)) {
        expect(is_utf8(clipped(text, 7)), "a text is cut inside of a character");
    }
}

void read_json(std::string_view text) {
    const JsonFile file(text);
    if (file.root()) {
        static_cast<void>(number_of(*file.root(), "a"));
        static_cast<void>(text_of(*file.root(), "a"));
    }
    expect(file.root().has_value() != file.error().has_value(), "JSON has neither a root nor an error");
}

} // namespace
} // namespace costcurve::imports

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { // NOLINT: libFuzzer's name
    using namespace costcurve::imports;
    if (size < 2) {
        return 0;
    }
    const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2); // NOLINT: bytes are bytes
    const std::size_t block = std::size_t{1} + data[1] * 4U;
    switch (data[0] % 4U) {
    case 0:
        read_text(text, block);
        break;
    case 1:
        read_gzip(text, block);
        break;
    case 2:
        read_words(text);
        break;
    default:
        read_json(text);
    }
    return 0;
}
