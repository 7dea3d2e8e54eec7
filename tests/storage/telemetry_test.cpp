// Samples and their hours: nothing counts twice, whatever comes late, twice or not at all; old rows go, their hours stay.
#include <algorithm>
#include <random>

#include "server/storage/telemetry.hpp"
#include "tests/storage/sample_store.hpp"

namespace costcurve::storage::test {
namespace {

constexpr std::int64_t kNoonMs = kNoon / 1000;
constexpr std::int64_t kNoonHour = kNoonMs / kMillisecondsPerHour;
constexpr std::int64_t kMinuteMs = 60'000;

const SeriesKey kPower{"host1/0", "h100", "power_w"};
const SeriesKey kEnergy{"host1/0", "h100", "energy_j"};

struct At {
    std::int64_t time_ms;
    double value;
};

SampleBatch batch_of(const SeriesKey& key, const std::vector<At>& readings) {
    SampleBatch batch{{key}, {}};
    for (const At& reading : readings) {
        batch.samples.push_back({0, reading.time_ms, reading.value});
    }
    return batch;
}

std::vector<HourRow> hours_of(const Store& store, SeriesFilter filter = {}) {
    HourQuery query;
    query.filter = std::move(filter);
    query.limit = 10000;
    return store.hours(query).items;
}

std::vector<At> samples_of(const Store& store, std::int64_t from_ms, std::int64_t to_ms, SeriesFilter filter = {}) {
    std::vector<At> found;
    store.visit_samples({std::move(filter), from_ms, to_ms}, [&](const SeriesKey&, std::int64_t time_ms, double value) {
        found.push_back({time_ms, value});
        return true;
    });
    return found;
}

TEST(Telemetry, SumsTheSamplesOfAnHour) {
    SampleStore sample;
    const AddedSamples added = sample.store.add_samples(
        kAlice, batch_of(kPower, {{kNoonMs - 2, 300}, {kNoonMs - 1, 500}, {kNoonMs, 100}, {kNoonMs + 1, 700}}));
    EXPECT_EQ(added.accepted, 4U);
    EXPECT_EQ(added.duplicates, 0U);
    const auto hours = hours_of(sample.store);
    ASSERT_EQ(hours.size(), 2U);
    EXPECT_EQ(hours[0].hour, kNoonHour - 1);
    EXPECT_EQ(hours[1].hour, kNoonHour);
    EXPECT_EQ(hours[0].key, kPower);
    EXPECT_EQ(hours[0].count, 2);
    EXPECT_EQ(hours[0].sum, 800);
    EXPECT_EQ(hours[0].squares, 340000);
    EXPECT_EQ(hours[0].minimum, 300);
    EXPECT_EQ(hours[0].maximum, 500);
    EXPECT_EQ(hours[0].increase, std::nullopt);
}

TEST(Telemetry, RefusesNamesWithTheCharacterZero) {
    SampleStore sample;
    const std::string zero("a\0b", 3);
    for (const SeriesKey& key : {SeriesKey{zero, "h100", "power_w"}, SeriesKey{"a", zero, "power_w"}}) {
        EXPECT_THROW(static_cast<void>(sample.store.add_samples(kAlice, batch_of(key, {{kNoonMs, 1}}))), std::invalid_argument);
    }
    EXPECT_TRUE(hours_of(sample.store).empty());
}

TEST(Telemetry, CountsASampleOnceThoughItComesAgain) {
    SampleStore sample;
    EXPECT_EQ(sample.store.add_samples(kAlice, batch_of(kPower, {{kNoonMs, 1}, {kNoonMs, 2}})).duplicates, 1U);
    const AddedSamples again = sample.store.add_samples(kAlice, batch_of(kPower, {{kNoonMs, 3}, {kNoonMs + 5, 4}}));
    EXPECT_EQ(again.accepted, 1U);
    EXPECT_EQ(again.duplicates, 1U);
    const auto hours = hours_of(sample.store);
    ASSERT_EQ(hours.size(), 1U);
    EXPECT_EQ(hours[0].count, 2);
    EXPECT_EQ(hours[0].sum, 5) << "the first one stays";
    EXPECT_EQ(hours[0].minimum, 1);
}

TEST(Telemetry, CountsASampleThatComesLate) {
    SampleStore sample;
    static_cast<void>(sample.store.add_samples(kAlice, batch_of(kPower, {{kNoonMs, 1}})));
    static_cast<void>(sample.store.add_samples(kAlice, batch_of(kPower, {{kNoonMs - 6 * kMillisecondsPerHour, 2}})));
    const auto hours = hours_of(sample.store);
    ASSERT_EQ(hours.size(), 2U);
    EXPECT_EQ(hours[0].hour, kNoonHour - 6);
    EXPECT_EQ(hours[0].sum, 2);
}

TEST(Telemetry, RefusesWhatIsOutsideOfTheWindow) {
    SampleStore sample;
    const TelemetryWindow window = sample.store.telemetry_window();
    EXPECT_EQ(window.oldest_ms, kNoonMs - 7 * 24 * kMillisecondsPerHour);
    EXPECT_EQ(window.newest_ms, kNoonMs + kMillisecondsPerHour);
    const AddedSamples added = sample.store.add_samples(
        kAlice,
        batch_of(kPower, {{window.oldest_ms - 1, 1}, {window.oldest_ms, 2}, {window.newest_ms, 3}, {window.newest_ms + 1, 4}}));
    EXPECT_EQ(added.accepted, 2U);
    EXPECT_EQ(added.outside, (std::vector<std::size_t>{0, 3}));
    EXPECT_EQ(hours_of(sample.store).size(), 2U);
}

TEST(Telemetry, KeepsAnHourWhenItsSamplesGo) {
    SampleStore sample;
    static_cast<void>(sample.store.add_samples(kAlice, batch_of(kPower, {{kNoonMs, 1}, {kNoonMs + kMinuteMs, 2}})));
    static_cast<void>(sample.store.add_samples(kAlice, batch_of(kEnergy, {{kNoonMs, 1}, {kNoonMs + 1, 2}, {kNoonMs + 2, 4}})));
    sample.time = kNoon + (7 * 24 + 1) * kHour;
    static_cast<void>(sample.store.add_samples(kAlice, {}));
    const auto side = sample.side();
    EXPECT_EQ(count(*side, "telemetry_sample"), 0);
    EXPECT_EQ(side->number("SELECT min(time) FROM telemetry_counter"), kNoonMs + 2) << "the last one, for the next difference";
    EXPECT_EQ(count(*side, "telemetry_counter"), 1);
    const auto hours = hours_of(sample.store);
    ASSERT_EQ(hours.size(), 2U);
    EXPECT_EQ(hours[0].sum, 3);
    EXPECT_EQ(hours[1].increase, 3);
}

TEST(Telemetry, KeepsSamplesUntilTheWindowsEnd) {
    SampleStore sample;
    static_cast<void>(sample.store.add_samples(kAlice, batch_of(kPower, {{kNoonMs, 1}})));
    sample.time = kNoon + 7 * 24 * kHour + kHour - 1;
    static_cast<void>(sample.store.add_samples(kAlice, {}));
    EXPECT_EQ(samples_of(sample.store, kNoonMs, kNoonMs + 1).size(), 1U);
}

TEST(Telemetry, DeletesABoundedNumberOfRowsAtATime) {
    SampleStore sample;
    std::vector<At> readings;
    for (int i = 0; i < 50000; ++i) {
        readings.push_back({kNoonMs - 50000 * 100 + i * 100, 1.0}); // 600 a minute
    }
    static_cast<void>(sample.store.add_samples(kAlice, batch_of(kPower, readings)));
    sample.time = kNoon + 8 * 24 * kHour;
    const auto side = sample.side();
    static_cast<void>(sample.store.add_samples(kAlice, {}));
    EXPECT_NEAR(static_cast<double>(count(*side, "telemetry_sample")), 30000, 600);
    static_cast<void>(sample.store.add_samples(kAlice, {}));
    static_cast<void>(sample.store.add_samples(kAlice, {}));
    EXPECT_EQ(count(*side, "telemetry_sample"), 0);
}

// ---- counters ----

TEST(Counters, GiveTheirDifferenceToTheHoursItLiesIn) {
    SampleStore sample;
    // 600 J in 40 minutes, of which 10 are before noon and 30 behind it.
    const At before{kNoonMs - 10 * kMinuteMs, 1000};
    const At behind{kNoonMs + 30 * kMinuteMs, 1600};
    static_cast<void>(sample.store.add_samples(kAlice, batch_of(kEnergy, {before, behind})));
    const auto hours = hours_of(sample.store);
    ASSERT_EQ(hours.size(), 2U);
    EXPECT_NEAR(hours[0].increase.value(), 150, 1e-9);
    EXPECT_NEAR(hours[1].increase.value(), 450, 1e-9);
    EXPECT_EQ(hours[0].sum, std::nullopt) << "the sum of a counter means nothing";
    EXPECT_EQ(hours[0].minimum, 1000);
}

TEST(Counters, ReachAcrossHoursWithoutASample) {
    SampleStore sample;
    static_cast<void>(sample.store.add_samples(kAlice, batch_of(kEnergy, {{kNoonMs, 0}, {kNoonMs + 1, 0}})));
    sample.time += 4 * kHour;
    static_cast<void>(sample.store.add_samples(kAlice, batch_of(kEnergy, {{kNoonMs + 1 + 3 * kMillisecondsPerHour, 3600}})));
    const auto hours = hours_of(sample.store);
    ASSERT_EQ(hours.size(), 4U);
    EXPECT_EQ(hours[1].count, 0);
    EXPECT_EQ(hours[1].minimum, std::nullopt);
    EXPECT_NEAR(hours[1].increase.value(), 1200, 1e-6);
}

TEST(Counters, ThatFallWereResetAndCountedFromZero) {
    EXPECT_EQ(increase_between(0, 500, 10, 700), 200);
    EXPECT_EQ(increase_between(0, 500, 10, 30), 30);
    EXPECT_EQ(increase_between(0, 500, kMaxCounterGapMs, 700), 200);
    EXPECT_EQ(increase_between(0, 500, kMaxCounterGapMs + 1, 700), 0) << "too long a silence";
    SampleStore sample;
    static_cast<void>(sample.store.add_samples(
        kAlice, batch_of(kEnergy, {{kNoonMs, 500}, {kNoonMs + 10, 700}, {kNoonMs + 20, 30}, {kNoonMs + 30, 40}})));
    EXPECT_NEAR(hours_of(sample.store).at(0).increase.value(), 200 + 30 + 10, 1e-9);
}

TEST(Counters, GiveTheSameHoursInAnyOrderAndHoweverOften) {
    constexpr unsigned kSeed = 20261121;
    std::mt19937 random(kSeed);
    std::vector<At> readings;
    double value = 0;
    for (std::int64_t i = 0; i < 400; ++i) {
        value = i % 97 == 96 ? 5.0 : value + static_cast<double>(random() % 1000); // some resets
        readings.push_back({kNoonMs - (400 - i) * 5 * kMinuteMs - static_cast<std::int64_t>(random() % 60'000), value});
    }
    SampleStore ordered;
    static_cast<void>(ordered.store.add_samples(kAlice, batch_of(kEnergy, readings)));
    const auto wanted = hours_of(ordered.store);
    ASSERT_GT(wanted.size(), 30U);
    SampleStore shuffled;
    std::shuffle(readings.begin(), readings.end(), random);
    for (std::size_t i = 0; i < readings.size(); i += 7) { // each batch overlaps the one before
        const std::size_t end = std::min(readings.size(), i + 12);
        const std::vector<At> some(readings.begin() + static_cast<std::ptrdiff_t>(i),
                                   readings.begin() + static_cast<std::ptrdiff_t>(end));
        static_cast<void>(shuffled.store.add_samples(kAlice, batch_of(kEnergy, some)));
    }
    const auto hours = hours_of(shuffled.store);
    ASSERT_EQ(hours.size(), wanted.size()) << "seed " << kSeed;
    for (std::size_t i = 0; i < hours.size(); ++i) {
        EXPECT_EQ(hours[i].hour, wanted[i].hour);
        EXPECT_EQ(hours[i].count, wanted[i].count);
        EXPECT_EQ(hours[i].minimum, wanted[i].minimum);
        EXPECT_NEAR(hours[i].increase.value(), wanted[i].increase.value(), 1e-6) << "hour " << i << ", seed " << kSeed;
    }
}

TEST(Counters, GoOnFromTheLastReadingBeforeTheWindow) {
    SampleStore sample;
    static_cast<void>(sample.store.add_samples(kAlice, batch_of(kEnergy, {{kNoonMs, 100}, {kNoonMs + 1000, 200}})));
    sample.time = kNoon + 7 * 24 * kHour + 2 * kHour;
    static_cast<void>(sample.store.add_samples(kAlice, {})); // deletes
    static_cast<void>(sample.store.add_samples(kAlice, batch_of(kEnergy, {{kNoonMs + 3 * kMillisecondsPerHour, 300}})));
    double increase = 0;
    for (const HourRow& row : hours_of(sample.store)) {
        increase += row.increase.value();
    }
    EXPECT_NEAR(increase, 200, 1e-9);
}

// ---- reading ----

/// Hours of `sources` × two metrics, for three hours each.
void fill_telemetry(Store& store, int sources) {
    SampleBatch batch;
    for (int source = 0; source < sources; ++source) {
        for (const char* const metric : {"power_w", "utilization"}) {
            for (int hour = 0; hour < 3; ++hour) {
                batch.samples.push_back({static_cast<std::uint32_t>(batch.series.size()), kNoonMs - hour * kMillisecondsPerHour,
                                         static_cast<double>(source)});
            }
            batch.series.push_back({"s" + std::to_string(source), source % 2 == 0 ? "even" : "odd", metric});
        }
    }
    static_cast<void>(store.add_samples(kAlice, batch));
}

// The same answers by seeking a few series and by reading through all of them.
TEST(Hours, AreGivenPageByPageWithoutGapsOrRepeats) {
    for (const int sources : {10, 50}) {
        SampleStore sample;
        fill_telemetry(sample.store, sources);
        HourQuery query;
        query.limit = 7;
        std::vector<std::pair<std::int64_t, std::int64_t>> seen;
        for (HourPage page = sample.store.hours(query);; page = sample.store.hours(query)) {
            for (const HourRow& row : page.items) {
                seen.emplace_back(row.hour, row.series);
            }
            EXPECT_EQ(page.items.size() == 7U || !page.more, true);
            if (!page.more) {
                break;
            }
            query.after_hour = seen.back().first;
            query.after_series = seen.back().second;
        }
        EXPECT_EQ(seen.size(), static_cast<std::size_t>(sources) * 2 * 3);
        EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
        EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
    }
}

TEST(Hours, AreFiltered) {
    SampleStore sample;
    fill_telemetry(sample.store, 100);
    EXPECT_EQ(hours_of(sample.store, {"even", {}, {}}).size(), 50U * 2 * 3);
    EXPECT_EQ(hours_of(sample.store, {"even", {}, {"power_w"}}).size(), 50U * 3);
    EXPECT_EQ(hours_of(sample.store, {"", {"s3", "s4"}, {}}).size(), 2U * 2 * 3);
    EXPECT_EQ(hours_of(sample.store, {"even", {"s3"}, {}}).size(), 0U);
    HourQuery query;
    query.from = kNoonHour - 1;
    query.to = kNoonHour;
    query.limit = 1000;
    EXPECT_EQ(sample.store.hours(query).items.size(), 200U);
    query.filter.sources = {"s3"};
    EXPECT_EQ(sample.store.hours(query).items.size(), 2U);
}

TEST(Samples, AreVisitedFromOneTimeToAnother) {
    for (const int sources : {10, 50}) {
        SampleStore sample;
        fill_telemetry(sample.store, sources);
        EXPECT_EQ(samples_of(sample.store, kNoonMs, kNoonMs + 1).size(), static_cast<std::size_t>(sources) * 2);
        EXPECT_EQ(samples_of(sample.store, kNoonMs - kMillisecondsPerHour, kNoonMs).size(), static_cast<std::size_t>(sources) * 2);
        const auto of_one = samples_of(sample.store, 0, kNoonMs + 1, {"", {"s7"}, {"power_w"}});
        ASSERT_EQ(of_one.size(), 3U);
        EXPECT_LT(of_one[0].time_ms, of_one[1].time_ms);
        EXPECT_EQ(of_one[0].value, 7);
        int visited = 0;
        sample.store.visit_samples({{}, 0, kNoonMs + 1}, [&](const SeriesKey&, std::int64_t, double) { return ++visited < 4; });
        EXPECT_EQ(visited, 4) << "stops where the visitor returns false";
    }
}

TEST(Samples, OfCountersAreVisitedToo) {
    SampleStore sample;
    fill_telemetry(sample.store, 3);
    const SeriesKey tokens{"server", "", "output_tokens"};
    static_cast<void>(sample.store.add_samples(kAlice, batch_of(tokens, {{kNoonMs - 2, 10}, {kNoonMs, 30}, {kNoonMs + 5, 40}})));
    const auto found = samples_of(sample.store, kNoonMs - 2, kNoonMs + 5, {"", {"server"}, {}});
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].time_ms, kNoonMs - 2);
    EXPECT_EQ(found[1].value, 30);
}

TEST(Telemetry, IsStillThereWhenTheStoreIsOpenedAgain) {
    const StorePlace place;
    StoreSettings settings;
    settings.path = place.path();
    settings.clock = [] { return kNoon; };
    {
        const auto opened = open_store(settings);
        Store& store = *opened;
        static_cast<void>(store.add_samples(kAlice, batch_of(kPower, {{kNoonMs, 1}})));
    }
    const auto opened = open_store(settings);
    Store& store = *opened;
    EXPECT_EQ(store.add_samples(kAlice, batch_of(kPower, {{kNoonMs, 1}})).duplicates, 1U);
    EXPECT_EQ(hours_of(store).size(), 1U);
}

TEST(Telemetry, DoesNotChangeTheSequenceOfDocuments) {
    SampleStore sample;
    static_cast<void>(sample.store.add_samples(kAlice, batch_of(kPower, {{kNoonMs, 1}})));
    EXPECT_EQ(sample.store.sequence(), 0);
}

// ---- bills ----

BillLine line(const std::string& sku, double cost, std::int64_t day = 20000) {
    BillLine made;
    made.day = day;
    made.provider = "cloud";
    made.region = "eu";
    made.sku = sku;
    made.purchase = "on_demand";
    made.device = "h100";
    made.currency = "USD";
    made.hours = 24;
    made.device_hours = 192;
    made.billed_cost = cost;
    made.effective_cost = cost;
    made.list_cost = 2 * cost;
    return made;
}

TEST(Bills, ChangeNothingWhenTheyComeTwice) {
    SampleStore sample;
    const std::vector<BillLine> lines{line("a", 10), line("b", 20), line("a", 5)};
    BillOutcome outcome = sample.store.save_bill(kAlice, lines);
    EXPECT_EQ(outcome.added, 2U) << "lines of the same names are added up";
    const std::int64_t sequence = sample.store.sequence();
    EXPECT_EQ(sequence, 1);
    outcome = sample.store.save_bill(kAlice, lines);
    EXPECT_EQ(outcome.unchanged, 2U);
    EXPECT_EQ(outcome.added + outcome.changed, 0U);
    EXPECT_EQ(sample.store.sequence(), sequence);
    const auto totals = sample.store.bill({.from_day = 0, .to_day = 30000});
    ASSERT_EQ(totals.size(), 1U);
    EXPECT_EQ(totals[0].currency, "USD");
    EXPECT_EQ(totals[0].lines, 2);
    EXPECT_EQ(totals[0].effective_cost, 35);
    EXPECT_EQ(totals[0].device_hours, 3 * 192);
    EXPECT_EQ(totals[0].list_cost, 70);
}

TEST(Bills, ReplaceWhatALaterCopySaysOtherwise) {
    SampleStore sample;
    static_cast<void>(sample.store.save_bill(kAlice, std::vector{line("a", 10), line("b", 20)}));
    EXPECT_EQ(sample.store.save_bill(kAlice, std::vector{line("a", 11)}, true).changed, 1U);
    EXPECT_EQ(sample.store.bill({.from_day = 0, .to_day = 30000}).at(0).billed_cost, 30) << "a dry run";
    EXPECT_EQ(sample.store.save_bill(kAlice, std::vector{line("a", 11)}).changed, 1U);
    EXPECT_EQ(sample.store.bill({.from_day = 0, .to_day = 30000}).at(0).billed_cost, 31);
    EXPECT_EQ(sample.store.snapshot()->audit(0, 10).at(0).action, "save_bill");
}

TEST(Bills, OfSeveralAccountsStandBesideEachOther) {
    SampleStore sample;
    const auto of = [](const std::string& account, double cost) {
        BillLine made = line("a", cost);
        made.account = account;
        return std::vector{made};
    };
    const auto billed = [&] { return sample.store.bill({.from_day = 0, .to_day = 30000}).at(0).billed_cost; };
    static_cast<void>(sample.store.save_bill(kAlice, of("", 10)));
    EXPECT_EQ(sample.store.save_bill(kAlice, of("1/x", 12)).changed, 1U) << "in place of the line without an account";
    EXPECT_EQ(billed(), 12);
    EXPECT_EQ(sample.store.save_bill(kAlice, of("2", 5)).added, 1U);
    EXPECT_EQ(billed(), 17);
    EXPECT_EQ(sample.store.save_bill(kAlice, of("2", 5)).unchanged, 1U);
    EXPECT_EQ(sample.store.save_bill(kAlice, of("1/x", 11)).changed, 1U);
    EXPECT_EQ(billed(), 16);
}

TEST(Bills, OfOneCallKeepTheirLinesWithoutAnAccount) {
    for (const bool named_first : {false, true}) {
        SampleStore sample;
        std::vector<BillLine> lines(2, line("a", 3));
        lines[named_first ? 0 : 1].account = "A";
        for (int time = 0; time < 2; ++time) {
            const BillOutcome outcome = sample.store.save_bill(kAlice, lines);
            EXPECT_EQ(outcome.added, time == 0 ? 2U : 0U);
            EXPECT_EQ(outcome.beside, 0U) << "what one call has is its own affair";
            EXPECT_EQ(sample.store.bill({.from_day = 0, .to_day = 30000}).at(0).billed_cost, 6);
        }
    }
}

TEST(Bills, ThatMayBeStoredUnderAnotherAccountAreCounted) {
    SampleStore sample;
    BillLine made = line("a", 3);
    const auto save = [&](const std::string& account) {
        made.account = account;
        return sample.store.save_bill(kAlice, std::vector{made});
    };
    EXPECT_EQ(save("").beside, 0U);
    const BillOutcome named = save("A");
    EXPECT_EQ(std::tuple(named.added, named.changed, named.unchanged, named.beside), std::tuple(0U, 0U, 1U, 0U))
        << "the same amounts";
    EXPECT_EQ(save("B").beside, 0U) << "another account";
    EXPECT_EQ(save("A/x").beside, 1U);
    EXPECT_EQ(save("A/x").beside, 0U);
    EXPECT_EQ(save("A/y").beside, 1U) << "of A, which was stored as a whole";
    EXPECT_EQ(save("").beside, 1U);
}

TEST(Bills, AreAddedUpByDayNamesAndCurrency) {
    SampleStore sample;
    BillLine euros = line("a", 7);
    euros.currency = "EUR";
    static_cast<void>(sample.store.save_bill(kAlice, std::vector{line("a", 1), line("b", 2), line("a", 4, 20001), euros}));
    const auto sum = [&](BillQuery query, std::size_t of = 0) { return sample.store.bill(query).at(of).billed_cost; };
    EXPECT_EQ(sum({.from_day = 20000, .to_day = 20001}), 7) << "EUR comes first";
    EXPECT_EQ(sum({.from_day = 20000, .to_day = 20001}, 1), 3);
    EXPECT_EQ(sum({.sku = "a", .from_day = 20000, .to_day = 20002}, 1), 5);
    EXPECT_TRUE(sample.store.bill({.device = "a100", .from_day = 0, .to_day = 30000}).empty());
    EXPECT_TRUE(sample.store.bill({.from_day = 20002, .to_day = 30000}).empty());
}

} // namespace
} // namespace costcurve::storage::test
