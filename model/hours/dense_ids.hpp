// Numbers for values, so that hours can be told apart by whole numbers.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace costcurve::model {

/// Numbers pairs of a class and a value 0, 1, 2 … in the order in which they are first seen. Open addressing: a scenario has
/// thousands of look-ups, and nodes of a standard map cost more than they.
class DenseIds {
public:
    std::uint32_t id(std::uint32_t before, double value) {
        value += 0.0; // -0 is 0
        if (2 * std::size_t{count_} >= slots_.size()) {
            grow();
        }
        Slot& slot = find(before, std::bit_cast<std::uint64_t>(value));
        if (slot.id == kUnused) {
            slot = {std::bit_cast<std::uint64_t>(value), before, count_++};
        }
        return slot.id;
    }

private:
    static constexpr std::uint32_t kUnused = UINT32_MAX;
    static constexpr std::size_t kFewest = 512; // slots for the hours of a week
    struct Slot {
        std::uint64_t bits = 0;
        std::uint32_t before = 0;
        std::uint32_t id = kUnused;
    };
    Slot& find(std::uint32_t before, std::uint64_t bits) {
        const std::uint64_t mixed = (bits ^ (std::uint64_t{before} << 20U)) * 0x9E3779B97F4A7C15U;
        std::size_t at = (mixed >> 32U) & (slots_.size() - 1);
        while (slots_[at].id != kUnused && (slots_[at].bits != bits || slots_[at].before != before)) {
            at = (at + 1) & (slots_.size() - 1);
        }
        return slots_[at];
    }
    void grow() {
        const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(std::max(kFewest, 2 * slots_.size())));
        for (const Slot& slot : old) {
            if (slot.id != kUnused) {
                find(slot.before, slot.bits) = slot;
            }
        }
    }

    std::vector<Slot> slots_; ///< a power of two of them
    std::uint32_t count_ = 0;
};

} // namespace costcurve::model
