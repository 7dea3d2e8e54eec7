// One daemon a store; a file that is moved or deleted underneath; files that are their owner's only.
#include "server/storage/sqlite/engine/lock.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "server/storage/sqlite/engine/files.hpp"
#include "server/storage/sqlite/migrations.hpp"
#include "tests/storage/sqlite/sqlite_store.hpp"

namespace costcurve::storage::test {
namespace {

namespace fs = std::filesystem;

unsigned mode_of(const std::string& path) {
    struct stat state {};
    EXPECT_EQ(stat(path.c_str(), &state), 0) << path;
    return state.st_mode & 0777U;
}

TEST(DaemonLock, RefusesASecondOneAndNamesTheFirst) {
    const Folder folder;
    const std::string path = folder.file("a.db");
    const DaemonLock first(path);
    std::string text;
    EXPECT_EQ(cause_of([&] { const DaemonLock second(path); }, &text), StoreError::Cause::busy);
    EXPECT_NE(text.find("(process " + std::to_string(getpid()) + ")"), std::string::npos) << text;
}

TEST(DaemonLock, IsOfTheFileWhateverItsName) {
    const Folder folder;
    const std::string path = folder.file("a.db");
    { const auto store = open_store({.path = path}); }
    fs::create_symlink(path, folder.file("symbolic.db"));
    fs::create_hard_link(path, folder.file("hard.db"));
    const DaemonLock first(path);
    for (const char* name : {"symbolic.db", "hard.db"}) {
        EXPECT_EQ(cause_of([&] { const DaemonLock second(folder.file(name)); }), StoreError::Cause::busy) << name;
    }
    const DaemonLock other(folder.file("b.db"));
}

TEST(DaemonLock, GoesWithItsHolderAndLetsStoresWorkBesideIt) {
    const Folder folder;
    const std::string path = folder.file("a.db");
    {
        const DaemonLock first(path);
        const auto opened = open_store({.path = path});
        Store& store = *opened;
        saved(store, device("a"));
        const auto opened_beside = open_store({.path = path}); // a verb of the command line
        Store& beside = *opened_beside;
        saved(beside, device("b"));
    }
    const DaemonLock second(path);
    EXPECT_TRUE(open_store({.path = path})->snapshot()->load({Kind::device, "b"}));
}

TEST(Moved, ADeletedFileTakesNoWrites) {
    SampleStore sample;
    saved(sample.store, device("a"));
    fs::remove(sample.settings.path);
    std::string text;
    EXPECT_EQ(cause_of([&] { static_cast<void>(sample.store.save(kAlice, device("b"))); }, &text), StoreError::Cause::moved);
    EXPECT_NE(text.find("was moved, replaced or deleted"), std::string::npos) << text;
    EXPECT_EQ(cause_of([&] { sample.store.record_action(kAlice, "x", "y"); }), StoreError::Cause::moved);
    EXPECT_EQ(cause_of([&] { sample.store.check_writable(); }), StoreError::Cause::moved);
    EXPECT_FALSE(sample.store.snapshot()->load({Kind::device, "b"})) << "what was refused is not there";
}

TEST(Moved, AReplacedFileTakesNoWrites) {
    SampleStore sample;
    saved(sample.store, device("a"));
    sample.store.backup(sample.place.file("other.db"));
    fs::rename(sample.place.file("other.db"), sample.settings.path);
    EXPECT_EQ(cause_of([&] { static_cast<void>(sample.store.save(kAlice, device("b"))); }), StoreError::Cause::moved);
}

TEST(Moved, ADeletedLogTakesNoWrites) {
    SampleStore sample;
    saved(sample.store, device("a"));
    fs::remove(sample.settings.path + "-wal");
    EXPECT_EQ(cause_of([&] { static_cast<void>(sample.store.save(kAlice, device("b"))); }), StoreError::Cause::moved);
}

TEST(Modes, OfNewFilesAreTheirOwnersOnlyWhateverTheMask) {
    const mode_t before = umask(0);
    const Folder folder;
    const std::string path = folder.file("a.db");
    const DaemonLock lock(path);
    const auto opened = open_store({.path = path});
    Store& store = *opened;
    saved(store, device("a"));
    store.backup(folder.file("backup.db"));
    umask(before);
    for (const char* name : {"a.db", "a.db-wal", "a.db-shm", "a.db.lock", "backup.db"}) {
        EXPECT_EQ(mode_of(folder.file(name)), 0600U) << name;
    }
}

TEST(Modes, OfOldFilesAreNarrowedAndTold) {
    const Folder folder;
    const std::string path = folder.file("a.db");
    { const auto store = open_store({.path = path}); }
    std::ofstream(folder.file("a.db.before-8")) << "copy";
    std::ofstream(folder.file("unrelated")) << "other";
    for (const char* name : {"a.db", "a.db.before-8", "unrelated"}) {
        ASSERT_EQ(chmod(folder.file(name).c_str(), 0644), 0);
    }
    std::vector<std::string> told;
    const auto store = open_store({.path = path, .log = [&](std::string_view sentence) { told.emplace_back(sentence); }});
    EXPECT_EQ(mode_of(path), 0600U);
    EXPECT_EQ(mode_of(folder.file("a.db.before-8")), 0600U);
    EXPECT_EQ(mode_of(folder.file("unrelated")), 0644U);
    EXPECT_EQ(told.size(), 2U);
}

} // namespace
} // namespace costcurve::storage::test
