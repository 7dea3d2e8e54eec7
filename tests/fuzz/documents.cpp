// Any text as a document of each kind: it is refused with issues that can be shown, or its encoding decodes to itself.
//
// The first byte chooses the kind (`fuzz_documents --kinds` prints them). Half of the mutations change a value somewhere in the
// JSON, so that they get past the parser.
#include <cstring>
#include <random>

#include <nlohmann/json.hpp>

#include "model/documents/automation.hpp"
#include "model/documents/fields.hpp"
#include "model/documents/walk.hpp"
#include "model/scenario.hpp"
#include "server/documents/decode.hpp"
#include "server/documents/encode.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/documents/rules.hpp"
#include "server/import/text/utf8.hpp"
#include "tests/fuzz/expect.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most); // NOLINT: libFuzzer's name

namespace costcurve::documents {
namespace {

using fuzz::expect;
using nlohmann::json;

storage::Kind kind_by(std::uint8_t byte) { return static_cast<storage::Kind>(byte % storage::kind_names.size()); }

void check_issues(const model::Failure& issues) {
    for (const model::Issue& issue : issues) {
        expect(issue.pointer.empty() || issue.pointer.starts_with('/'), "a pointer is none");
        expect(!issue.message.empty() && issue.message.size() < 2000, "an issue has no message");
        expect(imports::is_utf8(issue.pointer) && imports::is_utf8(issue.message), "an issue is not UTF-8");
    }
}

// What is longer than the fast parser takes is read by the other one: both must agree.
void check_parsers(std::string_view text, const tl::expected<json, JsonError>& parsed) {
    constexpr std::size_t kBeyondTheFastParser = 1U << 18U;
    if (text.size() % 64 != 0) { // it is slow
        return;
    }
    const auto slow = parse_json(std::string(text) + std::string(kBeyondTheFastParser, ' '));
    expect(slow.has_value() == parsed.has_value(), "the two parsers do not take the same texts");
    expect(!slow || *slow == *parsed, "the two parsers read a text differently");
}

void check_document(storage::Kind kind, const json& value) {
    const Decoded<documents::AnyDocument> decoded = decode_document(kind, value);
    check_issues(decoded.issues);
    if (!decoded.issues.empty()) {
        return;
    }
    check_issues(check_rules(decoded.document));
    const std::string text = encode_document(decoded.document);
    const auto parsed = parse_json(text);
    expect(parsed.has_value(), "an encoded document is not JSON");
    json again = *parsed;
    if (kind == storage::Kind::webhook) { // its secret is in no answer, and a document from outside has one
        again["secret"] = "sixteen bytes, or more";
    }
    const Decoded<documents::AnyDocument> same = decode_document(kind, again);
    expect(same.issues.empty(), same.issues.empty() ? "" : (same.issues[0].pointer + ": " + same.issues[0].message).c_str());
    expect(encode_document(same.document) == text, "a document does not come back as it was");
    const auto canonical = parse_json(encode_canonical(decoded.document));
    expect(canonical.has_value(), "a canonical text is not JSON");
    const Decoded<documents::AnyDocument> stored = decode_document(kind, *canonical, "", documents::Reading::stored);
    expect(stored.issues.empty(), "a canonical text can't be read");
    expect(encode_document(stored.document) == text, "a document does not come back from its canonical text");
}

bool has_references(const model::ScenarioDocument& scenario) {
    bool found = false;
    std::string pointer;
    model::walk(scenario, pointer, {},
                [&]<class T>(const T& document, const std::string& /*where*/, const model::FieldSpec& /*spec*/) {
                    if constexpr (model::is_stored<T>) {
                        found = found || document.stored.is_reference;
                    }
                });
    return found;
}

// Documents are in the place of their references before a scenario is made.
void check_scenario(const json& value) {
    Decoded<model::ScenarioDocument> decoded = decode_scenario(value, "/scenario");
    check_issues(decoded.issues);
    if (decoded.issues.empty() && !has_references(decoded.document)) {
        const auto scenario = model::make_scenario(std::move(decoded.document));
        if (!scenario) {
            check_issues(scenario.error());
        }
    }
}

// ---- mutations that stay JSON ----

std::vector<json*> places(json& root) {
    std::vector<json*> all = {&root};
    for (std::size_t i = 0; i < all.size() && all.size() < 2000; ++i) {
        if (all[i]->is_structured()) {
            for (json& entry : *all[i]) {
                all.push_back(&entry);
            }
        }
    }
    return all;
}

// Names of the kind's own fields and choices.
template <class T> void add_words(std::vector<std::string>& words) {
    if constexpr (model::has_fields<T>) {
        model::for_each_field<T>([&]<class Of, class M>(const model::Field<Of, M>& field) {
            words.emplace_back(field.name);
            if constexpr (std::is_enum_v<M>) {
                words.insert(words.end(), model::enum_names<M>.begin(), model::enum_names<M>.end());
            }
        });
    }
}
template <class... All> std::vector<std::string> words_of(const std::variant<All...>* /*type*/) {
    std::vector<std::string> words = {"points", "2026-01-01", "2026-01", "kind", "a.b", "", "all", "changed", "* * * * *", "UTC"};
    (add_words<All>(words), ...);
    add_words<model::Workload>(words);
    add_words<model::Pool>(words);
    add_words<model::Finance>(words);
    return words;
}
const std::vector<std::string>& words() {
    static const std::vector<std::string> all = words_of(static_cast<const documents::AnyDocument*>(nullptr));
    return all;
}

class Mutation {
public:
    explicit Mutation(unsigned seed) : random_(seed) {}

    void change(json& root) {
        std::vector<json*> all = places(root);
        json& place = *all[below(all.size())];
        switch (below(6)) {
        case 0:
            place = json(*all[below(all.size())]); // of another place
            break;
        case 1:
            if (place.is_object() && !place.empty()) {
                place.erase(std::next(place.begin(), static_cast<std::ptrdiff_t>(below(place.size()))));
            }
            break;
        case 2:
            if (place.is_object()) {
                place[word()] = value();
            } else if (place.is_array()) {
                place.push_back(value());
            }
            break;
        case 3:
            if (place.is_array() && place.size() < 100) {
                const json twice = place;
                place.insert(place.end(), twice.begin(), twice.end());
            }
            break;
        default:
            place = value();
        }
    }

private:
    std::size_t below(std::size_t count) { return count == 0 ? 0 : random_() % count; }
    const std::string& word() { return words()[below(words().size())]; }
    json value() {
        static const json kValues = json::parse(
            R"([0, -0.0, 1, -1, 0.1, 1e-320, 1e15, 1e300, 9007199254740993, 18446744073709551615, -9223372036854775808, 1e3, 2.5,
                true, false, null, "", [], {}, [[0, 1]], [[0, 1], [1, 2]], [["2026-01-01", 1]], "a", "\u0000", "\u00e9\ud83d\ude00",
                {"kind": "price", "axis": "date", "points": [["2026-01-01", 1]]}, {"input": 1, "output": 2}, {"id": "a"}])");
        return below(3) == 0 ? json(word()) : kValues[below(kValues.size())];
    }
    std::minstd_rand random_;
};

std::size_t mutate(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
    if (size > 1 && seed % 4 != 0) {
        if (auto root = parse_json(fuzz::text_of(data + 1, size - 1))) {
            Mutation mutation(seed);
            mutation.change(*root);
            const std::string text = root->dump(-1, ' ', false, json::error_handler_t::replace);
            if (text.size() + 1 <= most) {
                std::memcpy(data + 1, text.data(), text.size());
                return text.size() + 1;
            }
        }
    }
    return LLVMFuzzerMutate(data, size, most);
}

} // namespace
} // namespace costcurve::documents

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) { // NOLINT
    return costcurve::documents::mutate(data, size, most, seed);
}

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) { // NOLINT: libFuzzer's name
    if (*argc > 1 && std::strcmp((*argv)[1], "--kinds") == 0) {
        for (std::size_t i = 0; i < costcurve::storage::kind_names.size(); ++i) {
            std::printf("%zu %s\n", i, std::string(costcurve::storage::kind_names[i]).c_str());
        }
        std::exit(0);
    }
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { // NOLINT: libFuzzer's name
    using namespace costcurve::documents;
    if (size == 0) {
        return 0;
    }
    const std::string_view text = costcurve::fuzz::text_of(data + 1, size - 1);
    const auto parsed = costcurve::parse_json(text);
    check_parsers(text, parsed);
    if (!parsed) {
        expect(!parsed.error().message.empty() && costcurve::imports::is_utf8(parsed.error().message), "an error is no sentence");
        return 0;
    }
    const costcurve::storage::Kind kind = kind_by(data[0]);
    check_document(kind, *parsed);
    if (kind == costcurve::storage::Kind::scenario) {
        check_scenario(*parsed);
    }
    return 0;
}
