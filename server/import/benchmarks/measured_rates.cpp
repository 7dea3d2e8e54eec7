// Tables of measured rates, for serving and for training.
#include "server/import/benchmarks/measured_rates.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "model/performance/device_facts.hpp"
#include "server/import/identity/spellings.hpp"
#include "server/import/text/numbers.hpp"
#include "server/import/text/read_rows.hpp"
#include "server/import/text/table.hpp"

namespace costcurve::imports {

namespace {

using model::WeightPrecision;

constexpr double kKvBytes16 = 2.0;
constexpr double kKvBytes8 = 1.0;

// Bytes per element of the KV cache. If the table doesn't state it, 8-bit and 4-bit checkpoints are taken to have an 8-bit cache.
double kv_bytes(std::string_view kv, WeightPrecision precision) {
    if (!kv.empty()) {
        return kv == "bf16" || kv == "fp16" ? kKvBytes16 : kKvBytes8;
    }
    return precision == WeightPrecision::bf16 ? kKvBytes16 : kKvBytes8;
}

class ServingReader {
public:
    ServingReader(Table& table, const OnMeasuredRate& on_rate) : table_(table), on_rate_(on_rate) {
        for (std::size_t i = 0; i < kNames.size(); ++i) {
            columns_[i] = table.column(kNames[i]);
        }
    }
    std::string read_row() {
        MeasuredRate rate;
        rate.row = table_.row();
        rate.source = text(source);
        rate.reference = text(ref);
        rate.date = text(measured);
        rate.model = text(model);
        rate.device = text(device);
        rate.framework = text(framework);
        rate.version = text(version);
        rate.kind = text(kind);
        rate.doubt = text(doubt);
        const std::optional<WeightPrecision> precision = model::weight_precision(precision_of(text(weights)));
        if (!precision) {
            return fmt::format("weights are \"{}\"; bf16, fp8 or fp4 are needed", text(weights));
        }
        rate.precision = *precision;
        rate.kv_bytes_per_value = kv_bytes(text(kv), *precision);
        rate.states_kv = !text(kv).empty();
        rate.devices = number(devices);
        rate.tp = number(tp);
        rate.pp = number(pp);
        rate.ep = number(ep);
        rate.attention_groups = std::max(1.0, number(dp));
        rate.input_tokens = number(input);
        rate.output_tokens = number(output);
        rate.concurrency = number(concurrency);
        rate.output_per_s = number(out_tok_s);
        rate.ttft_s = number(ttft_ms) / kMsPerSecond;
        rate.itl_s = number(tpot_ms) / kMsPerSecond;
        rate.watts = number(power_w);
        on_rate_(std::move(rate));
        return "";
    }

private:
    enum Name {
        source,
        ref,
        measured,
        device,
        devices,
        tp,
        pp,
        ep,
        dp,
        model,
        weights,
        kv,
        framework,
        version,
        kind,
        input,
        output,
        concurrency,
        out_tok_s,
        ttft_ms,
        tpot_ms,
        power_w,
        doubt,
        count
    };
    static constexpr std::array<std::string_view, count> kNames = {
        "source", "ref",         "measured",  "device",  "devices",   "tp",      "pp",   "ep",
        "dp",     "model",       "weights",   "kv",      "framework", "version", "kind", "input",
        "output", "concurrency", "out_tok_s", "ttft_ms", "tpot_ms",   "power_w", "doubt"};
    std::string text(Name name) const { return std::string(table_.text(columns_[name])); }
    double number(Name name) const { return table_.number(columns_[name]).value; }

    Table& table_;
    const OnMeasuredRate& on_rate_;
    std::array<Column, count> columns_{};
};

// The number behind "silicon_concurrency=" in a sample's source text; 0 if absent.
double stated_concurrency(std::string_view source) {
    constexpr std::string_view kName = "silicon_concurrency=";
    const std::size_t at = source.find(kName);
    double value = 0.0;
    if (at != std::string_view::npos) {
        std::from_chars(source.data() + at + kName.size(), source.data() + source.size(), value);
    }
    return value;
}
std::string stated_date(std::string_view source) {
    constexpr std::string_view kName = "measured=";
    constexpr std::size_t kDate = 10; // YYYY-MM-DD
    const std::size_t at = source.find(kName);
    return at == std::string_view::npos ? "" : std::string(source.substr(at + kName.size(), kDate));
}

class SiliconReader {
public:
    SiliconReader(Table& table, const OnMeasuredRate& on_rate) : table_(table), on_rate_(on_rate) {
        for (std::size_t i = 0; i < kNames.size(); ++i) {
            columns_[i] = table.column(kNames[i]);
        }
    }
    std::string read_row() {
        const std::string origin = text(silicon_data_source);
        MeasuredRate rate;
        rate.row = table_.row();
        // Names as in ../shared/data/measured-rates: public InferenceX runs, and NVIDIA's own runs, whose source is a file.
        rate.source = origin.starts_with("source_file=/") ? "nvidia aiconfigurator runs" : "inferencex via aiconfigurator";
        rate.reference = text(id);
        rate.date = stated_date(origin);
        rate.model = text(model_path);
        rate.device = text(system);
        rate.framework = text(backend);
        rate.version = text(backend_version);
        rate.kind = text(mode) == "agg" ? "serving" : "disaggregated";
        const std::string stated = text(precision);
        const std::optional<WeightPrecision> weights =
            stated.empty() ? WeightPrecision::bf16 : model::weight_precision(precision_of(stated));
        if (!weights) {
            return fmt::format("precision is \"{}\"; bf16, fp8 or fp4 are needed", stated);
        }
        rate.precision = *weights;
        rate.kv_bytes_per_value = kv_bytes("", *weights);
        rate.input_tokens = number(isl);
        rate.output_tokens = number(osl);
        rate.ttft_s = number(silicon_ttft_ms) / kMsPerSecond;
        rate.itl_s = number(silicon_tpot_ms) / kMsPerSecond;
        rate.attention_groups = std::max(1.0, number(attention_dp_size));
        rate.concurrency = stated_concurrency(origin);
        if (rate.concurrency == 0.0) {
            rate.concurrency = number(batch_size) * rate.attention_groups;
        }
        if (std::string reason = read_layout(rate); !reason.empty()) {
            return reason;
        }
        if (rate.ttft_s <= 0.0 || rate.itl_s <= 0.0) {
            return "it states no latencies";
        }
        rate.output_per_s = rate.concurrency * rate.output_tokens / (rate.ttft_s + rate.itl_s * (rate.output_tokens - 1.0));
        on_rate_(std::move(rate));
        return "";
    }

private:
    enum Name {
        id,
        silicon_data_source,
        backend,
        backend_version,
        model_path,
        system,
        precision,
        mode,
        isl,
        osl,
        batch_size,
        tp_size,
        pp_size,
        attention_dp_size,
        moe_tp_size,
        moe_ep_size,
        prefill_num_workers,
        prefill_tp_size,
        prefill_pp_size,
        prefill_attention_dp_size,
        decode_num_workers,
        decode_tp_size,
        decode_pp_size,
        decode_attention_dp_size,
        silicon_ttft_ms,
        silicon_tpot_ms,
        count
    };
    static constexpr std::array<std::string_view, count> kNames = {"id",
                                                                   "silicon_data_source",
                                                                   "backend",
                                                                   "backend_version",
                                                                   "model_path",
                                                                   "system",
                                                                   "precision",
                                                                   "mode",
                                                                   "isl",
                                                                   "osl",
                                                                   "batch_size",
                                                                   "tp_size",
                                                                   "pp_size",
                                                                   "attention_dp_size",
                                                                   "moe_tp_size",
                                                                   "moe_ep_size",
                                                                   "prefill_num_workers",
                                                                   "prefill_tp_size",
                                                                   "prefill_pp_size",
                                                                   "prefill_attention_dp_size",
                                                                   "decode_num_workers",
                                                                   "decode_tp_size",
                                                                   "decode_pp_size",
                                                                   "decode_attention_dp_size",
                                                                   "silicon_ttft_ms",
                                                                   "silicon_tpot_ms"};
    std::string text(Name name) const { return std::string(table_.text(columns_[name])); }
    double number(Name name) const { return table_.number(columns_[name]).value; }

    std::string read_layout(MeasuredRate& rate) const {
        const double tensor = number(tp_size);
        const double experts = number(moe_tp_size) * number(moe_ep_size);
        rate.devices = tensor * std::max(1.0, number(pp_size)) * rate.attention_groups;
        rate.tp = tensor;
        rate.pp = number(pp_size);
        rate.ep = number(moe_ep_size);
        if (rate.kind != "serving") {
            const auto side = [&](Name workers, Name tensor_size, Name stages, Name groups) {
                const double apart = std::max(1.0, number(groups));
                return model::PairSide{number(workers), number(tensor_size) * std::max(1.0, number(stages)) * apart, apart};
            };
            rate.prefill = side(prefill_num_workers, prefill_tp_size, prefill_pp_size, prefill_attention_dp_size);
            rate.decode = side(decode_num_workers, decode_tp_size, decode_pp_size, decode_attention_dp_size);
            rate.devices = rate.prefill.replicas * rate.prefill.devices + rate.decode.replicas * rate.decode.devices;
            rate.tp = rate.pp = rate.ep = 0.0; // prefill and decode each have their own
            return "";
        }
        if (experts <= 1.0 || experts == rate.devices) {
            // Some snapshots write tp x ep as tp_size beside both factors: on eight devices 64, 8, 8 instead of 8, 8, 8.
            if (experts == tensor && number(moe_tp_size) == number(moe_ep_size) && number(moe_ep_size) > 1.0) {
                rate.devices = rate.tp = number(moe_ep_size);
            }
            return "";
        }
        return fmt::format("its layout contradicts itself: experts over {} devices, the rest over {}", experts, rate.devices);
    }

    Table& table_;
    const OnMeasuredRate& on_rate_;
    std::array<Column, count> columns_{};
};

template <class Reader> HardError read_rate_table(Table& table, Report& report, const OnMeasuredRate& on_rate) {
    Reader reader(table, on_rate);
    return each_row(table, report, [&] { return reader.read_row(); });
}

} // namespace

HardError read_serving_rates(Bytes& bytes, Report& report, const OnMeasuredRate& on_rate) {
    Table table(bytes);
    if (!table.require(
            {"source", "device", "devices", "model", "weights", "kind", "input", "output", "concurrency", "out_tok_s"})) {
        return table.error();
    }
    return read_rate_table<ServingReader>(table, report, on_rate);
}

HardError read_silicon_samples(Bytes& bytes, Report& report, const OnMeasuredRate& on_rate) {
    Table table(bytes);
    if (!table.require({"id", "silicon_data_source", "backend", "model_path", "system", "isl", "osl", "tp_size", "silicon_ttft_ms",
                        "silicon_tpot_ms"})) {
        return table.error();
    }
    return read_rate_table<SiliconReader>(table, report, on_rate);
}

HardError read_measured_rates(std::string_view text, Report& report, const OnMeasuredRate& on_rate) {
    Bytes bytes{text};
    const std::string_view header = text.substr(0, text.find('\n'));
    return header.find("silicon_ttft_ms") != std::string_view::npos ? read_silicon_samples(bytes, report, on_rate)
                                                                    : read_serving_rates(bytes, report, on_rate);
}

} // namespace costcurve::imports
