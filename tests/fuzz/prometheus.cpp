// Any text as an exporter's: samples are in range, complaints are sentences, and neither the size of the blocks nor a comment
// changes what is read.
//
// The first byte is the size of the blocks.
#include <string>

#include <fmt/format.h>

#include "server/import/telemetry/prometheus.hpp"
#include "server/import/telemetry/telemetry_lines.hpp"
#include "server/import/telemetry/telemetry_metrics.hpp"
#include "server/import/text/utf8.hpp"
#include "tests/fuzz/expect.hpp"

namespace costcurve::imports {
namespace {

using fuzz::expect;

constexpr std::int64_t kNow = 1790000000000;

void check(const Sample& sample) {
    const MetricRow* const metric = find_metric(sample.metric);
    expect(metric != nullptr && sample.value >= metric->low && sample.value <= metric->high, "a sample is out of range");
    expect(!sample.source.empty() && sample.source.size() <= kMaxSource && is_utf8(sample.source), "a sample has no source");
    expect(sample.time_ms >= kOldestSample && sample.time_ms <= kNewestSample, "a sample's time is out of range");
}

// All that is read of it, as text.
std::string read(std::string_view text, std::size_t block_size, std::size_t lines_before) {
    Bytes bytes([rest = text, block_size]() mutable {
        const std::string_view block = rest.substr(0, block_size);
        rest.remove_prefix(block.size());
        return block;
    });
    std::string all;
    Report report;
    report.on_sample = [&](const Sample& sample) {
        check(sample);
        all += fmt::format("{} {} {} {} {} {}\n", sample.row - lines_before, sample.source, sample.device, sample.metric,
                           sample.time_ms, sample.value);
    };
    const HardError error = read_prometheus(bytes, kNow, report);
    for (const Complaints* const complaints : {&report.rejected, &report.warnings}) {
        all += fmt::format("{}\n", complaints->count);
        for (const Complaint& complaint : complaints->first) {
            expect(!complaint.reason.empty() && complaint.reason.size() < 10000 && is_utf8(complaint.reason), "no reason is given");
        }
    }
    expect(!error || (!error->message.empty() && is_utf8(error->message)), "an error is no message");
    return error ? "error" : all;
}

} // namespace
} // namespace costcurve::imports

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { // NOLINT: libFuzzer's name
    using namespace costcurve::imports;
    if (size < 2 || data[1] == 0x1f || data[1] == 0xef) { // gzip and byte order marks are of whole files, and other targets'
        return 0;
    }
    const std::string_view text = costcurve::fuzz::text_of(data + 1, size - 1);
    const std::string whole = read(text, text.size(), 0);
    expect(read(text, std::size_t{1} + data[0], 0) == whole, "blocks make a difference");
    expect(read("# a comment\n" + std::string(text), text.size() + 100, 1) == whole, "a comment makes a difference");
    return 0;
}
