// Decodes each document as PUT does; what needs the stored documents (a scenario's cross-field rules) waits for its evaluation.
#include "server/documents/document_files.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/documents/decode.hpp"
#include "server/documents/decoder.hpp"
#include "server/documents/given_documents.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/documents/records.hpp"
#include "server/documents/references.hpp"
#include "server/documents/renamed.hpp"
#include "server/documents/rules.hpp"

namespace costcurve::documents {

namespace {

using model::Code;

std::optional<storage::Kind> kind_of_plural(std::string_view plural) {
    const auto found = std::find_if(storage::kind_names.begin(), storage::kind_names.end(),
                                    [&](std::string_view name) { return plural == storage::plural_of(name); });
    return found == storage::kind_names.end() ? std::nullopt
                                              : std::optional(static_cast<storage::Kind>(found - storage::kind_names.begin()));
}

void read_list(storage::Kind kind, const JsonValue& list, const std::string& pointer, std::vector<storage::Record>& records,
               model::Failure& issues) {
    if (!list.is_array()) {
        issues.push_back(
            {pointer, Code::wrong_type, fmt::format("a list of {} is needed here", storage::plural_of(storage::name_of(kind)))});
        return;
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string at = fmt::format("{}/{}", pointer, i);
        Decoded<AnyDocument> decoded = decode_document(kind, list[i], at);
        const std::string id = std::visit([](const auto& document) { return document.id; }, decoded.document);
        if (id.empty()) {
            decoded.issues.push_back({at + "/id", Code::missing, "a document that is stored needs an id"});
        }
        for (model::Issue& issue : check_rules(decoded.document)) {
            issue.pointer.insert(0, at);
            decoded.issues.push_back(std::move(issue));
        }
        if (decoded.issues.empty()) {
            records.push_back(encode_record(std::move(decoded.document), id));
        }
        issues.add_all(decoded.issues);
    }
}

} // namespace

model::Failure DocumentImport::read(std::string_view text, std::string_view name) {
    const auto parsed = parse(text);
    if (!parsed) {
        return {{"", Code::bad_format, parsed.error().message}};
    }
    const JsonValue& documents = **parsed;
    model::Failure issues;
    if (documents.is_array()) {
        const std::optional<storage::Kind> kind = kind_of_plural(name);
        if (!kind) {
            return {{"", Code::unknown_value,
                     fmt::format("a list must come from a file named after its kind, such as devices.json, "
                                 "not {}.json",
                                 shortened(name, 60))}};
        }
        read_list(*kind, documents, "", records_, issues);
        return issues;
    }
    if (!documents.is_object()) {
        return {{"", Code::wrong_type, "give {\"devices\": […], \"offers\": […], …}, or a list of documents"}};
    }
    for (const auto& [plural, list] : documents.members()) {
        if (const std::optional<storage::Kind> kind = kind_of_plural(plural)) {
            read_list(*kind, list, join_pointer("", plural), records_, issues);
        } else {
            issues.push_back({join_pointer("", plural), Code::unknown_field, "no kind of document has this name"});
        }
    }
    return issues;
}

void DocumentImport::put_references(const storage::DocumentStore& store) {
    std::map<storage::DocumentKey, const storage::Record*> here;
    for (const storage::Record& record : records_) {
        here.emplace(record.key, &record);
    }
    const std::unique_ptr<storage::Snapshot> snapshot = store.snapshot();
    Source source([&](const storage::DocumentKey& key) -> std::optional<storage::Revision> {
        const auto found = here.find(key);
        if (found == here.end()) {
            return snapshot->load(key);
        }
        storage::Revision revision;
        revision.record = *found->second;
        return revision;
    });
    for (storage::Record& record : records_) {
        if (record.key.kind == storage::Kind::scenario) {
            storage::Revision revision;
            revision.record = record;
            AnyDocument document = decode_revision(revision);
            documents::put_references(std::get<model::ScenarioDocument>(document), source);
            record = encode_record(std::move(document), record.key.id);
        }
    }
}

namespace {

model::Result<std::set<storage::DocumentKey>> keys_of(const std::vector<storage::Record>& records) {
    std::set<storage::DocumentKey> seen;
    for (const storage::Record& record : records) {
        if (!seen.insert(record.key).second) {
            return tl::unexpected(model::Failure{
                {"", Code::duplicate,
                 fmt::format("{} {} stands twice in these files", storage::name_of(record.key.kind), record.key.id)}});
        }
    }
    return seen;
}

ImportCounts counts_of(const std::vector<storage::Saved>& outcome) {
    ImportCounts counts;
    for (const storage::Saved& saved : outcome) {
        using What = storage::Saved::What;
        ++(saved.what == What::added ? counts.added : saved.what == What::changed ? counts.changed : counts.unchanged);
    }
    return counts;
}

} // namespace

model::Result<ImportCounts> DocumentImport::save(storage::DocumentStore& store, const storage::Author& author,
                                                 std::string_view source,
                                                 const std::function<storage::FeedEnd(const ImportCounts& counts)>& end_run,
                                                 const Restated& restated) {
    model::Result<std::set<storage::DocumentKey>> seen = keys_of(records_);
    if (!seen) {
        return tl::unexpected(std::move(seen.error()));
    }
    {
        const std::unique_ptr<storage::Snapshot> snapshot = store.snapshot();
        for (storage::Record& record : records_) {
            rename_references(record.references, [&](const storage::DocumentKey& key) {
                return seen->contains(key) || snapshot->load(key).has_value();
            });
        }
    }
    storage::SaveOptions options;
    options.action = "import";
    options.subject = fmt::format("{} documents{}{}", records_.size(), source.empty() ? "" : " of json: ", source);
    std::string lines;
    if (restated) {
        options.merge = [&](const storage::Record& stored, const storage::Record& given) {
            lines += lines.size() < kMaxRestated ? restated(stored, given) : "";
            return given;
        };
        options.restart = [&] { lines.clear(); };
    }
    if (end_run) {
        options.end_feed = [&](const std::vector<storage::Saved>& saved) {
            ImportCounts counts = counts_of(saved);
            counts.restated = lines;
            return end_run(counts);
        };
    }
    const auto outcome = store.save_all(author, records_, options);
    if (const auto* const missing = std::get_if<storage::MissingReferences>(&outcome)) {
        model::Failure issues;
        for (const storage::DocumentKey& key : missing->missing) {
            issues.push_back(
                {"", Code::unknown_reference,
                 fmt::format("{} {} is referred to, and neither stored nor in these files", storage::name_of(key.kind), key.id)});
        }
        return tl::unexpected(std::move(issues));
    }
    return counts_of(std::get<std::vector<storage::Saved>>(outcome));
}

model::Result<std::unique_ptr<storage::Snapshot>> DocumentImport::snapshot() && {
    if (const auto seen = keys_of(records_); !seen) {
        return tl::unexpected(seen.error());
    }
    return make_snapshot(std::move(records_));
}

} // namespace costcurve::documents
