// A whole store copied between the engines and back, and refused where the target isn't empty.
#include "tests/storage/sample_store.hpp"

namespace costcurve::storage::test {
namespace {

using tests::Engine;

// A history with points that came and went, a deletion, a key, bytes of an answer, a run with a result, samples, a bill and a job.
void fill(Store& store) {
    saved(store, device("d", "a device"));
    saved(store, offer("a", "d"));
    saved(store, offer("a", "d", {"/hourly_price", {0, 20}, {2.5, -0.0}}));
    saved(store, curve("c", {1, 2}, {1e300, 5e-324}));
    ASSERT_EQ(store.remove(kAlice, {Kind::curve, "c"}).index(), 0U);
    ASSERT_TRUE(store.add_key(kAlice, {"ci", Role::editor, "", ""}, std::string(64, 'a'), 30));
    store.keep_answer(kAlice, "k", {"h", 200, "t", std::string("\0\xFF bytes", 8), ""});
    saved(store, {{Kind::scenario, "s"}, "ünï", "{}", {}, {{Kind::offer, "a"}}, std::nullopt});
    const auto run = std::get<std::int64_t>(store.begin_run(kAlice, {Scope::all, {}, "", "1"}));
    const auto share = store.take_items(run, "1", 10);
    ASSERT_EQ(share->items().size(), 1U);
    const RunOutcome outcome{share->items()[0].document,
                             NewResult{"hash", "1", {"USD", 1, 2, 3, 4, std::nullopt, 6, true, "npv"}, pack("{\"n\":1}")}, ""};
    ASSERT_TRUE(share->finish(std::span(&outcome, 1)));
    ASSERT_TRUE(store.set_run_state(run, RunState::done, "1"));
    ASSERT_TRUE(store.queue_job(kAlice, {"/v1/map", "{}"}));
}

std::string hashes_of(const CopyReport& report) {
    std::string text;
    for (const CopyReport::Table& table : report.tables) {
        text += table.name + ' ' + std::to_string(table.rows) + ' ' + table.hash + '\n';
    }
    return text;
}

TEST(Copy, GoesToTheOtherEngineAndBackWithTheSameHashes) {
    const StorePlace first(Engine::sqlite);
    const StorePlace second(Engine::postgres);
    const StorePlace third(Engine::sqlite);
    std::string reference;
    {
        const auto store = open_store({.path = first.path(), .clock = [] { return kNoon; }});
        fill(*store);
        reference = store->snapshot()->reference();
    }
    const CopyReport there = copy_store(first.path(), second.path());
    EXPECT_GT(there.rows(), 15);
    const CopyReport back = copy_store(second.path(), third.path());
    EXPECT_EQ(hashes_of(there), hashes_of(back));
    const auto store = open_store({.path = second.path(), .clock = [] { return kNoon; }});
    EXPECT_EQ(store->snapshot()->reference(), reference);
    EXPECT_EQ(store->results("s", 0, 10)->size(), 1U);
    EXPECT_EQ(store->kept_answer("alice", "k")->body, std::string("\0\xFF bytes", 8));
    EXPECT_TRUE(check_store(third.path()).is_good()) << "the chain of hashes holds";
}

TEST(Copy, GivesNoNumberAgainThatTheSourceHasGiven) {
    const StorePlace first(Engine::sqlite);
    const StorePlace second(Engine::postgres);
    std::int64_t last = 0;
    {
        const auto store = open_store({.path = first.path()});
        last = store->queue_job(kAlice, {"/v1/map", "{}"}).value();
    }
    static_cast<void>(copy_store(first.path(), second.path()));
    EXPECT_GT(open_store({.path = second.path()})->queue_job(kAlice, {"/v1/map", "{}"}).value(), last);
}

TEST(Copy, IsRefusedWhereTheTargetIsNotEmptyAndWritesNothing) {
    const StorePlace first(Engine::sqlite);
    const StorePlace second(Engine::postgres);
    {
        const auto source = open_store({.path = first.path()});
        fill(*source);
        const auto target = open_store({.path = second.path()});
        saved(*target, device("there"));
    }
    std::string text;
    cause_of([&] { static_cast<void>(copy_store(first.path(), second.path())); }, &text);
    EXPECT_NE(text.find("not empty"), std::string::npos) << text;
    EXPECT_EQ(second.side()->number("SELECT count(*) FROM revision"), 1);
    cause_of([&] { static_cast<void>(copy_store(second.path(), first.path())); }, &text);
    EXPECT_NE(text.find("exists"), std::string::npos) << text;
}

TEST(Copy, HasEveryTableOfBothEngines) {
    const StorePlace file(Engine::sqlite);
    const StorePlace server(Engine::postgres);
    static_cast<void>(open_store({.path = file.path()}));
    static_cast<void>(open_store({.path = server.path()}));
    const auto tables = static_cast<std::int64_t>(copied_tables().size());
    EXPECT_EQ(file.side()->number("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
                                  "AND name <> 'migration'"),
              tables);
    EXPECT_EQ(server.side()->number("SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public' "
                                    "AND table_type = 'BASE TABLE' AND table_name NOT IN ('migration', 'store', 'run_attempt')"),
              tables);
}

} // namespace
} // namespace costcurve::storage::test
