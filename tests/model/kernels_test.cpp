// The hourly loops: sums, replicas, gangs, instances, and the forgiveness of ceilings and floors (model.md, section 6).
#include "model/kernels.hpp"

#include <initializer_list>
#include <vector>

#include "tests/model/close.hpp"

namespace costcurve::model {
namespace {

using kernels::kLanes;
using tests::is_close;

// As many hours as the kernels take at once: the values given, over and over.
struct Lanes : std::vector<double> {
    Lanes(std::initializer_list<double> values) {
        while (size() < kLanes) {
            push_back(values.begin()[size() % values.size()]);
        }
    }
    explicit Lanes(double each) : std::vector<double>(kLanes, each) {}
};

// The values given, padded to whole lanes with zeros.
std::vector<double> padded(std::vector<double> values) {
    values.resize((values.size() + kLanes - 1) / kLanes * kLanes, 0.0);
    return values;
}

struct Served {
    Lanes left, free, reserved, busy, served, taken;
};
Served serve(kernels::Replicas replicas, Lanes left, Lanes free) {
    const std::size_t n = left.size();
    const Lanes zero(0.0);
    Served result{std::move(left), std::move(free), zero, zero, zero, zero};
    kernels::serve(n, replicas, result.left.data(), result.free.data(), result.reserved.data(), result.busy.data(),
                   result.served.data(), result.taken.data());
    return result;
}

TEST(Kernels, DotSumsProducts) {
    const std::vector<double> w = padded({1, 2, 3, 4, 5, 0, 0, 0, 2});
    const std::vector<double> x = padded({10, 10, 10, 10, 2, 99, 99, 99, 7});
    const std::vector<double> y = padded({1, 0, 2, 0, 10, 9, 9, 9, 5});
    EXPECT_EQ(kernels::dot(w.size(), w.data(), x.data()), 10 + 20 + 30 + 40 + 10 + 14);
    EXPECT_EQ(kernels::dot3(w.size(), w.data(), x.data(), y.data()), 10 + 60 + 100 + 70);
    EXPECT_EQ(kernels::dot(0, w.data(), x.data()), 0.0);
    EXPECT_EQ(kernels::dot3(0, w.data(), x.data(), y.data()), 0.0);
}

TEST(Kernels, LargestLooksAtHoursThatWeighOnly) {
    const std::vector<double> w = padded({1, 2, 0, 4});
    const std::vector<double> x = padded({3, 7, 100, 5});
    EXPECT_EQ(kernels::largest_weighted(w.size(), w.data(), x.data()), 7.0);
    const Lanes none(0.0);
    EXPECT_EQ(kernels::largest_weighted(kLanes, none.data(), x.data()), 0.0);
    EXPECT_EQ(kernels::largest_weighted(0, w.data(), x.data()), 0.0);
}

TEST(Kernels, ScaleFillsWhereThereIsNoCurve) {
    const Lanes x = {1, 2, 3, 4};
    Lanes y(0.0);
    kernels::scale(kLanes, 2, x.data(), y.data());
    EXPECT_EQ(y, (Lanes{2, 4, 6, 8}));
    kernels::scale(kLanes, 2, nullptr, y.data());
    EXPECT_EQ(y, (Lanes{2, 2, 2, 2}));
}

TEST(Kernels, BendAddsItsSlopeBeyondItOnly) {
    const Lanes x = {0, 0.5, 0.75, 1};
    Lanes y = {1, 1, 1, 1};
    kernels::add_bend(kLanes, x.data(), 0.5, 8, y.data());
    EXPECT_EQ(y, (Lanes{1, 1, 3, 5}));
}

TEST(Kernels, ServeTakesWholeReplicas) {
    // 10 units/s a replica of 4 devices, 80 % usable: 8 units/s.
    const Served hour = serve({8, 10, 4}, {20, 8, 0, 100}, {40, 40, 40, 10});
    EXPECT_EQ(hour.taken, (Lanes{12, 4, 0, 8})) << "3 replicas; 1; none; 2 fit into 10 devices";
    EXPECT_EQ(hour.served, (Lanes{20, 8, 0, 16}));
    EXPECT_EQ(hour.left, (Lanes{0, 0, 0, 84}));
    EXPECT_EQ(hour.free, (Lanes{28, 36, 40, 2}));
    EXPECT_EQ(hour.reserved, hour.taken);
    for (std::size_t h = 0; h < kLanes; ++h) {
        EXPECT_TRUE(is_close(hour.busy[h], hour.served[h] / 10 * 4));
    }
}

TEST(Kernels, ServeForgivesRounding) {
    // 0.1 x 3 is above 0.3 by rounding: three replicas, not four.
    EXPECT_EQ(serve({0.1, 0.1, 1}, {0.1 * 3, 0.1 * 3, 0.3, 0.3 + 1e-11}, {9, 9, 9, 9}).taken, (Lanes{3, 3, 3, 3}));
    EXPECT_EQ(serve({1, 1, 1}, {1 + 1e-6, 1 + 1e-6, 2, 2}, {9, 9, 9, 9}).taken, (Lanes{2, 2, 2, 2})) << "a real need buys one";
    // Room for 3 gangs of 0.1 devices' worth of rounding.
    EXPECT_EQ(serve({1, 1, 3}, {9, 9, 9, 9}, {9 - 1e-10, 9, 8.999, 2.9}).taken, (Lanes{9, 9, 6, 0}));
}

TEST(Kernels, ServeNeverGivesMoreThanIsAskedOrThanFits) {
    for (double demand = 0; demand < 50; demand += 0.7) {
        const Served hour = serve({3, 4, 2}, Lanes(demand), Lanes(21));
        EXPECT_TRUE(is_close(hour.served[0] + hour.left[0], demand));
        EXPECT_LE(hour.served[0], demand);
        EXPECT_LE(hour.taken[0], 21.0);
        EXPECT_LE(hour.busy[0], hour.taken[0]);
        EXPECT_EQ(hour.free[0] + hour.taken[0], 21.0);
    }
}

TEST(Kernels, ServeWithNoRoomLeavesAll) {
    const Served hour = serve({1, 1, 8}, {5, 5, 5, 5}, {0, 7, 0, 7});
    EXPECT_EQ(hour.served, Lanes(0.0));
    EXPECT_EQ(hour.left, Lanes(5.0));
}

TEST(Kernels, BoundedServesUpToTheBound) {
    Lanes left = {5, 20, 0, 10};
    Lanes bound = {10, 10, 10, 10};
    Lanes served(0.0);
    kernels::serve_bounded(kLanes, left.data(), bound.data(), served.data());
    EXPECT_EQ(served, (Lanes{5, 10, 0, 10}));
    EXPECT_EQ(left, (Lanes{0, 10, 0, 0}));
    EXPECT_EQ(bound, (Lanes{5, 0, 10, 0}));
    Lanes unbounded(HUGE_VAL);
    kernels::serve_bounded(kLanes, left.data(), unbounded.data(), served.data());
    EXPECT_EQ(served, (Lanes{0, 10, 0, 0}));
    EXPECT_EQ(unbounded, Lanes(HUGE_VAL)) << "unbounded stays unbounded";
}

TEST(Kernels, InstancesAreWholeAndForgiveRounding) {
    const Lanes reserved = {0, 1, 8, 8 + 1e-10};
    Lanes instances(-1.0);
    kernels::whole_instances(kLanes, reserved.data(), 8, instances.data());
    EXPECT_EQ(instances, (Lanes{0, 1, 1, 1}));
    const Lanes more = {8.1, 16, 17, 1e6};
    kernels::whole_instances(kLanes, more.data(), 8, instances.data());
    EXPECT_EQ(instances, (Lanes{2, 2, 3, 125000}));
}

TEST(Kernels, GangsAreWholeAndNeverNegative) {
    const Lanes taken = {0, 3, 10, 12};
    Lanes gangs(-1.0);
    kernels::whole_gangs(kLanes, 10, taken.data(), 3, gangs.data());
    EXPECT_EQ(gangs, (Lanes{3, 2, 0, 0}));
    const Lanes fractions = {0, 0.5, 9.75, 9.999};
    kernels::whole_gangs(kLanes, 10, fractions.data(), 0.25, gangs.data());
    EXPECT_EQ(gangs, (Lanes{40, 38, 1, 0})) << "four gangs an instance";
    kernels::whole_gangs(kLanes, 1, Lanes(0.0).data(), 1.0 / 3, gangs.data());
    EXPECT_EQ(gangs, Lanes(3.0)) << "thirds forgive rounding";
}

TEST(Kernels, RunningIsTheNeedButAtLeastTheLeast) {
    const Lanes inference = {0, 2, 1, 5};
    const Lanes training = {0, 0.5, 4, 0};
    Lanes y(0.0);
    kernels::running(kLanes, 3, inference.data(), training.data(), y.data());
    EXPECT_EQ(y, (Lanes{3, 3, 5, 5}));
}

TEST(Kernels, UtilizationOfNothingIsNone) {
    const Lanes busy = {0, 1, 2, 4};
    const Lanes available = {0, 4, 4, 4};
    Lanes y(-1.0);
    kernels::utilization(kLanes, busy.data(), available.data(), y.data());
    EXPECT_EQ(y, (Lanes{0, 0.25, 0.5, 1}));
}

TEST(Kernels, ElementWiseProductsAndSums) {
    const Lanes a = {1, 2, 3, 4};
    const Lanes b = {2, 0, -1, 0.5};
    Lanes y(0.0);
    kernels::multiply(kLanes, a.data(), b.data(), y.data());
    EXPECT_EQ(y, (Lanes{2, 0, -3, 2}));
    kernels::add_scaled(kLanes, 10, a.data(), y.data());
    EXPECT_EQ(y, (Lanes{12, 20, 27, 42}));
}

} // namespace
} // namespace costcurve::model
