#include "tests/import/reading.hpp"

#include <filesystem>

#include <nlohmann/json.hpp>

#include "server/documents/decode.hpp"
#include "server/documents/encode.hpp"
#include "server/documents/rules.hpp"
#include "tests/support/source_folder.hpp"

namespace costcurve::imports {

namespace {

const std::filesystem::path kRoot = tests::source_folder();
const std::filesystem::path kCases = kRoot.parent_path() / "shared" / "cases" / "public-3";
const std::filesystem::path kShared = kRoot.parent_path() / "shared" / "data";

// A document goes through its encoding and back, as it does on its way into the store.
void expect_valid(const Document& document) {
    const documents::AnyDocument any = std::visit([](const auto& one) { return documents::AnyDocument(one); }, document);
    const std::string text = documents::encode_document(any);
    const auto kind = static_cast<storage::Kind>(any.index());
    const auto decoded = documents::decode_document(kind, nlohmann::json::parse(text));
    model::Failure issues = decoded.issues;
    const model::Failure rules = documents::check_rules(decoded.document);
    issues.add_all(rules);
    for (const model::Issue& issue : issues) {
        ADD_FAILURE() << issue.pointer << " " << issue.message << " in " << text.substr(0, 600);
    }
    EXPECT_FALSE(std::visit([](const auto& one) { return one.id.empty(); }, document)) << "no id: " << text.substr(0, 300);
}

std::string content_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    EXPECT_TRUE(file.good()) << path;
    return {std::istreambuf_iterator<char>(file), {}};
}

Reading read(std::string_view name, const std::vector<NamedText>& files, Options options) {
    Reading reading;
    const Format* const format = find_format(name);
    if (format == nullptr) {
        ADD_FAILURE() << "no format " << name;
        return reading;
    }
    for (const model::Issue& issue : check_options(*format, options)) {
        ADD_FAILURE() << issue.pointer << " " << issue.message;
    }
    reading.report.on_document = [&](Document document) { reading.documents.push_back(std::move(document)); };
    reading.report.on_bill_line = [&](const BillLine& line) { reading.bill.push_back(line); };
    reading.report.on_sample = [&](const Sample& sample) { reading.samples.push_back(sample); };
    if (format->read_set != nullptr) {
        reading.error = read_files(*format, files, options, reading.report);
    }
    for (std::size_t i = 0; format->read != nullptr && i < files.size() && !reading.error; ++i) {
        options.name = files[i].name;
        // In blocks of odd sizes, so that every importer meets records that cross them.
        Bytes bytes([text = std::string_view(files[i].text), size = std::size_t{1}]() mutable {
            const std::string_view block = text.substr(0, size);
            text.remove_prefix(block.size());
            size = size % 4096 * 3 + 1;
            return block;
        });
        reading.error = read_file(*format, bytes, options, reading.report);
    }
    for (const Document& document : reading.documents) {
        expect_valid(document);
    }
    return reading;
}

} // namespace

Reading read_text(std::string_view format, std::string_view text, const Options& options) {
    return read(format, {{options.name, std::string(text)}}, options);
}

Reading read_fixture(std::string_view format, const std::string& name, const Options& options) {
    return read_fixtures(format, {name}, options);
}

Reading read_fixtures(std::string_view format, const std::vector<std::string>& names, const Options& options) {
    std::vector<NamedText> files;
    for (const std::string& name : names) {
        files.push_back({name, content_of(kRoot / "tests" / "import" / "files" / name)});
    }
    return read(format, files, options);
}

Reading read_set(std::string_view format, const std::vector<NamedText>& files, const Options& options) {
    return read(format, files, options);
}

bool has_shared() { return std::filesystem::exists(kShared); }

bool has_case(const std::string& name) { return std::filesystem::exists(kCases / name); }

Reading read_cases(std::string_view format, const std::vector<std::string>& names, const Options& options) {
    std::vector<NamedText> files;
    for (const std::string& name : names) {
        files.push_back({name, content_of(kCases / name)});
    }
    return read(format, files, options);
}

Reading read_shared(std::string_view format, const std::vector<std::string>& names, const Options& options) {
    std::vector<NamedText> files;
    for (const std::string& name : names) {
        files.push_back({std::filesystem::path(name).filename().string(), content_of(kShared / name)});
    }
    return read(format, files, options);
}

Reading read_mapped(const std::string& mapping, const std::string& table, const Options& options) {
    return read("columns",
                {{mapping, content_of(kRoot / "tests" / "import" / "files" / mapping)},
                 {std::filesystem::path(table).filename().string(), content_of(kShared / table)}},
                options);
}

} // namespace costcurve::imports
