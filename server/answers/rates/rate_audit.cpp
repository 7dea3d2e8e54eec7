// Audit of rates: measured rows from files, and the errors of their estimates.
#include "server/answers/rates/rate_audit.hpp"

#include <array>
#include <fmt/format.h>
#include <iterator>

#include <nlohmann/json.hpp>

#include "model/performance/stated_shape.hpp"
#include "server/documents/decode.hpp"
#include "server/import/recognize.hpp"

namespace costcurve::answers {

using model::Code;

namespace {

// The documents of a kind in an array of them.
template <class T> std::vector<T> documents_in(std::string_view text, model::Failure& issues) {
    std::vector<T> found;
    const nlohmann::json trees = nlohmann::json::parse(text, nullptr, false);
    for (const nlohmann::json& tree : trees.is_array() ? trees : nlohmann::json::array()) {
        auto decoded = documents::decode_document(documents::kind_of<T>, tree);
        issues.add_all(decoded.issues);
        if (decoded.issues.empty()) {
            found.push_back(std::get<T>(decoded.document));
        }
    }
    return found;
}

WorstAnswer worst_answer(const model::AuditMiss& miss, bool is_serving) {
    constexpr std::array<std::string_view, 3> kPrecisions{"bf16", "fp8", "fp4"};
    const model::RateRow& row = *miss.row.row;
    WorstAnswer worst;
    worst.source = row.source;
    worst.model = row.model;
    worst.device = row.device;
    worst.devices = row.at.devices;
    worst.precision = kPrecisions.at(static_cast<std::size_t>(row.at.precision));
    if (is_serving) {
        worst.input = row.at.input_tokens;
        worst.output = row.at.output_tokens;
        worst.concurrency = row.at.concurrency;
    }
    worst.measured = row.output_per_s;
    worst.predicted = miss.row.predicted;
    worst.ratio = worst.predicted / worst.measured;
    worst.reason = miss.reason;
    return worst;
}

} // namespace

model::Result<RateFacts> read_rate_facts(std::string_view models, std::string_view devices) {
    RateFacts facts;
    model::Failure issues;
    for (const model::Model& model : documents_in<model::Model>(models, issues)) {
        if (const std::optional<model::ModelShape> shape = model::shape_of(model)) {
            facts.shapes.emplace(model.id, *shape);
            for (const std::string& alias : model.aliases) {
                facts.shapes.emplace(alias, *shape);
            }
        }
    }
    facts.devices = documents_in<model::Device>(devices, issues);
    return issues.empty() ? model::Result<RateFacts>(std::move(facts)) : tl::unexpected(std::move(issues));
}

void AuditedFiles::count(const std::string& reason) {
    if (!reason.empty()) {
        ++left_out_[reason];
    }
}

imports::HardError AuditedFiles::read_into(std::string_view text, imports::Report& report, bool is_audited) {
    const auto count = [&](const std::string& reason) {
        if (is_audited) {
            this->count(reason);
        }
    };
    return imports::is_training_table(text)
               ? imports::read_training_runs(text, report,
                                             [&](imports::MeasuredTraining&& run) { count(runs_.add(run, is_audited)); })
               : imports::read_measured_rates(text, report,
                                              [&](imports::MeasuredRate&& rate) { count(rates_.add(rate, is_audited)); });
}

// A file of another format, by the measurements that its import makes.
bool AuditedFiles::add_import(const std::string& name, const std::string& text) {
    const std::vector<imports::NamedText> files{{name.substr(name.rfind('/') + 1), text}};
    const std::vector<imports::Recognized> found =
        text.size() > imports::kMaxRecognized ? std::vector<imports::Recognized>{} : imports::recognize(files, {});
    if (found.size() != 1) {
        return false;
    }
    const imports::Format& format = *found.front().format;
    imports::Options options;
    options.name = files.front().name;
    if (!imports::check_options(format, options).empty()) {
        return false;
    }
    imports::Report report;
    std::size_t points = 0;
    report.on_document = [&](imports::Document&& document) {
        if (const auto* const measurement = std::get_if<model::Measurement>(&document)) {
            imports::read_points(*measurement, [&](imports::MeasuredRate&& rate) {
                ++points;
                rate.source = format.name;
                count(rates_.add(rate));
            });
        }
    };
    imports::Bytes bytes{std::string_view(text)};
    const imports::HardError error = format.read_set != nullptr ? imports::read_files(format, files, options, report)
                                                                : imports::read_file(format, bytes, options, report);
    if (error || points == 0) {
        return false;
    }
    read_ += points;
    for (const imports::Complaint& complaint : report.rejected.first) {
        count(complaint.reason);
    }
    return true;
}

void AuditedFiles::add_known(std::string_view text) {
    imports::Report report;
    static_cast<void>(read_into(text, report, false));
}

model::Failure AuditedFiles::add(const std::string& name, std::string_view bytes) {
    imports::Bytes packed{bytes};
    const std::optional<std::string> text = packed.whole();
    imports::Report report;
    const imports::HardError error = text ? read_into(*text, report, true) : packed.error();
    if (error && text && add_import(name, *text)) {
        return {};
    }
    if (error) {
        return {{name, Code::bad_format,
                 fmt::format(
                     "no format of measured rates: {}. Three are read: tables of serving (columns source, device, devices, "
                     "model, weights, kind, input, output, concurrency, out_tok_s), of training (source, device, devices, model, "
                     "seq, precision, task, tok_s_device) and aiconfigurator's silicon samples (id, silicon_data_source, backend, "
                     "model_path, system, isl, osl, tp_size, silicon_ttft_ms, "
                     "silicon_tpot_ms); and what `costcurve import` makes measurements of without an option, such as results of "
                     "InferenceX and ML.ENERGY",
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
    AuditAnswer answer{leave_out, files.read(), 0, {}, 0, seed, {}, {}};
    std::size_t above_ceiling = 0;
    const auto add = [&](model::Audit&& audited, bool is_serving) {
        if (audited.folds >= 2 && !audited.rows.empty()) {
            for (const model::AuditMiss& miss : audited.worst) {
                answer.worst.push_back(worst_answer(miss, is_serving));
            }
            answer.used += audited.rows.size();
            answer.classes.insert(answer.classes.end(), std::make_move_iterator(audited.classes.begin()),
                                  std::make_move_iterator(audited.classes.end()));
        }
        if (!audited.rows.empty()) {
            answer.folds = std::max(answer.folds, audited.folds);
        }
        above_ceiling += audited.above_ceiling;
    };
    add(model::audit_rates(files.rows(), leave_out, seed), true);
    add(model::audit_pairs(files.pairs(), files.rows(), leave_out), true);
    add(model::audit_training(files.training_rows(), leave_out, seed), false);
    if (answer.used == 0) {
        std::string reasons;
        for (const auto& [reason, count] : files.left_out()) {
            reasons += fmt::format("; {} left out: {}", count, reason);
        }
        return tl::unexpected(model::Failure{
            {"", Code::too_few,
             answer.folds == 0 ? fmt::format("none of {} rows can be predicted{}", files.read(), reasons)
                               : fmt::format("by {} all rows are one group, and nothing is left to predict it from{}",
                                             name_of(leave_out), reasons)}});
    }
    for (const auto& [reason, count] : files.left_out()) {
        answer.left_out.push_back({reason, count});
    }
    if (above_ceiling > 0) {
        answer.left_out.push_back({"above the ceilings", above_ceiling});
    }
    return answer;
}

} // namespace costcurve::answers
