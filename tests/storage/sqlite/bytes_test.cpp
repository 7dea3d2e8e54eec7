// Texts of older stores may have a U+0000, which SQLite keeps.
#include "tests/storage/sqlite/sqlite_store.hpp"

namespace costcurve::storage::test {
namespace {

TEST(SqliteStore, GivesBackATextWithAZeroByte) {
    SampleStore sample;
    Record record = device("a");
    record.title = std::string("a\0b", 3);
    saved(sample.store, record);
    EXPECT_EQ(sample.store.snapshot()->load(record.key)->record.title, record.title);
}

} // namespace
} // namespace costcurve::storage::test
