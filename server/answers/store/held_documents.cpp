// A line each: kind, version of the document format, canonical JSON with its points.
#include "server/answers/store/held_documents.hpp"

#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/documents/text.hpp"
#include "server/documents/decode.hpp"
#include "server/documents/encode.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/documents/records.hpp"
#include "server/documents/upgrades.hpp"

namespace costcurve::answers {

namespace {

std::string_view take_word(std::string_view& line) {
    const std::string_view word = line.substr(0, line.find(' '));
    line.remove_prefix(std::min(line.size(), word.size() + 1));
    return word;
}

// "" where the line was read.
std::string read_line(std::string_view line, imports::Report& report) {
    const auto kind = model::value_of<storage::Kind>(take_word(line));
    const auto encoding = model::read_number<int>(take_word(line));
    const auto parsed = parse_json(line);
    if (!kind || !encoding || !parsed || *encoding > documents::kEncoding) {
        return "a newer version of costcurve wrote it; run that version";
    }
    nlohmann::json tree = *parsed;
    if (*encoding < documents::kEncoding) {
        documents::upgrade(tree, *kind, *encoding);
    }
    auto decoded = documents::decode_document(*kind, tree, "", documents::Reading::stored);
    if (!decoded.issues.empty()) {
        return fmt::format("{} {}", decoded.issues.front().pointer, decoded.issues.front().message);
    }
    std::visit(
        [&]<class T>(T& document) {
            if constexpr (std::is_constructible_v<imports::Document, T&&>) {
                report.add(imports::Document(std::move(document)));
            }
        },
        decoded.document);
    return "";
}

imports::HardError read_held(imports::Bytes& bytes, const imports::Options& /*options*/, imports::Report& report) {
    const std::optional<std::string> text = bytes.whole();
    if (!text) {
        return bytes.error();
    }
    for (std::string_view rest = *text; !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        ++report.rows;
        if (const std::string wrong = read_line(line, report); !wrong.empty()) {
            return model::Issue{"", model::Code::bad_format, fmt::format("document {} that is held: {}", report.rows, wrong)};
        }
    }
    return std::nullopt;
}

} // namespace

std::string encode_held(std::span<const storage::Record> records) {
    std::string text;
    for (const storage::Record& record : records) {
        text += fmt::format("{} {} {}\n", storage::name_of(record.key.kind), documents::kEncoding,
                            documents::encode_canonical(documents::document_of(record)));
    }
    return text;
}

const imports::Format& held_format() {
    static constexpr imports::Format kFormat{"held", "what a feed holds back", "", "", read_held, nullptr};
    return kFormat;
}

} // namespace costcurve::answers
