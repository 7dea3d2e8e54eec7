// Backups of a store in use, and putting one back.
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "tests/storage/sqlite/sqlite_store.hpp"

namespace costcurve::storage::test {
namespace {

using Cause = StoreError::Cause;
namespace fs = std::filesystem;

StoreSettings settings_of(const std::string& path) {
    StoreSettings settings;
    settings.path = path;
    settings.busy_timeout_ms = 50;
    return settings;
}

std::size_t files_in(const Folder& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
}

TEST(Backup, HoldsOneMomentWhileOthersWrite) {
    SampleStore sample;
    saved(sample.store, device("d0", std::string(200'000, 'x')));
    std::atomic<int> written = 1;
    std::atomic<bool> stop = false;
    std::thread writer([&] {
        while (!stop) {
            const std::string pair = std::to_string(written);
            const Record both[] = {device("d" + pair), curve("c" + pair, {1}, {1})};
            EXPECT_EQ(sample.store.save_all(kAlice, both).index(), 0U);
            ++written;
        }
    });
    const int before = written;
    sample.store.backup(sample.place.file("backup.db"));
    const int after = written;
    stop = true;
    writer.join();
    EXPECT_FALSE(fs::exists(sample.place.file("backup.db-wal")));
    EXPECT_FALSE(fs::exists(sample.place.file("backup.db.partial")));
    const auto opened_copy = open_store(settings_of(sample.place.file("backup.db")));
    const Store& copy = *opened_copy;
    const StoreCounts counts = copy.counts();
    const auto devices = counts.documents[static_cast<std::size_t>(Kind::device)];
    EXPECT_GE(devices, before);
    EXPECT_LE(devices, after + 1);
    EXPECT_EQ(counts.documents[static_cast<std::size_t>(Kind::curve)], devices - 1); // pairs are whole
    EXPECT_EQ(copy.sequence(), devices);
    Database check(sample.place.file("backup.db"), Database::Access::read);
    Rows integrity(check, "PRAGMA integrity_check");
    ASSERT_TRUE(integrity.next());
    EXPECT_EQ(integrity.text(0), "ok");
}

TEST(Backup, IsNotWrittenOverAFile) {
    SampleStore sample;
    const std::string path = sample.place.file("there");
    std::ofstream(path) << "precious";
    EXPECT_EQ(cause_of([&] { sample.store.backup(path); }), Cause::unavailable);
    EXPECT_EQ(content_of(path), "precious");
}

TEST(Backup, ThatFailsLeavesNothing) {
    SampleStore sample;
    EXPECT_EQ(cause_of([&] { sample.store.backup(sample.place.file("no/folder/backup.db")); }), Cause::unavailable);
    EXPECT_FALSE(fs::exists(sample.place.file("no")));
}

class Restore : public testing::Test {
protected:
    Restore() {
        const auto opened = open_store(settings_of(path_));
        Store& store = *opened;
        saved(store, device("a", "before"));
        store.backup(backup_);
        saved(store, device("a", "after"));
    }
    [[nodiscard]] static std::string body_in(const std::string& path) {
        const auto found = open_store(settings_of(path))->snapshot()->load({Kind::device, "a"});
        return found ? found->record.body : "none";
    }

    Folder folder_;
    std::string path_ = folder_.file("costcurve.db");
    std::string backup_ = folder_.file("backup.db");
};

TEST_F(Restore, PutsABackupInPlaceAndKeepsTheOldOneBeside) {
    const std::string aside = restore_store(backup_, path_);
    EXPECT_EQ(aside.find(path_ + ".replaced-"), 0U);
    EXPECT_EQ(body_in(path_), "before");
    EXPECT_EQ(body_in(aside), "after");
    EXPECT_EQ(body_in(backup_), "before");
    EXPECT_EQ(files_in(folder_), 3U);
}

TEST_F(Restore, WorksWhereNothingIs) {
    const std::string path = folder_.file("new.db");
    EXPECT_EQ(restore_store(backup_, path), "");
    EXPECT_EQ(body_in(path), "before");
}

TEST_F(Restore, IsRefusedWhileAStoreHasTheDatabaseOpen) {
    const auto opened = open_store(settings_of(path_));
    Store& store = *opened;
    std::string text;
    EXPECT_EQ(cause_of([&] { restore_store(backup_, path_); }, &text), Cause::busy);
    EXPECT_NE(text.find("stop it first"), std::string::npos) << text;
    EXPECT_EQ(store.snapshot()->load({Kind::device, "a"})->record.body, "after");
    saved(store, device("a", "later"));
    EXPECT_FALSE(fs::exists(path_ + ".restoring"));
}

TEST_F(Restore, IsRefusedWhileAnotherProcessHasTheDatabaseOpen) {
    int opened[2];
    int release[2];
    ASSERT_EQ(pipe(opened), 0);
    ASSERT_EQ(pipe(release), 0);
    const pid_t daemon = fork();
    if (daemon == 0) {
        char byte = 0;
        const auto store = open_store(settings_of(path_));
        _exit(write(opened[1], &byte, 1) == 1 && read(release[0], &byte, 1) == 1 ? 0 : 1);
    }
    char byte = 0;
    ASSERT_EQ(read(opened[0], &byte, 1), 1);
    EXPECT_EQ(cause_of([&] { restore_store(backup_, path_); }), Cause::busy);
    ASSERT_EQ(write(release[1], &byte, 1), 1);
    int status = 0;
    ASSERT_EQ(waitpid(daemon, &status, 0), daemon);
    EXPECT_EQ(status, 0);
    for (const int descriptor : {opened[0], opened[1], release[0], release[1]}) {
        close(descriptor);
    }
    restore_store(backup_, path_); // it left its log behind
    EXPECT_EQ(body_in(path_), "before");
}

TEST_F(Restore, KeepsWhatIsInTheLogOfTheOldOne) {
    const pid_t daemon = fork();
    if (daemon == 0) { // dies with its last write in the log only
        const auto opened = open_store(settings_of(path_));
        Store& store = *opened;
        saved(store, device("a", "logged"));
        _exit(0);
    }
    ASSERT_EQ(waitpid(daemon, nullptr, 0), daemon);
    ASSERT_TRUE(fs::exists(path_ + "-wal"));
    const std::string aside = restore_store(backup_, path_);
    EXPECT_EQ(body_in(path_), "before");
    EXPECT_EQ(body_in(aside), "logged");
}

TEST_F(Restore, ReplacesADamagedDatabase) {
    fs::resize_file(path_, fs::file_size(path_) / 2);
    const std::string damaged = content_of(path_);
    const std::string aside = restore_store(backup_, path_);
    EXPECT_EQ(body_in(path_), "before");
    EXPECT_TRUE(content_of(aside) == damaged);
}

TEST_F(Restore, KeepsTheLogOfADamagedOneAwayFromTheNewOne) {
    const pid_t daemon = fork();
    if (daemon == 0) { // dies with its last write in the log only
        const auto opened = open_store(settings_of(path_));
        Store& store = *opened;
        saved(store, device("a", "logged"));
        _exit(0);
    }
    ASSERT_EQ(waitpid(daemon, nullptr, 0), daemon);
    std::ofstream(path_, std::ios::binary | std::ios::in).seekp(100) << std::string(4000, '\x55'); // its first page
    ASSERT_GT(fs::file_size(path_ + "-wal"), 0U);
    const std::string aside = restore_store(backup_, path_);
    EXPECT_FALSE(fs::exists(path_ + "-wal"));
    EXPECT_EQ(body_in(path_), "before");
    EXPECT_TRUE(fs::exists(aside));
}

TEST_F(Restore, ReplacesADatabaseOfANewerProgram) {
    Database(path_, Database::Access::write).execute("PRAGMA user_version = 99");
    restore_store(backup_, path_);
    EXPECT_EQ(body_in(path_), "before");
}

TEST_F(Restore, LeavesAForeignFileInItsPlace) {
    const std::string notes = folder_.file("notes.txt");
    std::ofstream(notes) << std::string(1000, 'n');
    EXPECT_EQ(cause_of([&] { restore_store(backup_, notes); }), Cause::foreign_file);
    EXPECT_EQ(content_of(notes), std::string(1000, 'n'));
    EXPECT_FALSE(fs::exists(notes + ".restoring"));
}

TEST_F(Restore, RefusesABackupThatIsNone) {
    const std::string old = content_of(path_);
    const auto refused = [&](const std::string& backup, Cause cause) {
        EXPECT_EQ(cause_of([&] { restore_store(backup, path_); }), cause) << backup;
        EXPECT_TRUE(content_of(path_) == old) << backup;
        EXPECT_FALSE(fs::exists(path_ + ".restoring")) << backup;
    };
    refused(folder_.file("missing.db"), Cause::unavailable);
    { const std::ofstream empty(folder_.file("empty.db")); }
    refused(folder_.file("empty.db"), Cause::foreign_file);
    std::ofstream(folder_.file("text.db")) << std::string(1000, 't');
    refused(folder_.file("text.db"), Cause::foreign_file);
    Database(folder_.file("other.db"), Database::Access::create).execute("CREATE TABLE t (x)");
    refused(folder_.file("other.db"), Cause::foreign_file);
    fs::copy_file(backup_, folder_.file("newer.db"));
    Database(folder_.file("newer.db"), Database::Access::write).execute("PRAGMA user_version = 99");
    refused(folder_.file("newer.db"), Cause::newer_version);
    fs::copy_file(backup_, folder_.file("short.db"));
    fs::resize_file(folder_.file("short.db"), fs::file_size(backup_) - 4096);
    refused(folder_.file("short.db"), Cause::corrupt);
    fs::copy_file(backup_, folder_.file("shorter.db"));
    fs::resize_file(folder_.file("shorter.db"), fs::file_size(backup_) - 1);
    refused(folder_.file("shorter.db"), Cause::corrupt);
    fs::copy_file(backup_, folder_.file("orphan.db"));
    Database(folder_.file("orphan.db"), Database::Access::write).execute("PRAGMA foreign_keys = OFF; DELETE FROM document");
    refused(folder_.file("orphan.db"), Cause::corrupt);
}

TEST_F(Restore, RefusesABackupWithADamagedPage) {
    std::string bytes = content_of(backup_);
    std::fill(bytes.begin() + 3 * 4096, bytes.begin() + 8 * 4096, '\x55');
    std::ofstream(folder_.file("damaged.db"), std::ios::binary) << bytes;
    EXPECT_EQ(cause_of([&] { restore_store(folder_.file("damaged.db"), path_); }), Cause::corrupt);
    EXPECT_EQ(body_in(path_), "after");
}

} // namespace
} // namespace costcurve::storage::test
