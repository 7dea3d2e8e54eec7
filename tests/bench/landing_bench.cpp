// A SkyPilot catalogue on its way into a store: CPU time of reading it, of making records, and of writing them, beside that of bare
// SQLite for the same bodies and prices; then the time until the scenarios that it reaches are recalculated.
// usage: landing_bench [rows [prices a row: 1 or 2 [times [scenarios]]]]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <set>
#include <vector>

#include <nlohmann/json.hpp>
#include <sqlite3.h>
#include <unistd.h>

#include "model/version.hpp"
#include "server/documents/document_files.hpp"
#include "server/documents/records.hpp"
#include "server/import/importer.hpp"
#include "server/ingest/import_files.hpp"
#include "server/recalculation/recalculate.hpp"
#include "server/recalculation/recalculation.hpp"
#include "server/recalculation/standings.hpp"
#include "server/storage/open_store.hpp"
#include "tests/bench/scenarios.hpp"

namespace costcurve {
namespace {

const storage::Author kAuthor{"bench", "request"};

double cpu_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

[[noreturn]] void fail(std::string_view what) {
    fmt::print(stderr, "{}\n", what);
    std::exit(1);
}

// Every instance type in every zone, a region after the other, as providers publish it. The first row is dearer by `raise_first`.
std::string catalogue(int rows, bool with_spot, double raise, double raise_first = 0.0) {
    constexpr const char* kTypes[] = {"p3.8xlarge,V100,4.0", "p4d.24xlarge,A100,8.0", "p5.48xlarge,H100,8.0", "g5.xlarge,A10G,1.0",
                                      "g6.xlarge,L4,1.0",    "g4dn.12xlarge,T4,4.0",  "p3.2xlarge,V100,1.0"};
    std::string text = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,"
                       "AvailabilityZone,Arch\n";
    for (int row = 0; row < rows; ++row) {
        const int zone = row / static_cast<int>(std::size(kTypes));
        text += fmt::format("{},32.0,244.0,\"{{'Gpus': [{{'Name': 'V100', 'Manufacturer': 'NVIDIA', 'Count': 4, 'MemoryInfo': "
                            "{{'SizeInMiB': 16384}}}}], 'TotalGpuMemoryInMiB': 65536}}\",{},{},region-{},zone-{},x86_64\n",
                            kTypes[row % std::size(kTypes)], 4.24 + row % 30 + raise + (row == 0 ? raise_first : 0.0),
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
        fail("the catalogue was not read whole");
    }
}

void save(storage::Store& store, const std::string& text, std::string_view name) {
    documents::DocumentImport import;
    if (!import.read(text, name).empty() || !import.save(store, kAuthor)) {
        fail("documents were not stored");
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
    std::string documents;
    for (const std::string& id : devices) {
        documents += fmt::format(R"({}{{"id": "{}", "kind": "gpu", "tdp_w": 400}})", documents.empty() ? "" : ", ", id);
    }
    save(store, "[" + documents + "]", "devices");
    return seconds;
}

void execute(const char* sql, sqlite3* database) {
    if (sqlite3_exec(database, sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
        fail(sqlite3_errmsg(database));
    }
}

// The bound: the same ids, bodies, facts and prices into two plain tables and two indexes, in one transaction on disk, with nothing
// compared, hashed or kept of before.
void insert_bare(const std::filesystem::path& path, const std::string& text) {
    std::vector<storage::Record> records;
    imports::Report report;
    report.on_document = [&](imports::Document&& document) {
        const std::string id = std::get<model::Offer>(document).id;
        records.push_back(documents::encode_record(std::get<model::Offer>(std::move(document)), id));
    };
    read(text, "2026-04-02", report);
    sqlite3* database = nullptr;
    const double start = cpu_seconds();
    if (sqlite3_open(path.c_str(), &database) != SQLITE_OK) {
        fail("bare SQLite does not open");
    }
    execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; BEGIN;"
            "CREATE TABLE offer (offer INTEGER PRIMARY KEY, id TEXT UNIQUE, body TEXT, provider TEXT, region TEXT, device TEXT);"
            "CREATE INDEX by_device ON offer (device);"
            "CREATE TABLE price (offer INTEGER, day REAL, price REAL, PRIMARY KEY (offer, day)) WITHOUT ROWID",
            database);
    sqlite3_stmt* offer = nullptr;
    sqlite3_stmt* price = nullptr;
    sqlite3_prepare_v2(database, "INSERT INTO offer VALUES (?, ?, ?, ?, ?, ?)", -1, &offer, nullptr);
    sqlite3_prepare_v2(database, "INSERT INTO price VALUES (?, ?, ?)", -1, &price, nullptr);
    const auto bind = [&](int place, const std::string& value) {
        sqlite3_bind_text(offer, place, value.data(), static_cast<int>(value.size()), SQLITE_STATIC);
    };
    for (std::size_t i = 0; i < records.size(); ++i) {
        const storage::Record& record = records[i];
        sqlite3_bind_int64(offer, 1, static_cast<sqlite3_int64>(i));
        bind(2, record.key.id);
        bind(3, record.body);
        bind(4, record.offer->provider);
        bind(5, record.offer->region);
        bind(6, record.offer->device);
        sqlite3_bind_int64(price, 1, static_cast<sqlite3_int64>(i));
        sqlite3_bind_double(price, 2, record.series.front().x.front());
        sqlite3_bind_double(price, 3, record.series.front().y.front());
        if (sqlite3_step(offer) != SQLITE_DONE || sqlite3_step(price) != SQLITE_DONE) {
            fail(sqlite3_errmsg(database));
        }
        sqlite3_reset(offer);
        sqlite3_reset(price);
    }
    execute("COMMIT", database);
    sqlite3_finalize(offer);
    sqlite3_finalize(price);
    sqlite3_close(database);
    const double seconds = cpu_seconds() - start;
    fmt::print("bare SQLite, the records made already: {:.2f} s, {:.0f} offers/s\n", seconds,
               static_cast<double>(records.size()) / seconds);
}

// Gives rows a second.
double land(storage::Store& store, const std::string& text, std::string_view what, std::string_view date, int rows) {
    const double start = cpu_seconds();
    imports::Report report;
    double made = 0.0;
    ingest::MergeSummary landed;
    {
        ingest::DocumentMerge merge;
        report.on_document = [&](imports::Document&& document) {
            ingest::add_document(merge, std::move(document), report.rejected);
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
        land(store, catalogue(rows, with_spot, 0.0, 0.5), "one other price", "2026-04-02", rows);
        insert_bare(folder / "bare.db", text);
        land(store, catalogue(rows, with_spot, 0.5), "another day's prices", "2026-04-09", rows);
    }
    std::filesystem::remove_all(folder);
    return into_new;
}

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Recalculates what has changed; gives how many scenarios that were.
std::int64_t recalculate(storage::Store& store) {
    storage::RunRequest request;
    request.model_version = model::kModelVersion;
    const auto id = std::get<std::int64_t>(store.begin_run(kAuthor, request));
    recalculation::execute_run(store, id,
                               {.model_version = std::string(model::kModelVersion),
                                .recalculate = recalculation::recalculate,
                                .at_end = recalculation::record_end});
    const storage::Run run = store.run(id).value();
    if (run.failed > 0) {
        fail(store.run_failures(id, 1).front().problem);
    }
    return run.evaluated;
}

// Time on the clock from a list of which every price is another to the new results, where a twentieth of the scenarios rents what
// the list sells.
void reach(int rows, int scenarios) {
    const auto folder = std::filesystem::temp_directory_path() / fmt::format("costcurve_landing_{}", getpid());
    std::filesystem::create_directories(folder);
    {
        storage::StoreSettings settings;
        settings.path = folder / "bench.db";
        const auto opened = storage::open_store(settings);
        storage::Store& store = *opened;
        const std::string text = catalogue(rows, false, 0.0);
        static_cast<void>(read_alone(store, text));
        land(store, text, "new", "2026-04-02", rows);
        const nlohmann::json usual = nlohmann::json::parse(bench::usual_scenario());
        constexpr int kStoredAtOnce = 1000;
        for (int first = 0; first < scenarios; first += kStoredAtOnce) {
            nlohmann::json some = nlohmann::json::array();
            for (int i = first; i < std::min(first + kStoredAtOnce, scenarios); ++i) {
                nlohmann::json& scenario = some.emplace_back(usual);
                scenario["id"] = fmt::format("s{}", i);
                scenario["workloads"][0]["demand"]["mean_per_s"] = 5 + 10.0 * i / scenarios;
                if (i % 20 == 0) {
                    const int zone = i % (rows / 7);
                    scenario["pools"].back()["offer"] = fmt::format("aws.p5.48xlarge.zone-{}.on-demand", zone);
                }
            }
            save(store, some.dump(), "scenarios");
        }
        fmt::print("{} scenarios, the first results of {}\n", scenarios, recalculate(store));
        const Clock::time_point start = Clock::now();
        const double cpu = cpu_seconds();
        land(store, catalogue(rows, false, 0.5), "another day's prices", "2026-04-09", rows);
        const double landed = seconds_since(start);
        const std::int64_t evaluated = recalculate(store);
        fmt::print("landed in {:.2f} s, {} of {} scenarios recalculated in {:.2f} s: {:.2f} s together ({:.2f} s of CPU)\n", landed,
                   evaluated, scenarios, seconds_since(start) - landed, seconds_since(start), cpu_seconds() - cpu);
    }
    std::filesystem::remove_all(folder);
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
    if (const int scenarios = number(4, 10'000); scenarios > 0) {
        costcurve::reach(number(1, 60'000), scenarios);
    }
}
