// Predictions of measured pairs, group by group.
#include "model/pairs/pair_audit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "model/pairs/pair_rate.hpp"
#include "model/performance/rate_table.hpp"

namespace costcurve::model {

namespace {

constexpr double kHostDevices = 8.0; // the largest replica that most of the fit's rows have

double largest_replica(const PairRow& row) { return std::max(row.prefill.devices, row.decode.devices); }

// What serving was measured to do corrects both kinds of replica.
class PairPredictor {
public:
    explicit PairPredictor(const std::vector<const RateRow*>& known)
        : parameters_(known.empty() ? kStepParameters : fit_step_parameters(known, kStepParameters, kIterations)),
          measurements_(measurements_of(known, parameters_)) {}

    [[nodiscard]] AuditedRow predict(const PairRow& row) const {
        StepRequest prompts = at_side(prefill_request(row.request), row.prefill);
        prompts.concurrency = row.prefill.attention_groups;
        const double read = corrected(row, prompts).rate.requests_per_s;
        StepRequest answers = at_side(decode_request(row.request), row.decode);
        const auto written = [&](double each) {
            answers.concurrency = each;
            return corrected(row, answers).rate;
        };
        const PairRate pair = pair_rate({row.prefill.replicas * read, prompts.concurrency / read, 0.0},
                                        {row.decode.replicas, row.request.output_tokens, written}, row.request.concurrency);
        answers.concurrency = pair.running;
        return {&row, pair.output_per_s, 0.0, 0.0, pair.ttft_s, pair.itl_s, corrected(row, answers).correction.evidence};
    }

private:
    static constexpr int kIterations = 12; // from the fit of all

    static StepRequest at_side(StepRequest request, const PairSide& side) {
        request.devices = side.devices;
        request.attention_groups = side.attention_groups;
        return request;
    }
    [[nodiscard]] CorrectedRate corrected(const PairRow& row, const StepRequest& request) const {
        RateConditions at = row.at;
        at.devices = request.devices;
        at.output_tokens = request.output_tokens;
        at.concurrency = request.concurrency;
        return corrected_rate(step_rate(row.shape, row.on, request, parameters_), at, measurements_, kRateIntervals);
    }

    StepParameters parameters_;
    RateMeasurements measurements_;
};

// p10 and p90 of each pair from the errors of the other groups.
void add_pair_intervals(const std::vector<std::string>& groups, std::vector<AuditedRow>& rows) {
    const std::vector<AuditedRow> all = rows;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::vector<AuditedRow> others;
        for (std::size_t k = 0; k < all.size(); ++k) {
            if (groups[k] != groups[i]) {
                others.push_back(all[k]);
            }
        }
        const RateIntervals intervals = intervals_of(others, kRateIntervals);
        const RateInterval& interval = intervals[static_cast<std::size_t>(rows[i].evidence)][rows[i].row->at.is_mixture ? 1 : 0];
        rows[i].low = rows[i].predicted * std::exp(interval.low);
        rows[i].high = rows[i].predicted * std::exp(interval.high);
    }
}

} // namespace

Audit audit_pairs(std::span<const PairRow> pairs, std::span<const RateRow> known, LeaveOut leave_out) {
    std::vector<std::string> groups;
    for (const PairRow& pair : pairs) {
        groups.push_back(left_out_key(pair, leave_out, groups.size()));
    }
    const bool is_by_group = leave_out != LeaveOut::row; // no known row is a pair
    std::map<std::string, PairPredictor> predictors;
    Audit audit;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const std::string group = is_by_group ? groups[i] : "";
        auto predictor = predictors.find(group);
        if (predictor == predictors.end()) {
            std::vector<const RateRow*> others;
            for (const RateRow& row : known) {
                if (!is_above_ceiling(row) && (!is_by_group || left_out_key(row, leave_out, 0) != group)) {
                    others.push_back(&row);
                }
            }
            predictor = predictors.emplace(group, PairPredictor(others)).first;
        }
        audit.rows.push_back(predictor->second.predict(pairs[i]));
    }
    audit.folds = static_cast<int>(std::set<std::string>(groups.begin(), groups.end()).size());
    add_pair_intervals(groups, audit.rows);
    std::vector<const AuditedRow*> all;
    std::vector<const AuditedRow*> of_hosts;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        all.push_back(&audit.rows[i]);
        if (largest_replica(pairs[i]) <= kHostDevices) {
            of_hosts.push_back(&audit.rows[i]);
        }
    }
    for (const auto& [name, rows] : {std::pair("pairs", &all), std::pair("pairs of replicas of up to 8 devices", &of_hosts)}) {
        if (!rows->empty()) {
            audit.classes.push_back(audit_class_of(name, *rows));
        }
    }
    return audit;
}

} // namespace costcurve::model
