// The program's operator new: what is aligned as usual and what asks for it take about the same time, however much is held.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include <gtest/gtest.h>

namespace costcurve {
namespace {

// The least of some times that it takes, as others work beside.
template <class Allocate> double seconds(const Allocate& allocate) {
    double least = std::numeric_limits<double>::max();
    for (int i = 0; i < 5; ++i) {
        const auto start = std::chrono::steady_clock::now();
        for (int n = 0; n < 2000; ++n) {
            allocate();
        }
        least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return least;
}

TEST(Allocator, AlignedMemoryCostsWhatOtherMemoryDoes) {
    constexpr std::size_t kBytes = 4096;
    const std::vector<std::vector<std::byte>> held(20000, std::vector<std::byte>(kBytes));
    const double usual = seconds([] { ::operator delete(::operator new(kBytes)); });
    constexpr std::align_val_t kAlignment{alignof(std::max_align_t)};
    const double aligned = seconds([] { ::operator delete(::operator new(kBytes, kAlignment), kAlignment); });
    EXPECT_LT(aligned, 20 * usual + 1e-3);
}

TEST(Allocator, AlignsAsIsAsked) {
    for (std::size_t alignment = 16; alignment <= 4096; alignment *= 2) {
        constexpr std::size_t kBytes = 24;
        void* const memory = ::operator new(kBytes, std::align_val_t(alignment));
        void* place = memory;
        std::size_t space = kBytes;
        EXPECT_EQ(std::align(alignment, 1, place, space), memory) << alignment;
        ::operator delete(memory, std::align_val_t(alignment));
    }
}

} // namespace
} // namespace costcurve
