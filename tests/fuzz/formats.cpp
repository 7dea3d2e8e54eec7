// Any bytes as any format: whatever comes, a reader ends with a report or a named error, and what it gives is in order.
//
// The first two bytes choose the format (the one whose mark is next; `fuzz_formats --formats` prints them), the third the size of
// blocks. Files of a set begin with a line "\x1e" + name. Telemetry is read by the same rule.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "server/import/importer.hpp"
#include "server/import/telemetry/prometheus.hpp"
#include "server/import/telemetry/telemetry_lines.hpp"
#include "server/import/telemetry/telemetry_metrics.hpp"
#include "server/import/text/numbers.hpp"
#include "server/import/text/utf8.hpp"
#include "tests/fuzz/expect.hpp"

namespace costcurve::imports {
namespace {

constexpr std::size_t kHead = 3;
constexpr char kFileMark = '\x1e';

using fuzz::expect;

// A format, or telemetry.
struct Target {
    std::string name;
    const Format* format = nullptr;
    HardError (*read)(Bytes& bytes, Report& report) = nullptr;
    [[nodiscard]] unsigned mark() const { // FNV-1a, folded: a format keeps it when others come
        std::uint32_t hash = 2166136261U;
        for (const char c : name) {
            hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
        }
        return (hash >> 16U) ^ (hash & 0xffffU);
    }
};

const std::vector<Target>& targets() {
    static const std::vector<Target> all = [] {
        std::vector<Target> list;
        for (const Format& format : formats()) {
            list.push_back({std::string(format.name), &format, nullptr});
        }
        list.push_back(
            {"prometheus", nullptr, [](Bytes& bytes, Report& report) { return read_prometheus(bytes, 1790000000000, report); }});
        list.push_back({"telemetry", nullptr, read_telemetry_lines});
        std::sort(list.begin(), list.end(), [](const Target& a, const Target& b) { return a.mark() < b.mark(); });
        return list;
    }();
    return all;
}

Options options_for(const Format& format) {
    Options all;
    all.name = "file.csv";
    all.source = "fuzz";
    all.date = "2026-04-02";
    all.provider = "acme";
    all.region = "here";
    all.currency = "USD";
    all.device = "H100";
    all.devices = "8";
    all.model = "llama-3.3-70b";
    all.time_zone = "Europe/Brussels";
    all.unit = "MWh";
    all.tdp_w = "700";
    all.id = "fuzz.x";
    const std::string heeded = " " + std::string(format.needs) + " " + std::string(format.takes) + " ";
    for (const OptionRow& row : import_options()) {
        if (heeded.find(" " + std::string(row.name) + " ") == std::string::npos) {
            (all.*row.member).clear();
        }
    }
    expect(check_options(format, all).empty(), "options of the target are refused");
    return all;
}

std::vector<NamedText> files_of(std::string_view text) {
    std::vector<NamedText> files;
    if (!text.starts_with(kFileMark)) {
        files.push_back({"file.csv", std::string(text)});
        return files;
    }
    while (!text.empty() && files.size() < 16) {
        text.remove_prefix(1);
        const std::size_t line = std::min(text.find('\n'), text.size());
        const std::size_t end = std::min(text.find(kFileMark, line), text.size());
        const std::size_t begin = std::min(line + 1, end);
        const std::string_view name = text.substr(0, line); // the caller gives names in UTF-8
        files.push_back({std::string(is_utf8(name) ? name : "file.csv"), std::string(text.substr(begin, end - begin))});
        text.remove_prefix(end);
    }
    return files;
}

void check_curve(const model::Curve& curve) {
    expect(!curve.x.empty() && curve.x.size() == curve.y.size(), "a curve has no points");
    const model::CurveKindRow& row = model::curve_kind_row(curve.kind);
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
        expect(std::isfinite(curve.x[i]) && (i == 0 || curve.x[i] > curve.x[i - 1]), "a curve's x do not ascend");
        expect(curve.y[i] >= row.y_min && curve.y[i] <= row.y_max, "a curve's y is out of range");
    }
}

void check_document(const Document& document) {
    std::visit(
        [](const auto& one) {
            expect(!one.id.empty() && make_id({one.id}) == one.id, "a document's id is no slug");
            expect(is_utf8(one.source) && is_utf8(one.note), "a document's text is not UTF-8");
        },
        document);
    if (const auto* const curve = std::get_if<model::Curve>(&document)) {
        check_curve(*curve);
    } else if (const auto* const offer = std::get_if<model::Offer>(&document)) {
        expect(std::isfinite(offer->hourly_price.number) && offer->hourly_price.number >= 0.0, "an offer's price is no number");
        expect(offer->devices > 0, "an offer has no devices");
        if (offer->hourly_price.curve && !offer->hourly_price.curve->stored.is_reference) {
            check_curve(*offer->hourly_price.curve);
        }
    } else if (const auto* const performance = std::get_if<model::Performance>(&document)) {
        expect(performance->devices > 0, "a performance has no devices");
    }
}

void check(const Report& report, const HardError& error) {
    for (const Complaints* const complaints : {&report.rejected, &report.warnings}) {
        expect(complaints->first.size() == std::min(complaints->count, Complaints::kMax), "complaints are not bounded");
        for (const Complaint& complaint : complaints->first) {
            expect(!complaint.reason.empty() && complaint.reason.size() < 10000 && is_utf8(complaint.reason),
                   "a complaint is no message");
        }
    }
    expect(!error || (!error->message.empty() && error->message.size() < 10000 && is_utf8(error->message)),
           "an error is no message");
}

void check_sample(const Sample& sample) {
    const MetricRow* const metric = find_metric(sample.metric);
    expect(metric != nullptr && sample.value >= metric->low && sample.value <= metric->high, "a sample is out of range");
    expect(!sample.source.empty() && sample.source.size() <= kMaxSource && is_utf8(sample.source), "a sample has no source");
    expect(sample.time_ms >= kOldestSample && sample.time_ms <= kNewestSample, "a sample's time is out of range");
}

void run(std::string_view input) {
    const unsigned mark = static_cast<unsigned char>(input[0]) << 8U | static_cast<unsigned char>(input[1]);
    const auto found = std::find_if(targets().begin(), targets().end(), [&](const Target& one) { return one.mark() >= mark; });
    const Target& target = found == targets().end() ? targets().front() : *found;
    const std::size_t size = std::size_t{1} + static_cast<unsigned char>(input[2]) * 16U;
    const std::string_view text = input.substr(kHead);

    Report report;
    report.on_document = check_document;
    report.on_sample = check_sample;
    HardError error;
    if (target.format != nullptr && target.format->read_set != nullptr) {
        error = read_files(*target.format, files_of(text), options_for(*target.format), report);
    } else {
        Bytes bytes([rest = text, size]() mutable {
            const std::string_view block = rest.substr(0, size);
            rest.remove_prefix(block.size());
            return block;
        });
        error = target.format == nullptr ? target.read(bytes, report)
                                         : read_file(*target.format, bytes, options_for(*target.format), report);
    }
    check(report, error);
}

} // namespace
} // namespace costcurve::imports

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) { // NOLINT: libFuzzer's name
    if (*argc > 1 && std::strcmp((*argv)[1], "--formats") == 0) {
        for (const auto& target : costcurve::imports::targets()) {
            std::printf("%u %s\n", target.mark(), target.name.c_str());
        }
        std::exit(0);
    }
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { // NOLINT: libFuzzer's name
    if (size >= costcurve::imports::kHead) {
        costcurve::imports::run({reinterpret_cast<const char*>(data), size}); // NOLINT: bytes are bytes
    }
    return 0;
}
