// Statements of SQLite as Rows: run once they are made, and free again whatever ended them.
#include "tests/storage/sqlite/sqlite_store.hpp"

namespace costcurve::storage::test {
namespace {

TEST(Rows, HaveRunOnceTheyAreMade) {
    const Folder folder;
    Database database(folder.file("a.db"), Database::Access::create);
    database.execute("CREATE TABLE t (a INTEGER UNIQUE) STRICT");
    {
        const Rows rows(database, "INSERT INTO t VALUES ($1), ($2)", 1, 2);
        EXPECT_EQ(count(database, "t"), 2);
        EXPECT_EQ(rows.affected(), 2); // of its own, not of the statement since
    }
    Rows given(database, "INSERT INTO t VALUES ($1), ($2) RETURNING a", 3, 4);
    EXPECT_EQ(count(database, "t"), 4); // though no row of it was read
    ASSERT_TRUE(given.next());
    EXPECT_EQ(given.integer(0), 3);
    ASSERT_TRUE(given.next());
    EXPECT_EQ(given.integer(0), 4);
    EXPECT_FALSE(given.next());
    EXPECT_FALSE(given.next()); // nor does it begin anew
    EXPECT_EQ(count(database, "t"), 4);
}

TEST(Rows, OfAStatementThatFailedAreFreeAgain) {
    const Folder folder;
    Database database(folder.file("a.db"), Database::Access::create);
    database.execute("CREATE TABLE t (a INTEGER UNIQUE) STRICT");
    constexpr std::string_view kAdd = "INSERT INTO t VALUES ($1)";
    EXPECT_EQ(database.run(kAdd, 1), 1);
    EXPECT_THROW(database.run(kAdd, 1), StoreError);
    EXPECT_EQ(database.run(kAdd, 2), 1);
}

} // namespace
} // namespace costcurve::storage::test
