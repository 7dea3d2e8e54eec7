// A store that was changed underneath, by a role that may switch its triggers and foreign keys off: the check names what it finds.
#include <tuple>

#include "tests/storage/history.hpp"

namespace costcurve::storage::test {
namespace {

TEST(PostgresCheck, FindsAWholeStoreWholeAndItsLastLinkNamesItsHistory) {
    SampleStore sample;
    fill_history(sample);
    const CheckReport report = check_of(sample.settings.path);
    EXPECT_EQ(problems_of(report), "");
    EXPECT_TRUE(report.is_good());
    EXPECT_EQ(std::tuple(report.revisions, report.changes, report.results), std::tuple(47, 11, 1));
    EXPECT_EQ(report.last_sequence, 11);
    EXPECT_EQ(report.last_link.size(), 64U);
    CheckOptions quick;
    quick.is_quick = true;
    EXPECT_EQ(check_store(sample.settings.path, quick).last_link, report.last_link);
}

struct Damage {
    const char* sql;
    const char* problem;
};

class PostgresDamage : public ::testing::TestWithParam<Damage> {};

TEST_P(PostgresDamage, IsNamed) {
    SampleStore sample;
    fill_history(sample);
    const auto side = sample.side();
    side->execute("SET session_replication_role = replica");
    EXPECT_GT(side->number(std::string("WITH changed AS (") + GetParam().sql + " RETURNING 1) SELECT count(*) FROM changed"), 0);
    const CheckReport report = check_of(sample.settings.path);
    EXPECT_FALSE(report.is_good());
    EXPECT_NE(problems_of(report).find(GetParam().problem), std::string::npos) << problems_of(report);
}

constexpr Damage kDamages[] = {
    // bodies
    {"UPDATE body SET text = replace(text, 'kind', 'mind')", "bodies: body 1 has not the text"},
    {"UPDATE body SET hash = sha256(convert_to(text || 'x', 'UTF8'))", "bodies: body 1 has not the text"},
    {"UPDATE body SET (text, hash) = ('other', sha256('other'))", "revisions: device d, revision 1 (change 1): it is not what was"},
    {"UPDATE body SET hash = 'short'", "bodies: body 1 has not the text"},
    {"DELETE FROM body WHERE body = 1", "references: 1 of revision refer to body 1, which isn't there"},
    // points
    {"UPDATE point SET y = 9.56 WHERE x = 20 AND y = 5.0", "a point of its curves"},
    {"UPDATE point SET y = NULL WHERE x = 20 AND y = 5.0", "a point of its curves"},
    {"DELETE FROM point WHERE x = 20 AND y = 5.0", "a point of its curves"},
    {"INSERT INTO point SELECT document, pointer, 99, since, 1 FROM point LIMIT 1", "a point of its curves"},
    {"INSERT INTO point SELECT 4711, pointer, 99, since, 1 FROM point LIMIT 1", "revisions: document 4711 has points of change 2"},
    {"UPDATE pointer SET text = '/hourly_pricf' WHERE text = '/hourly_price'", "a point of its curves"},
    {"DELETE FROM pointer WHERE text = '/hourly_price'", "of point refer to pointer"},
    // revisions
    {"UPDATE revision SET hourly_price = 0.01 WHERE id = 'o2'", "offer o2, revision 1"},
    {"UPDATE revision SET region = 'us' WHERE id = 'o2'", "offer o2, revision 1"},
    {"UPDATE revision SET title = 'Gevice d' WHERE id = 'd'", "its title"},
    {"UPDATE revision SET search = 'gone' WHERE id = 'd'", "searches see another title"},
    {"UPDATE revision SET revision = 7 WHERE id = 'd'", "does not follow"},
    {"UPDATE revision SET until = 5 WHERE id = 'd'", "has no current revision"},
    {"UPDATE revision SET kind = 'site' WHERE id = 'd'", "with another name"},
    {"DELETE FROM revision WHERE id = 'o1' AND revision = 1", "does not follow"},
    {"DELETE FROM revision WHERE id = 'o7'", "what it wrote is not what is stored: a revision has changed, or is missing"},
    {"DELETE FROM revision WHERE id = 'o7'", "has points of change 2, which wrote no revision of it"},
    {"DELETE FROM document WHERE id = 'o39'", "references: 1 of revision refer to document"},
    {"UPDATE document SET id = 'other' WHERE id = 'd'", "another name"},
    // references
    {"DELETE FROM reference WHERE source = (SELECT document FROM document WHERE id = 'o7')", "a reference"},
    {"UPDATE reference SET target = 4711 WHERE source = (SELECT document FROM document WHERE id = 'o7')",
     "references: 1 of reference refer to document 4711, which isn't there"},
    // changes
    {"UPDATE change SET author = 'mallory' WHERE sequence = 3", "change 3 (save offer/o1): it does not follow"},
    {"UPDATE change SET address = '192.0.2.1' WHERE sequence = 3", "change 3"},
    {"UPDATE change SET recorded_at = recorded_at + 777777 WHERE sequence = 3", "change 3"},
    {"UPDATE change SET content = sha256('other') WHERE sequence = 3", "change 3"},
    {"UPDATE change SET link = NULL WHERE sequence = 3", "change 3 (save offer/o1): it does not follow"},
    {"DELETE FROM change WHERE sequence = 10", "a change before it is missing"},
    {"DELETE FROM change WHERE sequence = 1", "references: 1 of revision refer to change 1, which isn't there"},
    {"DELETE FROM change WHERE sequence = 2", "references: 40 of revision refer to change 2, which isn't there"},
    // keys, results
    {"UPDATE api_key SET role = 'admin'", "change 8 (add_key ci): what it wrote"},
    {"DELETE FROM api_key", "references: 2 of api_secret refer to api_key ci, which isn't there"},
    {"UPDATE result SET npv = 1", "results: result 1"},
    {"UPDATE result SET carbon_kg = 0", "results: result 1"},
    {"UPDATE result SET feasible = 1", "results: result 1"},
    {"UPDATE result SET number = 2", "the one before is missing"},
    {"UPDATE result_body SET packed = 'nothing'", "results: result 1"},
    {"DELETE FROM result_body", "references: 1 of result refer to result_body 1, which isn't there"},
    {"DELETE FROM run", "of result refer to run 1, which isn't there"},
};
INSTANTIATE_TEST_SUITE_P(Rows, PostgresDamage, ::testing::ValuesIn(kDamages));

// The first thousand documents are a page.
TEST(PostgresCheck, FindsWhatIsBehindAGapOfDocuments) {
    SampleStore sample;
    std::vector<Record> devices;
    for (int i = 0; i < 1002; ++i) {
        devices.push_back(device("d" + std::to_string(i)));
    }
    ASSERT_EQ(sample.store.save_all(kAlice, devices).index(), 0U);
    const auto side = sample.side();
    side->execute("SET session_replication_role = replica; DELETE FROM revision WHERE document <= 1000; "
                  "UPDATE revision SET title = 'another' WHERE document = 1002");
    EXPECT_NE(problems_of(check_of(sample.settings.path)).find("(change 1): it is not what was stored"), std::string::npos);
}

} // namespace
} // namespace costcurve::storage::test
