// What the tests of importers share: a text is read as a format, and what came out is looked at.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "server/import/importer.hpp"

namespace costcurve::imports {

/// All that one reading gave.
struct Reading {
    std::vector<Document> documents;
    std::vector<BillLine> bill;
    std::vector<Sample> samples;
    Report report;
    HardError error;
    /// The document of a type and id; null where there is none.
    template <class T> [[nodiscard]] const T* find(std::string_view id) const {
        for (const Document& document : documents) {
            const T* const found = std::get_if<T>(&document);
            if (found != nullptr && found->id == id) {
                return found;
            }
        }
        return nullptr;
    }
    /// How many documents of a type there are.
    template <class T> [[nodiscard]] std::size_t count() const {
        std::size_t found = 0;
        for (const Document& document : documents) {
            found += std::holds_alternative<T>(document) ? 1U : 0U;
        }
        return found;
    }
};

/// Every document that `read` gave is checked as PUT would check it; complaints of that are failures of the test.
[[nodiscard]] Reading read_text(std::string_view format, std::string_view text, const Options& options = {});
/// A file of tests/import/files.
[[nodiscard]] Reading read_fixture(std::string_view format, const std::string& name, const Options& options = {});
/// A set of files of tests/import/files.
[[nodiscard]] Reading read_fixtures(std::string_view format, const std::vector<std::string>& names, const Options& options = {});
/// Texts as the files of a set, under their names.
[[nodiscard]] Reading read_set(std::string_view format, const std::vector<NamedText>& files, const Options& options = {});
/// Files of ../shared/data. The test must have called `has_shared` before.
[[nodiscard]] Reading read_shared(std::string_view format, const std::vector<std::string>& names, const Options& options = {});
/// A table of ../shared/data by a mapping of tests/import/files. The test must have called `has_shared` before.
[[nodiscard]] Reading read_mapped(const std::string& mapping, const std::string& table, const Options& options = {});
[[nodiscard]] bool has_shared();
/// Files of ../shared/cases/public-3, small inputs that were read wrongly once; the test must have called `has_case` before.
[[nodiscard]] Reading read_cases(std::string_view format, const std::vector<std::string>& names, const Options& options = {});
[[nodiscard]] bool has_case(const std::string& name);
#define SKIP_WITHOUT_CASE(name)                                                                                                    \
    if (!has_case(name)) {                                                                                                         \
        GTEST_SKIP() << "../shared/cases/public-3/" << (name) << " is not here";                                                   \
    }
/// The first line of a test that needs the real files.
#define SKIP_WITHOUT_SHARED()                                                                                                      \
    if (!has_shared()) {                                                                                                           \
        GTEST_SKIP() << "../shared/data is not here: the real files are not read";                                                 \
    }

} // namespace costcurve::imports
