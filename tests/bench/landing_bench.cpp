// A SkyPilot catalogue on its way into a store: CPU time of reading it, of making records, and of writing them, which the load of
// the machine does not touch. usage: landing_bench [rows [prices a row: 1 or 2 [times, for the median and the best of new stores]]]
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <set>
#include <vector>

#include <unistd.h>

#include "server/answers/store/import_files.hpp"
#include "server/import/importer.hpp"
#include "server/storage/open_store.hpp"

namespace costcurve {
namespace {

const storage::Author kAuthor{"bench", "request"};

double cpu_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Every instance type in every zone, a region after the other, as providers publish it.
std::string catalogue(int rows, bool with_spot, double raise) {
    constexpr const char* kTypes[] = {"p3.8xlarge,V100,4.0", "p4d.24xlarge,A100,8.0", "p5.48xlarge,H100,8.0", "g5.xlarge,A10G,1.0",
                                      "g6.xlarge,L4,1.0",    "g4dn.12xlarge,T4,4.0",  "p3.2xlarge,V100,1.0"};
    std::string text = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,"
                       "AvailabilityZone,Arch\n";
    for (int row = 0; row < rows; ++row) {
        const int zone = row / static_cast<int>(std::size(kTypes));
        text += fmt::format("{},32.0,244.0,\"{{'Gpus': [{{'Name': 'V100', 'Manufacturer': 'NVIDIA', 'Count': 4, 'MemoryInfo': "
                            "{{'SizeInMiB': 16384}}}}], 'TotalGpuMemoryInMiB': 65536}}\",{},{},region-{},zone-{},x86_64\n",
                            kTypes[row % std::size(kTypes)], 4.24 + row % 30 + raise,
                            with_spot ? fmt::format("{}.448000", 2 + row % 3) : "", zone % 40, zone);
    }
    return text;
}

void read(const std::string& text, std::string_view date, imports::Report& report) {
    constexpr std::size_t kBlock = 65536;
    imports::Bytes bytes([rest = std::string_view(text)]() mutable {
        const std::string_view block = rest.substr(0, kBlock);
        rest.remove_prefix(block.size());
        return block;
    });
    imports::Options options;
    options.name = "vms.csv";
    options.date = date;
    options.provider = "aws";
    if (imports::read_file(*imports::find_format("skypilot"), bytes, options, report) || report.rejected.count > 0) {
        fmt::print(stderr, "the catalogue was not read whole\n");
        std::exit(1);
    }
}

// Reads the rows alone; stores the devices that they name.
double read_alone(storage::Store& store, const std::string& text) {
    std::set<std::string> devices;
    imports::Report report;
    report.on_document = [&](const imports::Document& document) { devices.insert(std::get<model::Offer>(document).device.id); };
    const double start = cpu_seconds();
    read(text, "2026-04-02", report);
    const double seconds = cpu_seconds() - start;
    std::vector<storage::Record> records;
    records.reserve(devices.size());
    for (const std::string& id : devices) {
        records.push_back({{storage::Kind::device, id}, "", "{}", {}, {}, std::nullopt});
    }
    static_cast<void>(store.save_all(kAuthor, records));
    return seconds;
}

// Gives rows a second.
double land(storage::Store& store, const std::string& text, std::string_view what, std::string_view date, int rows) {
    const double start = cpu_seconds();
    imports::Report report;
    double made = 0.0;
    documents::MergeSummary landed;
    {
        documents::DocumentMerge merge;
        report.on_document = [&](imports::Document&& document) {
            answers::add_document(merge, std::move(document), report.rejected);
        };
        read(text, date, report);
        made = cpu_seconds();
        landed = merge.commit(store, kAuthor, {});
    }
    const double end = cpu_seconds();
    const auto offers = static_cast<double>(landed.added + landed.changed + landed.unchanged);
    fmt::print("{}: {} added, {} changed, {} unchanged; read and made {:.2f} s, written {:.2f} s, together {:.0f} rows/s, "
               "{:.0f} offers/s\n",
               what, landed.added, landed.changed, landed.unchanged, made - start, end - made, rows / (end - start),
               offers / (end - start));
    return rows / (end - start);
}

// Gives rows a second into a new store.
double run(int rows, bool with_spot) {
    const auto folder = std::filesystem::temp_directory_path() / fmt::format("costcurve_landing_{}", getpid());
    std::filesystem::create_directories(folder);
    double into_new = 0.0;
    {
        storage::StoreSettings settings;
        settings.path = folder / "bench.db";
        const auto opened = storage::open_store(settings);
        storage::Store& store = *opened;
        const std::string text = catalogue(rows, with_spot, 0.0);
        const double seconds = read_alone(store, text);
        fmt::print("{} rows, {} price(s) a row: read alone {:.2f} s, {:.0f} rows/s\n", rows, with_spot ? 2 : 1, seconds,
                   rows / seconds);
        into_new = land(store, text, "new", "2026-04-02", rows);
        fmt::print("{:.0f} bytes of the file a row\n", static_cast<double>(store.counts().bytes) / rows);
        land(store, text, "the same again", "2026-04-02", rows);
        land(store, catalogue(rows, with_spot, 0.5), "another day's prices", "2026-04-09", rows);
    }
    std::filesystem::remove_all(folder);
    return into_new;
}

} // namespace
} // namespace costcurve

int main(int argc, char** argv) {
    const auto number = [&](int index, int usual) { return argc > index ? std::atoi(argv[index]) : usual; };
    std::vector<double> new_rows;
    for (int time = 0; time < number(3, 1); ++time) {
        new_rows.push_back(costcurve::run(number(1, 60'000), number(2, 2) == 2));
    }
    std::sort(new_rows.begin(), new_rows.end());
    fmt::print("new stores: {:.0f} rows/s at the median, {:.0f} at best\n", new_rows[new_rows.size() / 2], new_rows.back());
}
