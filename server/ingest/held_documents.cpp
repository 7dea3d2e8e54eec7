// What a run holds back, as text, a line each: kind, encoding and canonical JSON; or "bill_line", its version and fields.
#include "server/ingest/held_documents.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
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
#include "server/storage/timestamp.hpp"

namespace costcurve::ingest {

namespace {

std::string_view take_word(std::string_view& line) {
    const std::string_view word = line.substr(0, line.find(' '));
    line.remove_prefix(std::min(line.size(), word.size() + 1));
    return word;
}

constexpr std::string_view kBillLine = "bill_line";
constexpr int kBillEncoding = 1;
constexpr std::string_view kNewer = "a newer version of costcurve wrote it; run that version";

// What is "" or 0 is left out.
std::string encode_bill_line(const BillLine& line) {
    nlohmann::json object{{"day", line.day}};
    for (const auto& [name, member] : kBillNames) {
        if (!(line.*member).empty()) {
            object[std::string(name)] = line.*member;
        }
    }
    for (const auto& [name, member] : kBillFigures) {
        if (line.*member != 0.0) {
            object[std::string(name)] = line.*member;
        }
    }
    return fmt::format("{} {} {}\n", kBillLine, kBillEncoding,
                       object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::string read_bill_line(std::string_view line, imports::Report& report) {
    const auto encoding = model::read_number<int>(take_word(line));
    const auto parsed = parse_json(line);
    if (!encoding || *encoding > kBillEncoding || !parsed || !parsed->is_object()) {
        return std::string(kNewer);
    }
    const nlohmann::json& object = *parsed;
    BillLine read;
    read.day = object.value("day", std::int64_t{0});
    for (const auto& [name, member] : kBillNames) {
        read.*member = object.value(name, std::string());
    }
    for (const auto& [name, member] : kBillFigures) {
        read.*member = object.value(name, 0.0);
    }
    report.add(read);
    return "";
}

// "" where the line was read.
std::string read_line(std::string_view line, imports::Report& report) {
    const std::string_view word = take_word(line);
    if (word == kBillLine) {
        return read_bill_line(line, report);
    }
    const auto kind = model::value_of<storage::Kind>(word);
    const auto encoding = model::read_number<int>(take_word(line));
    const auto parsed = parse_json(line);
    if (!kind || !encoding || !parsed || *encoding > documents::kEncoding) {
        return std::string(kNewer);
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

double today(const storage::DocumentStore& store) {
    return std::floor(static_cast<double>(store.now()) / storage::kMicrosecondsPerDay);
}

// Adds those that are not held for another reason.
void hold_disputed(const std::map<storage::DocumentKey, Dispute>& disputed, PriceJudgement& judgement) {
    for (const auto& [key, dispute] : disputed) {
        if (key.kind == storage::Kind::offer) {
            const auto at = std::ranges::lower_bound(judgement.held, key.id, std::less<>(), &HeldOffer::offer);
            if (at == judgement.held.end() || at->offer != key.id) {
                judgement.held.insert(at, {key.id, dispute.price, dispute.reason});
            }
        } else if (std::ranges::find(judgement.documents, key.id, &HeldDocument::id) == judgement.documents.end()) {
            judgement.documents.push_back({key.kind, key.id, dispute.reason});
        }
    }
}

} // namespace

std::vector<model::Offer> plausible_offers(const storage::Store& store, std::vector<model::Offer>&& offers, HeldBack& held) {
    PriceGuard guard;
    for (const model::Offer& offer : offers) {
        guard.add(offer);
    }
    std::set<std::string> ids;
    for (HeldOffer& offer : guard.judge(store, today(store)).held) {
        ids.insert(offer.offer);
        held.judgement.held.push_back(std::move(offer));
    }
    std::vector<storage::Record> records;
    for (const model::Offer& offer : offers) {
        if (ids.contains(offer.id)) {
            records.push_back(documents::encode_record(offer, offer.id));
        }
    }
    held.count += records.size();
    held.documents += encode_held(records);
    std::erase_if(offers, [&](const model::Offer& offer) { return ids.contains(offer.id); });
    return std::move(offers);
}

HeldBack hold_back(const storage::Store& store, DocumentMerge& merge) {
    PriceGuard guard;
    merge.for_each([&](const storage::Record& record) {
        std::visit(
            [&]<class T>(const T& document) {
                if constexpr (requires { guard.add(document); }) {
                    guard.add(document);
                }
            },
            documents::document_of(record));
    });
    HeldBack held;
    held.judgement = guard.judge(store, today(store));
    hold_disputed(merge.disputed(), held.judgement);
    std::set<storage::DocumentKey> keys;
    for (const HeldOffer& offer : held.judgement.held) {
        keys.insert({storage::Kind::offer, offer.offer});
    }
    for (const HeldDocument& document : held.judgement.documents) {
        keys.insert({document.kind, document.id});
    }
    const bool is_whole = !held.judgement.problem.empty();
    if (is_whole || !keys.empty()) {
        const std::vector<storage::Record> taken =
            merge.take([&](const storage::Record& record) { return is_whole || keys.contains(record.key); });
        held.count = taken.size();
        held.documents = encode_held(taken);
    }
    return held;
}

std::string encode_held(std::span<const storage::Record> records) {
    std::string text;
    for (const storage::Record& record : records) {
        text += fmt::format("{} {} {}\n", storage::name_of(record.key.kind), documents::kEncoding,
                            documents::encode_canonical(documents::document_of(record)));
    }
    return text;
}

std::string encode_held(std::span<const BillLine> lines) {
    std::string text;
    for (const BillLine& line : lines) {
        text += encode_bill_line(line);
    }
    return text;
}

const imports::Format& held_format() {
    static constexpr imports::Format kFormat{"held", "what a run holds back", "", "", read_held, nullptr};
    return kFormat;
}

} // namespace costcurve::ingest
