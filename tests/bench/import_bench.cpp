// Importers: rows a second from the bytes of a file to its documents, which are dropped.
#include <benchmark/benchmark.h>

#include <string>

#include <fmt/format.h>

#include "server/import/importer.hpp"

namespace costcurve::imports {
namespace {

constexpr int kRows = 300'000;
constexpr std::size_t kBlock = 65536;

// A catalogue as SkyPilot has it: a third are instances without accelerators, the others have a model's description in quotes.
std::string catalogue() {
    constexpr const char* kTypes[] = {"p3.8xlarge,V100,4.0", "p4d.24xlarge,A100,8.0", "p5.48xlarge,H100,8.0", "g5.xlarge,A10G,1.0"};
    std::string text = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,"
                       "AvailabilityZone,Arch\n";
    for (int row = 0; row < kRows; ++row) {
        const int zone = row / 6;
        if (row % 3 == 0) {
            text += fmt::format("m5.{}xlarge,,,8.0,16.0,,0.2568,0.256800,region-{},zone-{},x86_64\n", row % 6, zone % 40, zone);
        } else {
            text += fmt::format(
                "{},32.0,244.0,\"{{'Gpus': [{{'Name': 'V100', 'Manufacturer': 'NVIDIA', 'Count': 4, 'MemoryInfo': "
                "{{'SizeInMiB': 16384}}}}], 'TotalGpuMemoryInMiB': 65536}}\",{}.24,{}.448000,region-{},zone-{},x86_64\n",
                kTypes[row % 6 - row % 6 / 3 - 1], 4 + row % 30, 2 + row % 3, zone % 40, zone);
        }
    }
    return text;
}

void skypilot(benchmark::State& state) {
    const std::string text = catalogue();
    const Format& format = *find_format("skypilot");
    std::size_t documents = 0;
    std::size_t wrong = 0;
    for ([[maybe_unused]] auto _ : state) {
        documents = 0;
        Report report;
        report.on_document = [&](Document document) {
            benchmark::DoNotOptimize(document);
            ++documents;
        };
        Bytes bytes([rest = std::string_view(text)]() mutable {
            const std::string_view block = rest.substr(0, kBlock);
            rest.remove_prefix(block.size());
            return block;
        });
        const HardError error = read_file(format, bytes, {.name = "vms.csv", .date = "2026-04-02", .provider = "aws"}, report);
        wrong = report.rejected.count + (error ? 1 : 0);
        if (wrong != 0 || documents == 0) {
            state.SkipWithError("the catalogue was not read whole");
        }
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * kRows);
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
    state.counters["documents"] = static_cast<double>(documents);
}
BENCHMARK(skypilot)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace costcurve::imports

BENCHMARK_MAIN();
