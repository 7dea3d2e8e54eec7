// SQLite and PostgreSQL side by side, in one run on the same disk: how long reads, saves and landings take, and their ratio.
// usage: tests/support/postgres.py engines_bench [OFFERS]
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <random>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "server/storage/open_store.hpp"
#include "tests/storage/store_place.hpp"

namespace costcurve::storage {
namespace {

using Clock = std::chrono::steady_clock;
using tests::Engine;

constexpr int kPoints = 34;
constexpr int kDevices = 50;
constexpr double kFirstDay = 19'000; // since 1970
const Author kAuthor{"bench", "request"};

std::string id_of(int offer) { return "offer-" + std::to_string(100'000 + offer); }

Record offer_record(int number, int points) {
    Series prices{"/hourly_price", {}, {}};
    for (int i = 0; i < points; ++i) {
        prices.x.push_back(kFirstDay + 7.0 * i);
        prices.y.push_back(2.0 + 0.01 * ((number * 31 + i * 17) % 400));
    }
    const std::string device = "device-" + std::to_string(number % kDevices);
    const double last = prices.y.back();
    return {
        {Kind::offer, id_of(number)},
        "Offer of an instance, number " + std::to_string(number),
        std::string(600, 'o'),
        {std::move(prices)},
        {{Kind::device, device}},
        OfferFacts{"provider-" + std::to_string(number % 7), "region-" + std::to_string(number % 40), device, "on_demand", last}};
}

double seconds_of(const std::function<void()>& call) {
    const auto begin = Clock::now();
    call();
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

// The median of single calls, in microseconds.
double median_us(int calls, const std::function<void()>& call) {
    std::vector<double> times;
    for (int i = 0; i < calls; ++i) {
        times.push_back(1e6 * seconds_of(call));
    }
    std::nth_element(times.begin(), times.begin() + calls / 2, times.end());
    return times[static_cast<std::size_t>(calls / 2)];
}

struct Figure {
    const char* what;
    const char* unit;
    double value;
};

void save_devices(Store& store) {
    std::vector<Record> devices;
    for (int i = 0; i < kDevices; ++i) {
        devices.push_back({{Kind::device, "device-" + std::to_string(i)}, "A device", std::string(400, 'd'), {}, {}, std::nullopt});
    }
    static_cast<void>(store.save_all(kAuthor, devices));
}

double saves_per_second(Store& store, int writers, int saves) {
    const double seconds = seconds_of([&] {
        std::vector<std::thread> threads;
        for (int writer = 0; writer < writers; ++writer) {
            threads.emplace_back([&store, writer, saves] {
                for (int i = 0; i < saves; ++i) {
                    const std::string id = "saved-" + std::to_string(writer);
                    static_cast<void>(
                        store.save(kAuthor, {{Kind::device, id}, "", std::to_string(i) + "/" + std::to_string(saves), {}, {}, {}}));
                }
            });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
    });
    return writers * saves / seconds;
}

void measure_reads(const Store& store, int offers, std::vector<Figure>& figures) {
    std::mt19937 random(1);
    const auto key = [&] { return DocumentKey{Kind::offer, id_of(static_cast<int>(random() % static_cast<unsigned>(offers)))}; };
    const auto day = [&] { return kFirstDay + static_cast<double>(random() % (7 * kPoints)); };
    const auto snapshot = store.snapshot();
    figures.push_back({"a price by offer and date", "us",
                       median_us(2000, [&] { static_cast<void>(snapshot->value_at(key(), "/hourly_price", day())); })});
    figures.push_back({"the same, a snapshot of its own", "us",
                       median_us(2000, [&] { static_cast<void>(store.snapshot()->value_at(key(), "/hourly_price", day())); })});
    figures.push_back({"64 prices in one call", "us", median_us(300, [&] {
                           std::vector<PointQuery> queries;
                           for (int i = 0; i < 64; ++i) {
                               queries.push_back({key(), "/hourly_price", day()});
                           }
                           static_cast<void>(snapshot->values_at(queries));
                       })});
    figures.push_back({"a document of 34 points", "us", median_us(1000, [&] { static_cast<void>(snapshot->load(key())); })});
    figures.push_back({"10 documents in one call", "us", median_us(300, [&] {
                           std::vector<DocumentKey> keys;
                           for (int i = 0; i < 10; ++i) {
                               keys.push_back(key());
                           }
                           static_cast<void>(snapshot->load_all(keys));
                       })});
    ListQuery query;
    query.kind = Kind::offer;
    figures.push_back({"a page of 100, unfiltered", "us", median_us(50, [&] { static_cast<void>(snapshot->list(query)); })});
    query.provider = "provider-3";
    figures.push_back({"a page of 100 by provider", "us", median_us(50, [&] { static_cast<void>(snapshot->list(query)); })});
}

std::vector<Figure> measured(Engine engine, int offers) {
    std::vector<Figure> figures;
    const tests::StorePlace place(engine);
    const auto store = open_store({.path = place.path()});
    save_devices(*store);
    std::vector<Record> records;
    for (int i = 0; i < offers; ++i) {
        records.push_back(offer_record(i, 1));
    }
    const double landing = seconds_of([&] { static_cast<void>(store->save_all(kAuthor, records)); });
    figures.push_back({"landing of new offers, in one transaction", "rows/s", offers / landing});
    for (int i = 0; i < offers; ++i) {
        records[static_cast<std::size_t>(i)] = offer_record(i, kPoints);
    }
    const double points = seconds_of([&] { static_cast<void>(store->save_all(kAuthor, records)); });
    figures.push_back({"33 more points for each of them", "points/s", offers * (kPoints - 1) / points});
    measure_reads(*store, offers, figures);
    figures.push_back({"saves, 1 writer", "a second", saves_per_second(*store, 1, 200)});
    figures.push_back({"saves, 8 writers at once", "a second", saves_per_second(*store, 8, 50)});
    figures.push_back({"saves, 32 writers at once", "a second", saves_per_second(*store, 32, 20)});
    figures.push_back({"the store", "MB", static_cast<double>(store->counts().bytes) / (1 << 20)});
    return figures;
}

} // namespace
} // namespace costcurve::storage

int main(int argc, char** argv) {
    using namespace costcurve;
    if (tests::engine_of_tests() != tests::Engine::postgres) {
        fmt::print("run it by tests/support/postgres.py, which starts a PostgreSQL\n");
        return 2;
    }
    const int offers = argc > 1 ? std::atoi(argv[1]) : 30'000;
    const auto file = storage::measured(tests::Engine::sqlite, offers);
    const auto server = storage::measured(tests::Engine::postgres, offers);
    fmt::print("| {} offers | SQLite | PostgreSQL | ratio |\n| --- | --- | --- | --- |\n", offers);
    for (std::size_t i = 0; i < file.size(); ++i) {
        fmt::print("| {} | {:.4g} {} | {:.4g} {} | {:.2f} |\n", file[i].what, file[i].value, file[i].unit, server[i].value,
                   server[i].unit, server[i].value / file[i].value);
    }
}
