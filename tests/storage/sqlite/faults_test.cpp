// The world breaks on purpose: a full disk, a lock, a read-only file, a truncated, damaged or foreign one. A clear error each
// time, and no acknowledged write lost.
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "tests/storage/sqlite/sqlite_store.hpp"

namespace costcurve::storage::test {
namespace {

using Cause = StoreError::Cause;
namespace fs = std::filesystem;

// Saves documents until one fails; returns how many were acknowledged.
int fill_up(Store& store, Cause& cause) {
    for (int i = 0;; ++i) {
        try {
            if (!std::holds_alternative<Saved>(store.save(kAlice, device("d" + std::to_string(i), std::string(10'000, 'x'))))) {
                return -1;
            }
        } catch (const StoreError& error) {
            cause = error.cause();
            return i;
        }
    }
}

void expect_all(const Store& store, int acknowledged) {
    const auto snapshot = store.snapshot();
    for (int i = 0; i < acknowledged; ++i) {
        EXPECT_TRUE(snapshot->load({Kind::device, "d" + std::to_string(i)})) << i;
    }
    EXPECT_FALSE(snapshot->load({Kind::device, "d" + std::to_string(acknowledged)}));
}

TEST(FullDatabase, RefusesWritesLosesNoneAndGoesOnReading) {
    SampleStore sample;
    StoreSettings settings = sample.settings;
    settings.max_database_mb = 1;
    int acknowledged = 0;
    {
        const auto opened = open_store(settings);
        Store& store = *opened;
        store.check_writable();
        Cause cause = Cause::unavailable;
        acknowledged = fill_up(store, cause);
        EXPECT_EQ(cause, Cause::full);
        EXPECT_GT(acknowledged, 20);
        expect_all(store, acknowledged);
        EXPECT_EQ(cause_of([&] { static_cast<void>(store.save(kAlice, device("large", std::string(100'000, 'x')))); }),
                  Cause::full);
        expect_all(store, acknowledged);
    }
    settings.max_database_mb = 2;
    const auto opened_larger = open_store(settings);
    Store& larger = *opened_larger;
    expect_all(larger, acknowledged);
    larger.check_writable();
    saved(larger, device("next"));
}

// Saves documents of 8 kB until the store is not to be written to any more; whether that came before a write failed.
bool is_told_before(Store& store) {
    for (int i = 0; i < 1000; ++i) {
        try {
            store.check_writable();
        } catch (const StoreError& error) {
            EXPECT_EQ(error.cause(), Cause::full) << error.what();
            return true;
        }
        saved(store, device("d" + std::to_string(i), incompressible(8000, static_cast<std::uint32_t>(i))));
    }
    return false;
}

TEST(FullDatabase, IsToldBeforeAWriteFails) {
    SampleStore sample;
    StoreSettings settings = sample.settings;
    settings.max_database_mb = 1;
    const auto opened = open_store(settings);
    EXPECT_TRUE(is_told_before(*opened));
    saved(*opened, device("small"));
}

TEST(FullDatabase, IsToldWhereTheLimitOfFilesIsNear) {
    SampleStore sample;
    struct rlimit before {};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit = before;
    limit.rlim_cur = 3U << 20U;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    EXPECT_TRUE(is_told_before(sample.store));
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, handler);
    sample.store.check_writable();
}

// A small file system in memory, for one test.
class SmallDisk {
public:
    explicit SmallDisk(const fs::path& place) : place_(place) {
        fs::create_directory(place_);
        mounted_ = mount("tmpfs", place_.c_str(), "tmpfs", 0, "size=4m") == 0;
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;
    ~SmallDisk() {
        if (mounted_) {
            umount2(place_.c_str(), MNT_DETACH);
        }
    }
    [[nodiscard]] bool is_mounted() const { return mounted_; }
    [[nodiscard]] bool remount_read_only() const {
        return mount("tmpfs", place_.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "size=4m") == 0;
    }

private:
    fs::path place_;
    bool mounted_ = false;
};

TEST(FullDisk, RefusesWritesLosesNoneAndGoesOnWhereSpaceIsFreed) {
    const Folder folder;
    const SmallDisk disk(folder.path() / "disk");
    if (!disk.is_mounted()) {
        GTEST_SKIP() << "may not mount a small disk here";
    }
    StoreSettings settings;
    settings.path = folder.file("disk/a.db");
    int acknowledged = 0;
    {
        const auto opened = open_store(settings);
        Store& store = *opened;
        std::ofstream(folder.file("disk/ballast")) << std::string(300'000, 'x');
        Cause cause = Cause::unavailable;
        acknowledged = fill_up(store, cause);
        EXPECT_EQ(cause, Cause::full);
        EXPECT_GT(acknowledged, 20);
        expect_all(store, acknowledged);
        EXPECT_EQ(cause_of([&] { store.check_writable(); }), Cause::full);
        fs::remove(folder.file("disk/ballast"));
        saved(store, device("next"));
    }
    const auto opened_again = open_store(settings);
    const Store& again = *opened_again;
    expect_all(again, acknowledged);
    EXPECT_TRUE(again.snapshot()->load({Kind::device, "next"}));
}

TEST(ReadOnlyDisk, IsToldWhenTheStoreOpens) {
    const Folder folder;
    const SmallDisk disk(folder.path() / "disk");
    if (!disk.is_mounted()) {
        GTEST_SKIP() << "may not mount a small disk here";
    }
    StoreSettings settings;
    settings.path = folder.file("disk/a.db");
    { const auto store = open_store(settings); }
    ASSERT_TRUE(disk.remount_read_only());
    EXPECT_EQ(cause_of([&] { static_cast<void>(open_store(settings)); }), Cause::read_only);
}

// Root writes files whatever their permissions: as nobody, it may not.
class WithoutPrivileges {
public:
    WithoutPrivileges() : dropped_(geteuid() != 0 || seteuid(65534) == 0) {}
    WithoutPrivileges(const WithoutPrivileges&) = delete;
    WithoutPrivileges& operator=(const WithoutPrivileges&) = delete;
    ~WithoutPrivileges() { static_cast<void>(seteuid(getuid()) == 0); }
    [[nodiscard]] bool dropped() const { return dropped_; }

private:
    bool dropped_;
};

TEST(ReadOnlyFile, IsToldWhenTheStoreOpens) {
    const Folder folder;
    StoreSettings settings;
    settings.path = folder.file("a.db");
    {
        const auto opened = open_store(settings);
        Store& store = *opened;
        saved(store, device("a"));
    }
    chmod(settings.path.c_str(), 0444);
    chmod(folder.path().c_str(), 0555); // NOLINT: others may look into it
    std::string text;
    Cause cause = Cause::unavailable;
    {
        const WithoutPrivileges nobody;
        if (nobody.dropped()) {
            cause = cause_of([&] { static_cast<void>(open_store(settings)); }, &text);
        } else {
            cause = Cause::read_only;
        }
    }
    chmod(folder.path().c_str(), 0755);
    EXPECT_EQ(cause, Cause::read_only);
    EXPECT_NE(text.find("check its permissions"), std::string::npos) << text;
}

TEST(LockedDatabase, RefusesWritesAndGoesOnReading) {
    SampleStore sample;
    StoreSettings settings = sample.settings;
    settings.busy_timeout_ms = 30;
    const auto opened = open_store(settings);
    Store& store = *opened;
    saved(store, device("a"));
    Database side = side_of(sample);
    side.execute("BEGIN EXCLUSIVE");
    std::string text;
    EXPECT_EQ(cause_of([&] { static_cast<void>(store.save(kAlice, device("b"))); }, &text), Cause::busy);
    EXPECT_NE(text.find("another process or a long write holds the database"), std::string::npos) << text;
    EXPECT_EQ(cause_of([&] { store.check_writable(); }), Cause::busy);
    EXPECT_EQ(cause_of([&] { static_cast<void>(store.remove(kAlice, {Kind::device, "a"})); }), Cause::busy);
    EXPECT_GE(store.busy_count(), 3);
    EXPECT_TRUE(store.snapshot()->load({Kind::device, "a"}));
    side.execute("ROLLBACK");
    saved(store, device("b"));
    store.check_writable();
}

TEST(LockedDatabase, IsWaitedFor) {
    SampleStore sample;
    sample.settings.busy_timeout_ms = 60'000;
    const auto opened = open_store(sample.settings);
    Store& store = *opened;
    Database side = side_of(sample);
    side.execute("BEGIN IMMEDIATE");
    std::thread writer([&] { saved(store, device("a")); });
    while (store.busy_count() == 0) { // until it waits
        std::this_thread::yield();
    }
    side.execute("ROLLBACK");
    writer.join();
    EXPECT_TRUE(store.snapshot()->load({Kind::device, "a"}));
}

TEST(LockedDatabase, IsToldWhenAStoreIsMade) {
    const Folder folder;
    StoreSettings settings;
    settings.path = folder.file("a.db");
    settings.busy_timeout_ms = 20;
    Database other(settings.path, Database::Access::create);
    other.execute("BEGIN EXCLUSIVE; CREATE TABLE t (x)");
    EXPECT_EQ(cause_of([&] { static_cast<void>(open_store(settings)); }), Cause::busy);
}

struct TruncationRow {
    std::uintmax_t size;
    Cause cause;
};

TEST(TruncatedFile, IsToldWhenTheStoreOpensAndLeftAsItIs) {
    const Folder folder;
    StoreSettings settings;
    settings.path = folder.file("whole.db");
    {
        const auto opened = open_store(settings);
        Store& store = *opened;
        for (int i = 0; i < 20; ++i) {
            saved(store, device("d" + std::to_string(i), std::string(10'000, 'x')));
        }
    }
    const std::uintmax_t whole = fs::file_size(settings.path);
    const TruncationRow rows[] = {
        {whole - 1, Cause::corrupt}, {whole - 4096, Cause::corrupt}, {whole / 2, Cause::corrupt}, {whole / 2 + 17, Cause::corrupt},
        {4096, Cause::corrupt},      {4095, Cause::corrupt},         {512, Cause::corrupt},       {100, Cause::corrupt},
        {17, Cause::corrupt},        {15, Cause::foreign_file}};
    for (const TruncationRow& row : rows) {
        const std::string path = folder.file("truncated.db");
        fs::copy_file(settings.path, path, fs::copy_options::overwrite_existing);
        fs::resize_file(path, row.size);
        const std::string before = content_of(path);
        StoreSettings truncated = settings;
        truncated.path = path;
        EXPECT_EQ(cause_of([&] { static_cast<void>(open_store(truncated)); }), row.cause) << row.size;
        EXPECT_TRUE(content_of(path) == before) << row.size;
    }
}

TEST(DamagedFile, IsToldWhenItIsRead) {
    const Folder folder;
    StoreSettings settings;
    settings.path = folder.file("a.db");
    {
        const auto opened = open_store(settings);
        Store& store = *opened;
        for (int i = 0; i < 200; ++i) {
            saved(store, device("d" + std::to_string(i)));
        }
    }
    std::string bytes = content_of(settings.path);
    std::fill(bytes.begin() + 4096, bytes.end(), '\x55'); // all but the first page
    std::ofstream(settings.path, std::ios::binary) << bytes;
    EXPECT_EQ(cause_of([&] {
                  const auto opened = open_store(settings);
                  const Store& store = *opened;
                  store.snapshot()->for_each([](const Revision&) {});
              }),
              Cause::corrupt);
}

TEST(ForeignFile, IsRefusedAndLeftAsItIs) {
    const Folder folder;
    const std::string text_file = folder.file("notes.txt");
    std::ofstream(text_file) << std::string(5000, 'n');
    const std::string database_file = folder.file("other.db");
    Database(database_file, Database::Access::create).execute("CREATE TABLE t (x); INSERT INTO t VALUES (1)");
    const std::string marked_file = folder.file("marked.db");
    Database(marked_file, Database::Access::create).execute("PRAGMA application_id = 7");
    const std::string versioned_file = folder.file("versioned.db");
    Database(versioned_file, Database::Access::create).execute("PRAGMA user_version = 1");
    for (const std::string& path : {text_file, database_file, marked_file, versioned_file}) {
        const std::string before = content_of(path);
        StoreSettings settings;
        settings.path = path;
        std::string text;
        EXPECT_EQ(cause_of([&] { static_cast<void>(open_store(settings)); }, &text), Cause::foreign_file) << path;
        EXPECT_NE(text.find("nothing was changed"), std::string::npos) << text;
        EXPECT_TRUE(content_of(path) == before) << path;
    }
}

TEST(EmptyFile, BecomesAStore) {
    const Folder folder;
    StoreSettings settings;
    settings.path = folder.file("a.db");
    { const std::ofstream empty(settings.path); }
    const auto opened = open_store(settings);
    Store& store = *opened;
    EXPECT_EQ(store.sequence(), 0);
    EXPECT_EQ(saved(store, device("a")).revision, 1);
}

TEST(Path, ThatCannotBeOpenedIsTold) {
    const Folder folder;
    for (const std::string& path : {folder.path().string(), folder.file("no/such/folder/a.db")}) {
        StoreSettings settings;
        settings.path = path;
        EXPECT_EQ(cause_of([&] { static_cast<void>(open_store(settings)); }), Cause::unavailable) << path;
    }
}

TEST(Path, ThatWasMovedWhileInUseIsTold) {
    SampleStore sample;
    sample.store.check_writable();
    fs::rename(sample.settings.path, sample.settings.path + ".moved");
    EXPECT_EQ(cause_of([&] { sample.store.check_writable(); }), Cause::moved);
}

} // namespace
} // namespace costcurve::storage::test
