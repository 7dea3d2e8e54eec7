// The store with a million price points over 30,000 offers: how long a price, a document and a page take, how fast points come
// in, and how large the file gets.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <random>

#include "server/storage/open_store.hpp"

namespace costcurve::storage {
namespace {

constexpr int kOffers = 30'000;
constexpr int kPointsPerOffer = 34; // 1,020,000 in all
constexpr int kOffersPerImport = 1'000;
constexpr int kDevices = 50;
constexpr double kFirstDay = 19'000; // since 1970
const Author kAuthor{"bench", "request"};

std::string id_of(int offer) { return "offer-" + std::to_string(100'000 + offer); }

Record device_record(int number) {
    return {{Kind::device, "device-" + std::to_string(number)}, "A device", std::string(400, 'd'), {}, {}, std::nullopt};
}

// A price a week; providers, regions and devices as unevenly spread as in a real catalogue.
Record offer_record(int number, int points) {
    Series prices{"/hourly_price", {}, {}};
    for (int i = 0; i < points; ++i) {
        prices.x.push_back(kFirstDay + 7.0 * i);
        prices.y.push_back(2.0 + 0.01 * ((number * 31 + i * 17) % 400));
    }
    const std::string device = "device-" + std::to_string(number * number % kDevices);
    const double last = prices.y.back();
    return {{Kind::offer, id_of(number)},
            "Offer of an instance, number " + std::to_string(number),
            std::string(600, 'o'),
            {std::move(prices)},
            {{Kind::device, device}},
            OfferFacts{"provider-" + std::to_string(number % 7), "region-" + std::to_string(number % 40), device,
                       number % 3 == 0 ? "spot" : "on_demand", last}};
}

class Folder {
public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "costcurve_bench_XXXXXX").string();
        path_ = mkdtemp(name.data()) == nullptr ? "" : name;
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { std::filesystem::remove_all(path_); }
    [[nodiscard]] StoreSettings settings() const {
        StoreSettings settings;
        settings.path = (path_ / "costcurve.db").string();
        return settings;
    }

private:
    std::filesystem::path path_;
};

void save_devices(Store& store) {
    std::vector<Record> devices;
    for (int i = 0; i < kDevices; ++i) {
        devices.push_back(device_record(i));
    }
    static_cast<void>(store.save_all(kAuthor, devices));
}

void import_offers(Store& store, int points) {
    for (int first = 0; first < kOffers; first += kOffersPerImport) {
        std::vector<Record> records;
        for (int i = first; i < first + kOffersPerImport; ++i) {
            records.push_back(offer_record(i, points));
        }
        static_cast<void>(store.save_all(kAuthor, records));
    }
}

// The store that reads are measured on; its second import appends a point to every offer, so that the past differs.
struct Filled {
    Folder folder;
    std::unique_ptr<Store> opened = open_store(folder.settings());
    Store& store = *opened;
    std::string before;

    Filled() {
        save_devices(store);
        import_offers(store, kPointsPerOffer - 1);
        before = store.snapshot()->as_of();
        import_offers(store, kPointsPerOffer);
    }
};
Filled& filled() {
    static Filled store;
    return store;
}

void import_points(benchmark::State& state) {
    for (auto _ : state) {
        state.PauseTiming();
        auto folder = std::make_unique<Folder>();
        auto store = open_store(folder->settings());
        save_devices(*store);
        state.ResumeTiming();
        import_offers(*store, kPointsPerOffer);
        state.PauseTiming();
        const StoreCounts counts = store->counts();
        state.counters["points"] = static_cast<double>(counts.points);
        state.counters["file_mb"] = static_cast<double>(counts.bytes) / (1 << 20);
        store.reset();
        folder.reset();
        state.ResumeTiming();
    }
    state.counters["points_per_second"] =
        benchmark::Counter(kOffers * kPointsPerOffer, benchmark::Counter::kIsIterationInvariantRate);
}

// What a first import of prices does: one transaction, every offer new, a point each.
void import_new_offers(benchmark::State& state) {
    std::vector<Record> records;
    for (int i = 0; i < kOffers; ++i) {
        records.push_back(offer_record(i, 1));
    }
    for (auto _ : state) {
        state.PauseTiming();
        auto folder = std::make_unique<Folder>();
        auto store = open_store(folder->settings());
        save_devices(*store);
        state.ResumeTiming();
        static_cast<void>(store->save_all(kAuthor, records));
        state.PauseTiming();
        store.reset();
        folder.reset();
        state.ResumeTiming();
    }
    state.counters["offers_per_second"] = benchmark::Counter(kOffers, benchmark::Counter::kIsIterationInvariantRate);
}

void append_a_point_to_every_offer(benchmark::State& state) {
    int points = kPointsPerOffer;
    for (auto _ : state) {
        import_offers(filled().store, ++points);
    }
    state.counters["offers_per_second"] = benchmark::Counter(kOffers, benchmark::Counter::kIsIterationInvariantRate);
    state.counters["file_mb"] = static_cast<double>(filled().store.counts().bytes) / (1 << 20);
}

void save_one_offer(benchmark::State& state) {
    int points = kPointsPerOffer;
    for (auto _ : state) {
        benchmark::DoNotOptimize(filled().store.save(kAuthor, offer_record(7, points++ % 100 + 1)));
    }
}

void price_in_a_snapshot(benchmark::State& state) {
    const auto snapshot = state.range(0) == 0 ? filled().store.snapshot() : filled().store.snapshot(filled().before);
    std::mt19937 random(1);
    for (auto _ : state) {
        const DocumentKey key{Kind::offer, id_of(static_cast<int>(random() % kOffers))};
        benchmark::DoNotOptimize(snapshot->value_at(key, "/hourly_price", kFirstDay + static_cast<double>(random() % 250)));
    }
}

void price_with_its_snapshot(benchmark::State& state) {
    std::mt19937 random(1);
    for (auto _ : state) {
        const DocumentKey key{Kind::offer, id_of(static_cast<int>(random() % kOffers))};
        const auto snapshot = filled().store.snapshot(filled().before);
        benchmark::DoNotOptimize(snapshot->value_at(key, "/hourly_price", kFirstDay + static_cast<double>(random() % 250)));
    }
}

void load_an_offer(benchmark::State& state) {
    const auto snapshot = filled().store.snapshot();
    std::mt19937 random(1);
    for (auto _ : state) {
        benchmark::DoNotOptimize(snapshot->load({Kind::offer, id_of(static_cast<int>(random() % kOffers))}));
    }
}

enum Filter { all, by_device, by_provider_and_price, by_four, by_text, by_text_and_device, none_found };

void page_of_100(benchmark::State& state) {
    const auto snapshot = state.range(1) == 0 ? filled().store.snapshot() : filled().store.snapshot(filled().before);
    ListQuery query;
    query.kind = Kind::offer;
    switch (static_cast<Filter>(state.range(0))) {
    case all:
        break;
    case by_device:
        query.device = "device-4";
        break;
    case by_provider_and_price:
        query.provider = "provider-3", query.max_hourly_price = 2.05;
        break;
    case by_four:
        query.provider = "provider-3", query.region = "region-3", query.device = "device-9", query.purchase = "spot";
        break;
    case by_text:
        query.text = "NUMBER 2999";
        break;
    case by_text_and_device:
        query.text = "number 29", query.device = "device-0";
        break;
    case none_found:
        query.purchase = "reserved";
        break;
    }
    std::size_t found = 0;
    for (auto _ : state) {
        found = snapshot->list(query).items.size();
        benchmark::DoNotOptimize(found);
    }
    state.counters["found"] = static_cast<double>(found);
}

void find_a_key(benchmark::State& state) {
    Store& store = filled().store;
    static_cast<void>(store.add_key(kAuthor, {"key", Role::viewer, "", ""}, std::string(32, 'k')));
    for (auto _ : state) {
        benchmark::DoNotOptimize(store.find_key(std::string(32, 'k')));
    }
}

void sequence(benchmark::State& state) {
    for (auto _ : state) {
        benchmark::DoNotOptimize(filled().store.sequence());
    }
}

BENCHMARK(import_points)->Unit(benchmark::kMillisecond)->Iterations(1)->UseRealTime();
BENCHMARK(import_new_offers)->Unit(benchmark::kMillisecond)->Iterations(3)->UseRealTime();
BENCHMARK(price_in_a_snapshot)->ArgName("past")->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);
BENCHMARK(price_with_its_snapshot)->Unit(benchmark::kMicrosecond);
BENCHMARK(load_an_offer)->Unit(benchmark::kMicrosecond);
BENCHMARK(page_of_100)
    ->ArgNames({"filter", "past"})
    ->ArgsProduct({{all, by_device, by_provider_and_price, by_four, by_text, by_text_and_device, none_found}, {0, 1}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(find_a_key)->Unit(benchmark::kMicrosecond);
BENCHMARK(sequence)->Unit(benchmark::kMicrosecond);
BENCHMARK(save_one_offer)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(append_a_point_to_every_offer)->Unit(benchmark::kMillisecond)->Iterations(3)->UseRealTime();

} // namespace
} // namespace costcurve::storage

BENCHMARK_MAIN();
