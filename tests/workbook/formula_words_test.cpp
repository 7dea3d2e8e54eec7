#include "server/answers/workbook/formula_words.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "server/answers/workbook/sheets.hpp"

namespace costcurve::answers {
namespace {

struct WordsRow {
    std::string words;
    std::string formula; ///< "": none
    double value;        ///< where a is 2, b 3 and c 5
};

double value_of_name(const std::string& name) { return name == "a" ? 2.0 : name == "b" ? 3.0 : 5.0; }

TEST(FormulaWords, AreReadAsArithmeticOrNotAtAll) {
    const std::vector<WordsRow> rows = {
        {"a", "a", 2},
        {"1 − a", "1-a", -1},
        {"−a × b", "(-a)*b", -6},
        {"a − b − c", "(a-b)-c", -6},
        {"a / b / c", "(a/b)/c", 2.0 / 15},
        {"a + b × c", "a+(b*c)", 17},
        {"(a + b) × c", "(a+b)*c", 25},
        {"a ^ b ^ a", "a^(b^a)", 512},
        {"−a^b", "-(a^b)", -8},
        {"a / 10^6", "a/(10^6)", 2e-6},
        {"c × (1 − 0.5) × (1 + 0.25)^(a/12)", "(c*(1-0.5))*((1+0.25)^(a/12))", 2.5 * std::pow(1.25, 1.0 / 6)},
        {"Σ hours × instances", "", 0},
        {"as stated", "", 0},
        {"max(a, b)", "", 0},
        {"a ×", "", 0},
        {"(a", "", 0},
        {"a)", "", 0},
        {"", "", 0},
        {std::string(100, '('), "", 0},
    };
    for (const WordsRow& row : rows) {
        const std::optional<Expression> read = parse_formula(row.words);
        ASSERT_EQ(read.has_value(), !row.formula.empty()) << row.words;
        if (read) {
            EXPECT_EQ(cell_formula(*read, [](const std::string& name) { return name; }), row.formula) << row.words;
            EXPECT_DOUBLE_EQ(value_of(*read, value_of_name), row.value) << row.words;
        }
    }
}

TEST(FormulaWords, NumbersReadBackAsTheSame) {
    EXPECT_EQ(cell_number(0.1), "0.1");
    EXPECT_EQ(cell_number(-0.5), "(-0.5)");
    EXPECT_EQ(cell_number(3e-7), "3E-07");
}

TEST(Sheets, CellsAreCalledAsSpreadsheetsCallThem) {
    EXPECT_EQ(cell_address(0, 0), "A1");
    EXPECT_EQ(cell_address(9, 25), "Z10");
    EXPECT_EQ(cell_address(9, 26, true), "$AA$10");
    EXPECT_EQ(column_letters(701), "ZZ");
    EXPECT_EQ(column_letters(702), "AAA");
}

TEST(Sheets, ASumHasAsManyArgumentsAsAFunctionMay) {
    EXPECT_EQ(sum_formula({}), "=0");
    EXPECT_EQ(sum_formula({"A1", "B2"}), "=SUM(A1,B2)");
    const std::string formula = sum_formula(std::vector<std::string>(kMaxArguments + 1, "A1"));
    EXPECT_TRUE(formula.ends_with(",A1)+SUM(A1)"));
}

TEST(Sheets, AWorkbookIsTheSameBytesAndTakesAnyText) {
    const auto made = [] {
        Workbook workbook("=title", "EUR");
        Sheet sheet = workbook.add_sheet("One");
        sheet.text(0, 0, std::string(100'000, 'x'));
        sheet.text(1, 0, std::string("=1+1\0\x01", 6));
        sheet.formula(2, 0, "=" + std::string(kMaxFormulaCharacters, '1'), 7.0);
        sheet.month(3, 0, 2027, 3);
        workbook.define_name("a_name", "One!$A$3");
        return workbook.finish();
    };
    const std::string first = made();
    EXPECT_EQ(first.substr(0, 2), "PK");
    EXPECT_LT(first.size(), 20'000U);
    EXPECT_EQ(first, made());
}

TEST(Sheets, MoreThanASheetHoldsIsRefused) {
    Workbook workbook("", "EUR");
    Sheet sheet = workbook.add_sheet("One");
    EXPECT_THROW(sheet.number(kMaxSheetRows, 0, 1.0), std::runtime_error);
    EXPECT_THROW((void)workbook.add_sheet("a name of more than 31 characters"), std::runtime_error);
    EXPECT_THROW((void)workbook.add_sheet("a/b"), std::runtime_error);
}

} // namespace
} // namespace costcurve::answers
