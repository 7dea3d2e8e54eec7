// Files to rows, and an audit as it is answered.
#include "server/answers/rates/rate_audit.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/documents/decode.hpp"

namespace costcurve::answers {

using model::Code;

model::Result<RateFacts> read_rate_facts(std::string_view architectures, std::string_view links, std::string_view devices) {
    RateFacts facts;
    model::Failure issues;
    imports::Report report;
    imports::Bytes shape_bytes{architectures};
    imports::Bytes link_bytes{links};
    for (const auto& error :
         {imports::read_architectures(shape_bytes, report, facts.shapes), imports::read_links(link_bytes, report, facts.links)}) {
        if (error) {
            issues.push_back(*error);
        }
    }
    for (const imports::Complaint& complaint : report.rejected.first) {
        issues.push_back({fmt::format("/{}", complaint.row), Code::bad_format, complaint.reason});
    }
    const nlohmann::json trees = nlohmann::json::parse(devices, nullptr, false);
    for (const nlohmann::json& tree : trees.is_array() ? trees : nlohmann::json::array()) {
        auto decoded = documents::decode_document(storage::Kind::device, tree);
        issues.add_all(decoded.issues);
        if (decoded.issues.empty()) {
            facts.devices.push_back(std::get<model::Device>(decoded.document));
        }
    }
    return issues.empty() ? model::Result<RateFacts>(std::move(facts)) : tl::unexpected(std::move(issues));
}

model::Failure AuditedFiles::add(const std::string& name, std::string_view bytes) {
    imports::Bytes packed{bytes};
    const std::optional<std::string> text = packed.whole();
    imports::Report report;
    const imports::HardError error =
        !text ? packed.error() : imports::read_measured_rates(*text, report, [&](imports::MeasuredRate&& rate) {
            if (const std::string reason = rates_.add(rate); !reason.empty()) {
                ++left_out_[reason];
            }
        });
    if (error) {
        return {{name, Code::bad_format,
                 fmt::format("no format of measured rates: {}. Two are read: tables of serving (columns source, device, devices, "
                             "model, weights, kind, input, output, concurrency, out_tok_s) and aiconfigurator's silicon samples "
                             "(id, silicon_data_source, backend, model_path, system, isl, osl, tp_size, silicon_ttft_ms, "
                             "silicon_tpot_ms)",
                             error->message)}};
    }
    read_ += report.rows;
    for (const imports::Complaint& complaint : report.rejected.first) {
        ++left_out_[complaint.reason.substr(0, complaint.reason.find(':'))];
    }
    if (report.rejected.count > report.rejected.first.size()) {
        left_out_["more rows that can't be read"] += report.rejected.count - report.rejected.first.size();
    }
    return {};
}

model::Result<AuditAnswer> audit(const AuditedFiles& files, model::LeaveOut leave_out, std::uint64_t seed) {
    model::Audit audited = model::audit_rates(files.rows(), leave_out, seed);
    if (audited.folds < 2) {
        std::string reasons;
        for (const auto& [reason, count] : files.left_out()) {
            reasons += fmt::format("; {} left out: {}", count, reason);
        }
        return tl::unexpected(model::Failure{
            {"", Code::too_few,
             fmt::format("{} of {} rows can be predicted: by {} they are one group, and nothing is left to predict it from{}",
                         audited.rows.size(), files.read(), name_of(leave_out), reasons)}});
    }
    AuditAnswer answer{leave_out, files.read(), audited.rows.size(), {}, audited.folds, seed, std::move(audited.classes)};
    for (const auto& [reason, count] : files.left_out()) {
        answer.left_out.push_back({reason, count});
    }
    if (audited.above_ceiling > 0) {
        answer.left_out.push_back({"above the ceilings", audited.above_ceiling});
    }
    return answer;
}

} // namespace costcurve::answers
