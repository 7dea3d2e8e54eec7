// Hashes and the chain of changes: what is changed underneath is found, wherever it is.
#include <random>

#include "server/storage/hash.hpp"
#include "server/storage/sqlite/open.hpp"
#include "tests/storage/history.hpp"
#include "tests/storage/sqlite/sqlite_store.hpp"

namespace costcurve::storage::test {
namespace {

// The store's file, closed and whole: what a backup is.
std::string filled_file(const Folder& folder) {
    SampleStore sample;
    fill_history(sample);
    const std::string path = folder.file("whole.db");
    sample.store.backup(path);
    return path;
}

TEST(Hash, IsTheOneOfEverybodyElse) {
    EXPECT_EQ(hex_of(text_of(hash_of("abc"))), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Hash, TellsValuesApartThatStandBehindEachOther) {
    EXPECT_NE(HashInput().add("ab").add("c").take(), HashInput().add("a").add("bc").take());
    EXPECT_EQ(HashInput().add(0.0).take(), HashInput().add(-0.0).take());
    EXPECT_NE(HashInput().add(std::optional<double>()).take(), HashInput().add(std::optional(0.0)).take());
}

TEST(Check, FindsAWholeStoreWhole) {
    const Folder folder;
    const CheckReport report = check_of(filled_file(folder));
    EXPECT_EQ(problems_of(report), "");
    EXPECT_TRUE(report.is_good());
    EXPECT_EQ(report.revisions, 47);
    EXPECT_EQ(report.changes, 11);
    EXPECT_EQ(report.results, 1);
    EXPECT_EQ(report.last_sequence, 11);
    EXPECT_EQ(report.last_link.size(), 64U);
}

TEST(Check, WorksBesideAStoreInUseAndItsLastLinkNamesItsHistory) {
    SampleStore sample;
    fill_history(sample);
    const std::string before = check_of(sample.settings.path).last_link;
    EXPECT_EQ(check_of(sample.settings.path).last_link, before);
    saved(sample.store, device("e"));
    const CheckReport after = check_of(sample.settings.path);
    EXPECT_TRUE(after.is_good()) << problems_of(after);
    EXPECT_NE(after.last_link, before);
    CheckOptions quick;
    quick.is_quick = true;
    EXPECT_EQ(check(sample.settings.path, quick).last_link, after.last_link);
}

std::string drop_triggers(Database& database) {
    Rows rows(database, "SELECT group_concat('DROP TRIGGER ' || name, ';') FROM sqlite_schema WHERE type = 'trigger'");
    return rows.next() ? std::string(rows.text(0)) : "";
}

TEST(Check, FindsWhatWasChangedPastTheTriggers) {
    const std::pair<const char*, const char*> rows[] = {
        {"UPDATE body SET text = replace(text, 'kind', 'mind')", "bodies: body 1 has not the text"},
        {"UPDATE point SET y = 9.56 WHERE x = 20 AND y = 5.0", "a point of its curves"},
        {"UPDATE point SET y = NULL WHERE x = 20 AND y = 5.0", "a point of its curves"},
        {"DELETE FROM point WHERE x = 20 AND y = 5.0", "a point of its curves"},
        {"INSERT INTO point SELECT document, pointer, 99, since, 1 FROM point LIMIT 1", "a point of its curves"},
        {"UPDATE pointer SET text = '/hourly_pricf' WHERE text = '/hourly_price'", "a point of its curves"},
        {"UPDATE revision SET hourly_price = 0.01 WHERE id = 'o2'", "offer o2, revision 1"},
        {"UPDATE revision SET title = 'Gevice d' WHERE id = 'd'", "its title"},
        {"UPDATE revision SET search = 'gone' WHERE id = 'd'", "searches see another title"},
        {"UPDATE revision SET revision = 7 WHERE id = 'd'", "does not follow"},
        {"DELETE FROM revision WHERE id = 'o1' AND revision = 1", "does not follow"},
        {"DELETE FROM reference WHERE source = (SELECT document FROM document WHERE id = 'o7')", "a reference"},
        {"UPDATE change SET author = 'mallory' WHERE sequence = 3", "change 3 (save offer/o1): it does not follow"},
        {"UPDATE change SET address = '192.0.2.1' WHERE sequence = 3", "change 3"},
        {"UPDATE change SET recorded_at = recorded_at + 777777 WHERE sequence = 3", "change 3"},
        {"DELETE FROM change WHERE sequence = 10", "a change before it is missing"},
        {"UPDATE api_key SET role = 'admin'", "change 8 (add_key ci): what it wrote"},
        {"UPDATE result SET npv = 1", "results: result 1"},
        {"UPDATE result SET carbon_kg = 0", "results: result 1"},
        {"UPDATE result SET feasible = 1", "results: result 1"},
        {"UPDATE result_body SET packed = zeroblob(20)", "results: result 1"},
        {"UPDATE document SET id = 'other' WHERE id = 'd'", "another name"},
    };
    const Folder folder;
    const std::string whole = filled_file(folder);
    for (const auto& [sql, expected] : rows) {
        const std::string path = folder.file("changed.db");
        std::filesystem::copy_file(whole, path, std::filesystem::copy_options::overwrite_existing);
        {
            Database side(path, Database::Access::write);
            side.execute("PRAGMA foreign_keys = OFF");
            side.execute(drop_triggers(side));
            side.execute(sql);
            EXPECT_GT(side.number("SELECT changes()"), 0) << sql;
        }
        const CheckReport report = check_of(path);
        EXPECT_FALSE(report.is_good()) << sql;
        EXPECT_NE(problems_of(report).find(expected), std::string::npos) << sql << "\n" << problems_of(report);
    }
}

// All that the store answers about documents: none of it may change undetected.
std::string content_of_store(const std::string& path) {
    Database database(path, Database::Access::read);
    std::string all;
    for (const char* sql :
         {"SELECT kind || id || title || ifnull(hourly_price, '') || revision || since || until || ifnull(body, '') FROM revision "
          "ORDER BY row",
          "SELECT text FROM body ORDER BY body",
          "SELECT document || ' ' || x || ' ' || since || ' ' || ifnull(y, '') FROM point "
          "ORDER BY document, pointer, x, since",
          "SELECT sequence || author || action || subject || recorded_at FROM change ORDER BY sequence",
          "SELECT scenario || number || npv || hex(packed) FROM result JOIN result_body USING (body)"}) {
        Rows rows(database, sql);
        while (rows.next()) {
            all += std::string(rows.text(0)) + "\n";
        }
    }
    return all;
}

TEST(Check, FindsAFlippedByteWhereverItChangesWhatIsSaid) {
    const Folder folder;
    const std::string whole = filled_file(folder);
    const std::string bytes = content_of(whole);
    const std::string said = content_of_store(whole);
    std::mt19937_64 random(7);
    int found = 0;
    for (int i = 0; i < 400; ++i) {
        const std::size_t place = random() % bytes.size();
        std::string flipped = bytes;
        flipped[place] = static_cast<char>(flipped[place] ^ static_cast<char>(1U << (random() % 8)));
        const std::string path = folder.file("flipped.db");
        std::ofstream(path, std::ios::binary) << flipped;
        bool is_found = false;
        try {
            is_found = !check_of(path).is_good();
        } catch (const StoreError&) { is_found = true; }
        found += is_found ? 1 : 0;
        if (!is_found) {
            EXPECT_EQ(content_of_store(path), said) << "byte " << place << " of " << bytes.size();
        }
    }
    EXPECT_GT(found, 0);
}

TEST(Check, FindsPagesOfZerosThatWouldBeAnEmptyList) {
    const Folder folder;
    const std::string path = filled_file(folder);
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(20480);
    file << std::string(12288, '\0');
    file.close();
    EXPECT_FALSE(check_of(path).is_good());
}

TEST(Check, NamesDocumentsThatCannotBeRead) {
    const Folder folder;
    const std::string path = filled_file(folder);
    CheckOptions options;
    options.read = [](const Revision& revision) {
        if (revision.record.key.id == "o3") {
            throw std::runtime_error("no cron");
        }
        return revision.record.key.id == "o4" ? "not this" : "";
    };
    EXPECT_EQ(problems_of(check(path, options)),
              "documents: offer o3 can't be read: no cron\ndocuments: offer o4 can't be read: not this\n");
}

TEST(Check, IsWhatRestoreDoesAndRefusesAWrongPrice) {
    const Folder folder;
    const std::string backup = filled_file(folder);
    {
        Database side(backup, Database::Access::write);
        side.execute("DROP TRIGGER point_stays; UPDATE point SET y = 9.56 WHERE x = 20 AND y = 5.0");
        side.execute("CREATE TRIGGER point_stays BEFORE UPDATE ON point BEGIN SELECT RAISE(ABORT, 'points stay as recorded'); END");
    }
    std::string text;
    EXPECT_EQ(cause_of([&] { restore_store(backup, folder.file("target.db")); }, &text), StoreError::Cause::corrupt);
    EXPECT_NE(text.find("a point of its curves"), std::string::npos) << text;
    EXPECT_FALSE(std::filesystem::exists(folder.file("target.db")));
}

} // namespace
} // namespace costcurve::storage::test
