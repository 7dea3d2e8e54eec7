// Tables as they occur: quoting, line ends, delimiters, encodings, and what is refused with its row.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "server/import/text/table.hpp"

namespace costcurve::imports {
namespace {

// The cells of all records, "|" between cells and "/" between records; the error's message behind "!".
std::string cells_of(std::string_view text, std::size_t block = 3) {
    Bytes bytes([text, block]() mutable {
        const std::string_view next = text.substr(0, block);
        text.remove_prefix(next.size());
        return next;
    });
    Table table(bytes);
    std::string all;
    const std::size_t columns = table.header().size();
    while (table.next()) {
        all += all.empty() ? "" : "/";
        all += std::to_string(table.row()) + ":";
        for (std::size_t i = 0; i < std::max(columns, table.width()); ++i) {
            all += (i == 0 ? "" : "|") + std::string(table.text({static_cast<int>(i)}));
        }
    }
    return table.error() ? all + "!" + table.error()->message : all;
}

TEST(Table, TwoColumnsOfOneNameAreAnErrorWhereTheyAreRead) {
    const auto error_of = [](std::string_view text) {
        Bytes bytes([text]() mutable { return std::exchange(text, std::string_view()); });
        Table table(bytes);
        const Column price = table.column("Price");
        EXPECT_TRUE(price);
        EXPECT_EQ(table.require({"Price"}), !table.error());
        return table.error() ? table.error()->message : "";
    };
    EXPECT_EQ(error_of("Price,Region,Price\n1,a,2\n"),
              "row 1: columns 1 and 3 are both named Price (Price); remove one, or name it differently");
    EXPECT_EQ(error_of("Region,Price,price\na,1,2\n"),
              "row 1: columns 2 and 3 are both named Price (price); remove one, or name it differently");
    EXPECT_EQ(error_of("Price,Note,Note\n1,a,b\n"), "") << "nobody reads the notes";
}

TEST(Table, ReadsWhatOccurs) {
    struct Row {
        const char* what;
        std::string text;
        std::string cells;
    };
    const Row rows[] = {
        {"LF", "a,b\n1,2\n3,4\n", "2:1|2/3:3|4"},
        {"CR LF, none at the end", "a,b\r\n1,2\r\n3,4", "2:1|2/3:3|4"},
        {"CR alone", "a,b\r1,2\r3,4\r", "2:1|2/3:3|4"},
        {"byte-order mark",
         "\xef\xbb\xbf"
         "a,b\n1,2\n",
         "2:1|2"},
        {"blank lines", "\n\na,b\n\n1,2\n\n", "5:1|2"},
        {"quotes, commas, doubled quotes", "a,b\n\"1,\"\"x\"\"\",2\n", "2:1,\"x\"|2"},
        {"a record on several lines", "a,b\n\"1\n1\",2\n3,4\n", "2:1\n1|2/3:3|4"},
        {"short and long records", "a,b\n1\n1,2,3\n", "2:1|/3:1|2|3"},
        {"tabs", "a\tb\n1\t2\n", "2:1|2"},
        {"a blank cell between tabs", "a\tb\tc\n1\t\t3\n", "2:1||3"},
        {"semicolons", "a;b\n1,5;2\n", "2:1,5|2"},
        {"spaces around cells", "a, b\n 1 , 2 \n", "2:1|2"},
        {"a quote inside a bare cell", "a,b\n1'2\"3,4\n", "2:1'2\"3|4"},
        {"header alone", "a,b\n", ""},
    };
    for (const Row& row : rows) {
        for (const std::size_t block : {std::size_t{1}, std::size_t{3}, std::size_t{4096}}) {
            EXPECT_EQ(cells_of(row.text, block), row.cells) << row.what << " in blocks of " << block;
        }
    }
}

TEST(Table, RefusesWhatItCannotRead) {
    struct Row {
        const char* what;
        std::string text;
        std::string error;
    };
    const Row rows[] = {
        {"nothing", "", "!the file is empty: a line of column names is needed"},
        {"a quote that is never closed", "a,b\n1,2\n\"3,4\n5,6\n", "2:1|2!row 3: a quote that opens here or above is never closed"},
        {"not UTF-8", "a,b\n1,2\nM\xfcnchen,4\n", "2:1|2!row 3: it is not UTF-8; save the file as UTF-8"},
        {"UTF-16",
         std::string("\xff\xfe"
                     "a\0,\0",
                     6),
         "!the file is in UTF-16; save it as UTF-8"},
        {"binary", std::string("a,b\n1,\0\n", 8),
         "!the file has zero bytes: it is binary, or in UTF-16 or UTF-32; save it as UTF-8 text"},
        {"gzip that isn't", std::string("\x1f\x8b\x08garbage and more of it"), "!the gzip file is damaged"},
        {"a gzip header alone", std::string("\x1f\x8b"), "!the gzip file is cut off"},
        {"too many columns", "a\n" + std::string(5000, ','), "!row 2: it has 5001 cells; allowed up to 4096"},
        {"a long cell", "a\n" + std::string((1U << 20U) + 9, 'x'),
         "!row 2: a cell is longer than 1048576 bytes; is a quote never closed?"},
    };
    for (const Row& row : rows) {
        for (const std::size_t block : {std::size_t{3}, std::size_t{4096}}) {
            EXPECT_EQ(cells_of(row.text, block), row.error) << row.what;
        }
    }
}

TEST(Table, FindsTheDelimiterBeyondAShortFirstBlock) { EXPECT_EQ(cells_of("length;width;height\n1,5;2;3\n", 3), "2:1,5|2|3"); }

TEST(Table, FindsColumnsByMeaningNotByPlace) {
    Bytes bytes(std::string_view("Spot_Price,instance type,Price (USD)\n1,2,3\n"));
    Table table(bytes);
    EXPECT_EQ(table.column("SpotPrice").index, 0);
    EXPECT_EQ(table.column({"SKU", "InstanceType"}).index, 1);
    EXPECT_EQ(table.column_that_begins("price").index, 2);
    EXPECT_FALSE(table.column("Region"));
}

TEST(Table, TakesTheDecimalMarkFromItsDelimiter) {
    Bytes semicolons(std::string_view("a;b\n1,234;0,590\n"));
    Table german(semicolons);
    const Column first = german.column("a");
    ASSERT_TRUE(german.next());
    EXPECT_EQ(german.number(first).value, 1.234);
    EXPECT_EQ(german.amount(first).value, 1.234);
    EXPECT_EQ(german.amount(german.column("b")).value, 0.59);
    Bytes commas(std::string_view("a,b\n\"1,234\",\"0,590\"\n"));
    Table unclear(commas);
    const Column same = unclear.column("a");
    ASSERT_TRUE(unclear.next());
    EXPECT_EQ(unclear.number(same).value, 1234);
    EXPECT_EQ(unclear.amount(same).state, Number::State::bad);
    EXPECT_EQ(unclear.shown(same), "1,234 (thousands or a decimal comma? write a decimal point, and no mark of thousands)");
    EXPECT_EQ(unclear.amount(unclear.column("b")).value, 0.59);
    EXPECT_EQ(unclear.shown(unclear.column("b")), "0,590");
}

TEST(Table, TakesAPointBetweenSemicolonsWhereItsColumnShowsIt) {
    Bytes bytes(std::string_view("a;b;c\n1.234;12.345;0.590\n9.876,5;3.5;41.000\n"));
    Table table(bytes);
    const std::array columns{table.column("a"), table.column("b"), table.column("c")};
    ASSERT_TRUE(table.next());
    EXPECT_EQ(table.number(columns[0]).state, Number::State::bad) << "thousands or not";
    EXPECT_EQ(table.shown(columns[0]), "1.234 (thousands or a decimal point? write a decimal comma, and no mark of thousands)");
    EXPECT_EQ(table.amount(columns[1]).value, 12.345);
    EXPECT_EQ(table.amount(columns[2]).value, 0.59);
    ASSERT_TRUE(table.next());
    EXPECT_EQ(table.number(columns[0]).value, 9876.5);
    EXPECT_EQ(table.amount(columns[2]).value, 41.0);
}

TEST(Table, RefusesTheSignOfAnotherCurrency) {
    Bytes bytes(std::string_view("price,tax\n€2.50,$1\n"));
    Table table(bytes);
    const Column price = table.column("price");
    const Column tax = table.column("tax");
    ASSERT_TRUE(table.next());
    struct Row {
        std::string_view currency;
        bool price;
        bool tax;
    };
    for (const Row& row :
         std::to_array<Row>({{"", false, true}, {"USD", false, true}, {"CAD", false, true}, {"EUR", true, false}})) {
        table.set_currency(row.currency);
        EXPECT_EQ(static_cast<bool>(table.amount(price)), row.price) << row.currency;
        EXPECT_EQ(static_cast<bool>(table.number(tax)), row.tax) << row.currency;
    }
    EXPECT_NE(table.shown(tax).find("its sign is of another currency"), std::string::npos);
}

TEST(Table, NamesAllMissingColumns) {
    Bytes bytes(std::string_view("a,b\n1,2\n"));
    Table table(bytes);
    EXPECT_FALSE(table.require({"a", "Price", "Region"}));
    EXPECT_EQ(table.error()->message, "row 1: the header has no column named Price, Region");
    EXPECT_EQ(table.error()->code, model::Code::missing);
    EXPECT_FALSE(table.next());
}

} // namespace
} // namespace costcurve::imports
