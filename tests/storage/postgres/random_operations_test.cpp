// The same random operations on both engines: equal outcomes, and equal dumps of documents, histories, audit and results.
#include <cstdlib>
#include <random>
#include <sstream>

#include "tests/storage/sample_store.hpp"

namespace costcurve::storage::test {
namespace {

constexpr auto kRandomVersion = "1";
constexpr int kIds = 12;

struct OnEngine {
    explicit OnEngine(tests::Engine engine) : place(engine) {
        settings.path = place.path();
        settings.clock = [this] { return time; };
        store = open_store(settings);
    }
    StorePlace place;
    StoreSettings settings;
    std::int64_t time = kNoon;
    std::unique_ptr<Store> store;
};

std::string text_of(const Saved& saved) {
    return std::to_string(saved.revision) + "/" + std::to_string(static_cast<int>(saved.what)) + "/" + saved.recorded_at;
}

void write_revision(std::ostream& out, const Revision& revision) {
    out << name_of(revision.record.key.kind) << '/' << revision.record.key.id << " r" << revision.revision << ' '
        << revision.recorded_at << ' ' << revision.recorded_by << (revision.deleted ? " deleted " : " ") << revision.record.title
        << ' ' << revision.record.body;
    for (const Series& series : revision.record.series) {
        out << " [" << series.pointer;
        for (std::size_t i = 0; i < series.x.size(); ++i) {
            out << ' ' << std::hexfloat << series.x[i] << '=' << series.y[i];
        }
        out << ']';
    }
    for (const DocumentKey& key : revision.record.references) {
        out << " ->" << name_of(key.kind) << '/' << key.id;
    }
    out << '\n';
}

// All that a reader may see of a store; rests on nothing that an engine may number as it likes.
std::string dump(const Store& store) {
    std::ostringstream out;
    const auto snapshot = store.snapshot();
    out << snapshot->reference() << ' ' << snapshot->as_of() << '\n';
    std::vector<DocumentKey> keys;
    snapshot->for_each([&](const Revision& revision) { write_revision(out, revision); });
    for (int i = 0; i < kIds; ++i) {
        for (const Kind kind : {Kind::device, Kind::offer, Kind::curve, Kind::scenario}) {
            const DocumentKey key{kind, "d" + std::to_string(i)};
            for (const Revision& revision : snapshot->history(key, 0, 100'000)) {
                write_revision(out, revision);
            }
            if (kind == Kind::scenario) {
                for (const StoredResult& result : store.results(key.id, 0, 100'000).value_or(std::vector<StoredResult>())) {
                    out << key.id << " result " << result.number << ' ' << result.recorded_at << ' ' << result.inputs_hash << ' '
                        << store.result_body(result) << '\n';
                }
            }
        }
    }
    for (const AuditEntry& entry : snapshot->audit(0, 100'000)) {
        out << entry.sequence << ' ' << entry.recorded_at << ' ' << entry.author << ' ' << entry.action << ' ' << entry.subject
            << '\n';
    }
    const StoreCounts counts = store.counts();
    out << counts.revisions << " revisions, " << counts.points << " points\n";
    return out.str();
}

// One operation, drawn from the same numbers for each engine; what it gave, as text.
class Operations {
public:
    explicit Operations(unsigned seed) : random_(seed) {}

    std::string next(Store& store, std::int64_t& time) {
        time += static_cast<std::int64_t>(random_() % 3'000'000) - 500'000; // sometimes back
        switch (random_() % 10) {
        case 0:
            return removed(store);
        case 1:
            return saved_together(store);
        case 2:
            return recalculated(store);
        case 3:
            return of_the_past(store);
        default:
            return outcome(store.save({"alice", "r" + std::to_string(random_() % 100)}, record(), condition()));
        }
    }

private:
    std::string id() { return "d" + std::to_string(random_() % kIds); }
    Record record() {
        switch (random_() % 4) {
        case 0:
            return device(id(), "{\"n\":" + std::to_string(random_() % 5) + "}");
        case 1: {
            const std::string name = id();
            return offer(name, id(), {"/hourly_price", {0, static_cast<double>(random_() % 5 + 1)}, {price(), price()}});
        }
        case 2: {
            const std::string name = id();
            return curve(name, {1, 2, static_cast<double>(random_() % 4 + 3)}, {price(), price(), price()});
        }
        default:
            return {{Kind::scenario, id()}, "Scenario", "{}", {}, {{Kind::offer, id()}}, std::nullopt};
        }
    }
    double price() { return static_cast<double>(random_() % 7) / 3.0; }
    Condition condition() {
        Condition condition;
        if (random_() % 8 == 0) {
            condition.kind = Condition::Kind::revision;
            condition.revision = static_cast<std::int64_t>(random_() % 4);
        }
        return condition;
    }
    static std::string outcome(const SaveOutcome& outcome) {
        const auto* saved = std::get_if<Saved>(&outcome);
        return saved == nullptr ? "refused " + std::to_string(outcome.index()) : text_of(*saved);
    }
    std::string removed(Store& store) {
        const Kind kind = random_() % 2 == 0 ? Kind::device : Kind::offer;
        return "remove " + std::to_string(store.remove(kAlice, {kind, id()}).index());
    }
    std::string saved_together(Store& store) {
        std::vector<Record> records;
        const std::size_t first = random_() % kIds;
        for (std::size_t i = 0; i < 4; ++i) {
            const std::string name = "d" + std::to_string((first + i) % kIds);
            records.push_back(device(name, "{\"m\":" + std::to_string(random_() % 3) + "}"));
        }
        const auto outcome = store.save_all(kAlice, records);
        const auto* saved = std::get_if<std::vector<Saved>>(&outcome);
        std::string text = "together";
        for (const Saved& one : saved == nullptr ? std::vector<Saved>() : *saved) {
            text += ' ' + text_of(one);
        }
        return text;
    }
    std::string recalculated(Store& store) {
        const auto begun = store.begin_run(kAlice, {random_() % 2 == 0 ? Scope::all : Scope::changed, {}, "", kRandomVersion});
        const std::int64_t run = std::get<std::int64_t>(begun);
        std::string text = "run";
        while (true) {
            const auto share = store.take_items(run, kRandomVersion, 5);
            if (share->items().empty()) {
                break;
            }
            std::vector<RunOutcome> outcomes;
            for (const RunItem& item : share->items()) {
                const std::string hash = sample_hash(item.scenario);
                text += ' ' + item.scenario + (item.inputs_hash == hash ? "=" : "!");
                outcomes.push_back({item.document,
                                    item.inputs_hash == hash
                                        ? std::nullopt
                                        : std::optional(NewResult{hash,
                                                                  kRandomVersion,
                                                                  {"USD", 1, 2, 3, 4, std::nullopt, 6, true, "npv"},
                                                                  pack("{\"h\":\"" + hash + "\"}")}),
                                    ""});
            }
            EXPECT_TRUE(share->finish(outcomes));
        }
        EXPECT_TRUE(store.set_run_state(run, RunState::done, kRandomVersion));
        return text;
    }
    // Of now and then, the same for both engines: drawn once an operation.
    std::string sample_hash(const std::string& scenario) const { return scenario + "-" + std::to_string(runs_ / 7); }
    std::string of_the_past(Store& store) {
        const std::int64_t last = store.sequence();
        const std::int64_t at = last == 0 ? 0 : static_cast<std::int64_t>(random_() % static_cast<unsigned>(last)) + 1;
        if (at == 0) {
            return "none";
        }
        const auto snapshot = store.snapshot("@" + std::to_string(at));
        std::ostringstream out;
        out << snapshot->as_of();
        snapshot->for_each([&](const Revision& revision) { write_revision(out, revision); });
        ++runs_;
        return out.str();
    }

    std::mt19937 random_;
    int runs_ = 0;
};

TEST(RandomOperations, GiveEqualStoresOnBothEngines) {
    const char* const wanted = std::getenv("COSTCURVE_TEST_OPERATIONS"); // fewer under sanitizers
    const int operations = wanted == nullptr ? 10'000 : std::atoi(wanted);
    constexpr unsigned seed = 20261124;
    SCOPED_TRACE("seed " + std::to_string(seed));
    OnEngine file(tests::Engine::sqlite);
    OnEngine server(tests::Engine::postgres);
    Operations on_file(seed);
    Operations on_server(seed);
    for (int i = 0; i < operations; ++i) {
        ASSERT_EQ(on_file.next(*file.store, file.time), on_server.next(*server.store, server.time)) << "operation " << i;
    }
    EXPECT_EQ(dump(*file.store), dump(*server.store));
    // The chain's last link is over all that was ever written: equal bytes were hashed.
    EXPECT_TRUE(check_store(file.settings.path).is_good());
}

} // namespace
} // namespace costcurve::storage::test
