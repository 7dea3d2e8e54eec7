// Telemetry of a fleet, scrape by scrape, into a store of its own, with readers that ask for pages of hours meanwhile: samples a
// second and bytes a sample. usage: telemetry_bench [devices [scrapes [readers]]]
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include <unistd.h>

#include "server/storage/open_store.hpp"

namespace costcurve::storage {
namespace {

constexpr std::int64_t kScrapeMs = 10'000;
constexpr const char* kMetrics[] = {"power_w", "utilization", "temperature_c", "units_per_s", "energy_j"};

struct Fleet {
    SampleBatch batch;

    explicit Fleet(int devices) {
        for (int device = 0; device < devices; ++device) {
            for (const char* const metric : kMetrics) {
                batch.samples.push_back({static_cast<std::uint32_t>(batch.series.size()), 0, 0.0});
                batch.series.push_back({fmt::format("host{}/{}", device / 8, device % 8), "h100-sxm", metric});
            }
        }
    }
    void scrape(std::int64_t time_ms, int number) {
        for (std::size_t i = 0; i < batch.samples.size(); ++i) {
            batch.samples[i].time_ms = time_ms;
            batch.samples[i].value = 100.0 * number + static_cast<double>(i % 700);
        }
    }
};

void run(int devices, int scrapes, int readers) {
    const auto folder = std::filesystem::temp_directory_path() / fmt::format("costcurve_telemetry_{}", getpid());
    std::filesystem::create_directories(folder);
    {
        StoreSettings settings;
        settings.path = folder / "bench.db";
        const auto opened = open_store(settings);
        Store& store = *opened;
        Fleet fleet(devices);
        std::atomic<bool> done = false;
        std::atomic<int> pages = 0;
        std::vector<std::jthread> threads;
        threads.reserve(static_cast<std::size_t>(readers));
        for (int i = 0; i < readers; ++i) {
            threads.emplace_back([&] {
                while (!done) {
                    static_cast<void>(store.hours({.filter = {.sources = {"host0/3"}}}));
                    ++pages;
                    std::this_thread::sleep_for(std::chrono::milliseconds(5));
                }
            });
        }
        const std::int64_t first = store.telemetry_window().newest_ms - scrapes * kScrapeMs;
        const auto start = std::chrono::steady_clock::now();
        double slowest = 0.0;
        for (int scrape = 0; scrape < scrapes; ++scrape) {
            fleet.scrape(first + scrape * kScrapeMs, scrape);
            const auto before = std::chrono::steady_clock::now();
            static_cast<void>(store.add_samples({"bench", ""}, fleet.batch));
            slowest = std::max(slowest, std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count());
        }
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        done = true;
        threads.clear();
        const auto samples = static_cast<double>(fleet.batch.samples.size()) * scrapes;
        fmt::print("{} devices, {} scrapes of {} samples: {:.0f} samples/s, slowest scrape {:.0f} ms, {:.0f} bytes a sample, "
                   "{} pages read meanwhile\n",
                   devices, scrapes, fleet.batch.samples.size(), samples / seconds, 1000 * slowest,
                   static_cast<double>(store.counts().bytes) / samples, pages.load());
    }
    std::filesystem::remove_all(folder);
}

} // namespace
} // namespace costcurve::storage

int main(int argc, char** argv) {
    const auto number = [&](int index, int usual) { return argc > index ? std::atoi(argv[index]) : usual; };
    costcurve::storage::run(number(1, 1000), number(2, 360), number(3, 2));
}
