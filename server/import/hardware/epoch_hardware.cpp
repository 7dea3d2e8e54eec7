// Epoch AI's table of machine-learning hardware, a chip a record: devices.
#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "server/import/identity/aliases.hpp"
#include "server/import/identity/device_name.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/numbers.hpp"
#include "server/import/text/read_rows.hpp"

namespace costcurve::imports {

namespace {

// Peaks by the column's beginning. That of tensor cores, which several formats share, is read apart.
struct PeakRow {
    std::string_view column;
    std::string_view precision;
};
constexpr auto kPeaks = std::to_array<PeakRow>({
    {"FP64", "fp64"},
    {"FP32", "fp32"},
    {"TF32", "tf32"},
    {"FP16", "fp16"},
    {"FP8", "fp8"},
    {"FP4", "fp4"},
    {"INT16", "int16"},
    {"INT8", "int8"},
    {"INT4", "int4"},
});

// Boards with several GPUs that clouds rent one by one: what the row says of the board is shared out. Source: the makers' board
// specifications.
struct BoardRow {
    std::string_view device;
    int gpus;
    int bandwidths; ///< of how many GPUs the table's memory bandwidth is
};
constexpr auto kBoards = std::to_array<BoardRow>({{"nvidia.k80", 2, 1}, {"nvidia.m60", 2, 2}});

constexpr BoardRow board_of(std::string_view device) {
    const auto* const board = std::ranges::find(kBoards, device, &BoardRow::device);
    return board == kBoards.end() ? BoardRow{device, 1, 1} : *board;
}

struct KindRow {
    std::string_view word;
    model::DeviceKind kind;
};
constexpr auto kKinds = std::to_array<KindRow>({
    {"gpu", model::DeviceKind::gpu}, // GPU, GPGPU, DCU (GPGPU)
    {"tpu", model::DeviceKind::tpu},
    {"cpu", model::DeviceKind::cpu},
});

// Chips that are of no kind but asic, whatever the table calls them ("GPU"). Source: the maker's pages of Neuron.
constexpr auto kAsics = std::to_array<std::string_view>({"trainium", "inferentia"});

struct HardwareLayout {
    Column name, vendor, type, released, price, memory, bandwidth, tdp, tensor;
    std::array<Column, kPeaks.size()> peaks;
};

// The best row of a device so far.
struct Found {
    std::size_t row = 0;
    std::string name;
    bool exact = false;
    model::Device device;
};

class HardwareReader {
public:
    HardwareReader(Bytes& bytes, const Options& options, Report& report) : table_(bytes), options_(options), report_(report) {}

    HardError read() {
        if (!table_.require({"Hardware name", "Manufacturer", "TDP (W)"})) {
            return table_.error();
        }
        layout_ = {table_.column("Hardware name"),
                   table_.column("Manufacturer"),
                   table_.column("Type"),
                   table_.column("Release date"),
                   table_.column("Release price (USD)"),
                   table_.column_that_begins("Memory size per board (Byte)"),
                   table_.column_that_begins("Memory bandwidth (byte/s)"),
                   table_.column("TDP (W)"),
                   table_.column_that_begins("Tensor-FP16/BF16"),
                   {}};
        for (std::size_t i = 0; i < kPeaks.size(); ++i) {
            layout_.peaks[i] = table_.column_that_begins(kPeaks[i].column);
        }
        if (HardError error = each_row(table_, report_, [&] { return read_row(); })) {
            return error;
        }
        if (found_.empty()) {
            return hard_error(model::Code::missing, 0, "no row of the table has a name, a manufacturer and a TDP");
        }
        for (auto& [id, found] : found_) {
            report_.add(std::move(found.device));
        }
        return std::nullopt;
    }

private:
    // A figure above zero; blank, NaN and zero are unknown.
    double figure(Column column, std::string_view name) {
        const Number number = table_.number(column);
        if (number.state == Number::State::bad || number.value < 0.0) {
            report_.warnings.add(table_.row(), fmt::format("{} is \"{}\"; it is left out", name, table_.text(column)));
            return 0.0;
        }
        return number.value;
    }

    std::string read_row() {
        const std::string name(table_.text(layout_.name));
        const std::string vendor(table_.text(layout_.vendor));
        if (name.empty() || vendor.empty()) {
            return fmt::format("{} is blank", name.empty() ? "Hardware name" : "Manufacturer");
        }
        const Number tdp = table_.number(layout_.tdp);
        if (!tdp || tdp.value < 1.0 || tdp.value > kMaxTdpW) {
            return tdp.state == Number::State::blank
                       ? fmt::format("TDP of \"{}\" is blank; a device needs one", name)
                       : fmt::format("TDP of \"{}\" is {}; allowed 1 to {} W", name, table_.text(layout_.tdp), kMaxTdpW);
        }
        Found found{table_.row(), name, false, {}};
        const double bytes = figure(layout_.memory, "memory size");
        found.device.id = id_of(name, vendor, bytes);
        found.exact = names_exactly(name, found.device.id);
        found.device.vendor = vendor;
        found.device.tdp_w = tdp.value;
        fill(found.device, bytes);
        share_out(found.device);
        keep(std::move(found));
        return "";
    }

    [[nodiscard]] std::string id_of(const std::string& name, const std::string& vendor, double bytes) {
        const std::optional<std::string> alias = device_of(name, vendor, table_.text(layout_.type));
        const int gpus = alias ? board_of(*alias).gpus : 1;
        if (alias && !(bytes > 0.0 && contradicts_memory(*alias, bytes / kBytesPerGb / gpus))) {
            return *alias;
        }
        // "Moore Threads (Tencent)" makes what is named "MTT S4000"; "Intel" what is named "Intel Max 1100".
        const bool named_first = lower(name).starts_with(lower(vendor) + " ");
        std::string id = make_id({vendor, named_first ? std::string_view(name).substr(vendor.size() + 1) : name});
        if (alias) {
            report_.warnings.add(table_.row(), fmt::format("\"{}\" has {:.4g} GB, so it is not {}; its id is {}", name,
                                                           bytes / kBytesPerGb, *alias, id));
        }
        return id;
    }

    void fill(model::Device& device, double bytes) {
        device.kind = kind_of();
        if (bytes > 0.0) {
            device.memory_gib = bytes / kBytesPerGib;
        }
        if (const double bandwidth = figure(layout_.bandwidth, "memory bandwidth"); bandwidth > 0.0) {
            device.memory_bandwidth_gb_per_s = bandwidth / kBytesPerGb;
        }
        for (std::size_t i = 0; i < kPeaks.size(); ++i) {
            if (const double flops = figure(layout_.peaks[i], kPeaks[i].column); flops > 0.0) {
                device.peak_flops[std::string(kPeaks[i].precision)] = flops;
            }
        }
        device.source = source_of(options_, fmt::format("row \"{}\"", table_.text(layout_.name)));
        if (const double flops = figure(layout_.tensor, "Tensor-FP16/BF16"); flops > 0.0) {
            // Only TPUs lack FP16, and only chips with BF16 have TF32.
            const bool bf16 = device.kind == model::DeviceKind::tpu || device.peak_flops.contains("tf32");
            if (device.kind != model::DeviceKind::tpu) {
                device.peak_flops["fp16"] = flops;
            }
            if (bf16) {
                device.peak_flops["bf16"] = flops;
            }
            device.note = fmt::format("{} is the peak of Tensor-FP16/BF16.", bf16 ? "bf16" : "fp16");
        }
        fill_date_and_price(device);
    }

    void fill_date_and_price(model::Device& device) {
        const std::string_view date = table_.text(layout_.released);
        if (const std::optional<Moment> moment = parse_moment(date); moment && date.size() >= std::string_view("2024-1-1").size()) {
            device.released.text = model::date_text(day_of(*moment));
        } else if (!date.empty()) {
            report_.warnings.add(table_.row(), fmt::format("Release date is \"{}\", no day; it is left out", date));
        }
        if (const double price = figure(layout_.price, "Release price"); price > 0.0) {
            device.note += fmt::format("{}Price at its release: {:.2f} USD.", device.note.empty() ? "" : " ", price);
        }
    }

    model::DeviceKind kind_of() {
        const std::string type = lower(table_.text(layout_.type));
        const std::string name = lower(table_.text(layout_.name));
        if (std::any_of(kAsics.begin(), kAsics.end(),
                        [&](std::string_view chip) { return name.find(chip) != std::string::npos; })) {
            return model::DeviceKind::asic;
        }
        for (const KindRow& row : kKinds) {
            if (type.find(row.word) != std::string::npos) {
                return row.kind;
            }
        }
        if (type.empty()) {
            report_.warnings.add(table_.row(), fmt::format("Type of \"{}\" is blank; its kind becomes asic, which says no more",
                                                           table_.text(layout_.name)));
        }
        return model::DeviceKind::asic;
    }

    static void share_out(model::Device& device) {
        const BoardRow board = board_of(device.id);
        if (board.gpus == 1) {
            return;
        }
        device.tdp_w /= board.gpus;
        if (device.memory_gib) {
            device.memory_gib = *device.memory_gib / board.gpus;
        }
        if (device.memory_bandwidth_gb_per_s) {
            device.memory_bandwidth_gb_per_s = *device.memory_bandwidth_gb_per_s / board.bandwidths;
        }
        for (auto& [precision, flops] : device.peak_flops) {
            flops /= board.gpus;
        }
        device.note +=
            fmt::format("{}One of the {} GPUs of a board, as clouds rent it: the row, which is of the board, is shared out.",
                        device.note.empty() ? "" : " ", board.gpus);
    }

    // Of rows with the same id the one that names the device to the letter is kept, else the first.
    void keep(Found found) {
        const auto [at, is_new] = found_.try_emplace(found.device.id, found);
        if (is_new) {
            return;
        }
        const bool better = found.exact && !at->second.exact;
        const Found& lost = better ? at->second : found;
        const Found& kept = better ? found : at->second;
        report_.rejected.add(lost.row, fmt::format("\"{}\" is the same device as row {}, \"{}\", which is read: {}", lost.name,
                                                   kept.row, kept.name, kept.device.id));
        if (better) {
            at->second = std::move(found);
        }
    }

    Table table_;
    const Options& options_;
    Report& report_;
    HardwareLayout layout_;
    std::map<std::string, Found> found_;
};

} // namespace

HardError read_epoch_hardware(Bytes& bytes, const Options& options, Report& report) {
    return HardwareReader(bytes, options, report).read();
}

} // namespace costcurve::imports
