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

struct ServedHours {
    Lanes left, free, busy, taken, served;
    kernels::Served sums;
};
// Serves hours that weigh 1 each; taken and served are what is gone.
ServedHours serve(kernels::Replicas replicas, const Lanes& left, const Lanes& free) {
    const Lanes one(1.0);
    ServedHours hours{left, free, Lanes(0.0), free, left, {}};
    hours.sums = kernels::serve(left.size(), replicas, one.data(), hours.left.data(), hours.free.data(), hours.busy.data());
    for (std::size_t h = 0; h < left.size(); ++h) {
        hours.taken[h] -= hours.free[h];
        hours.served[h] -= hours.left[h];
    }
    return hours;
}

TEST(Kernels, DotSumsProducts) {
    const std::vector<double> w = padded({1, 2, 3, 4, 5, 0, 0, 0, 2});
    const std::vector<double> x = padded({10, 10, 10, 10, 2, 99, 99, 99, 7});
    EXPECT_EQ(kernels::dot(w.size(), w.data(), x.data()), 10 + 20 + 30 + 40 + 10 + 14);
    EXPECT_EQ(kernels::dot(0, w.data(), x.data()), 0.0);
}

TEST(Kernels, FoldedHoursHaveTheBitsOfEachOnItsOwn) {
    const std::vector<std::uint32_t> at = {0, 8, 0, 0, 8}; // five blocks of hours, of two kinds
    constexpr std::size_t kFolded = 2 * kLanes;
    std::vector<double> weights(at.size() * kLanes);
    std::vector<double> demand(kFolded);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        weights[i] = i + 3 < weights.size() ? 1.0 + static_cast<double>(i % 5) / 3 : 0.0;
    }
    for (std::size_t i = 0; i < kFolded; ++i) {
        demand[i] = 1.0 / 3 + static_cast<double>(i * i);
    }
    std::vector<double> left(weights.size()), free(weights.size(), 24.0), busy(weights.size(), 0.1);
    kernels::unfold(at, demand.data(), left.data());
    EXPECT_EQ(kernels::dot_folded(at, weights.data(), demand.data()), kernels::dot(left.size(), weights.data(), left.data()));
    std::vector<double> folded_left(demand), folded_free(kFolded, 24.0), folded_busy(kFolded, 0.1), work(kFolded), held(kFolded);
    const auto hold = [&](const kernels::Served& folded, const kernels::Served& each) {
        EXPECT_EQ(folded.units, each.units);
        EXPECT_EQ(folded.devices, each.devices);
        EXPECT_EQ(folded.left, each.left);
        std::vector<double> unfolded(left.size());
        for (const auto& [a, b] : {std::pair(&folded_left, &left), {&folded_free, &free}, {&folded_busy, &busy}}) {
            kernels::unfold(at, a->data(), unfolded.data());
            EXPECT_EQ(unfolded, *b);
        }
    };
    const kernels::Replicas replicas{2.7, 3.1, 3.0, 4.0, true};
    const auto each = kernels::serve(left.size(), replicas, weights.data(), left.data(), free.data(), busy.data());
    ASSERT_GT(each.left, 0.0) << "devices run out";
    hold(kernels::serve_folded(at, kFolded, replicas, weights.data(), folded_left.data(), folded_free.data(), folded_busy.data(),
                               work.data(), held.data()),
         each);
    hold(kernels::serve_bounded_folded(at, kFolded, weights.data(), folded_left.data(), folded_free.data(), work.data()),
         kernels::serve_bounded(left.size(), weights.data(), left.data(), free.data()));
    std::vector<double> scaled(kFolded);
    kernels::scale_blocks(std::vector<std::uint32_t>{16, 8}, 3.0, left.data(), scaled.data());
    EXPECT_EQ(scaled[0], 3.0 * left[16]);
    EXPECT_EQ(scaled[15], 3.0 * left[15]);
}

TEST(Kernels, MeterSumsWhatHoursWeighAndFindsThePeakAmongThem) {
    const std::vector<double> w = padded({1, 2, 0, 4, 1, 1, 1, 1, 2});
    const std::vector<double> watts = padded({3000, 7000, 90000, 5000, 0, 0, 0, 0, 1000});
    const std::vector<double> pue = padded({1, 2, 1, 1, 1, 1, 1, 1, 3});
    const std::vector<double> price = padded({10, 1, 9, -1, 9, 9, 9, 9, 0});
    const std::vector<double> ones(w.size(), 1.0);
    const kernels::Metered metered = kernels::meter(w.size(), 1e-3, w.data(), watts.data(), pue.data(), price.data(), ones.data());
    EXPECT_TRUE(is_close(metered.kwh, 3 + 28 + 20 + 6));
    EXPECT_TRUE(is_close(metered.priced, 30 + 28 - 20));
    EXPECT_EQ(metered.carbon, metered.kwh) << "an intensity of one";
    EXPECT_EQ(metered.peak_kw, 14.0) << "the hour of 90 kW weighs nothing";
    EXPECT_EQ(kernels::meter(0, 1e-3, nullptr, nullptr, nullptr, nullptr, nullptr).peak_kw, 0.0);
}

TEST(Kernels, ScaleFillsWhereThereIsNoCurve) {
    const Lanes x = {1, 2, 3, 4};
    Lanes y(0.0);
    kernels::scale(kLanes, 2, x.data(), y.data());
    EXPECT_EQ(y, (Lanes{2, 4, 6, 8}));
    kernels::scale(kLanes, 2, nullptr, y.data());
    EXPECT_EQ(y, (Lanes{2, 2, 2, 2}));
}

TEST(Kernels, BentLineAddsEachSlopeBeyondItsBendOnly) {
    const Lanes x = {0, 0.5, 0.75, 1};
    Lanes y(-1.0);
    kernels::bent_line(kLanes, 1, std::vector<kernels::Bend>{{0.5, 8}}, x.data(), y.data());
    EXPECT_EQ(y, (Lanes{1, 1, 3, 5}));
    kernels::bent_line(kLanes, 1, std::vector<kernels::Bend>{{0.5, 8}, {0.75, -8}}, x.data(), y.data());
    EXPECT_EQ(y, (Lanes{1, 1, 3, 3}));
    kernels::bent_line(kLanes, 7, {}, x.data(), y.data());
    EXPECT_EQ(y, Lanes(7.0));
}

TEST(Kernels, ServeTakesWholeReplicas) {
    // 10 units/s a replica of 4 devices, 80 % usable: 8 units/s.
    const ServedHours hour = serve({8, 10, 4, 4, true}, {20, 8, 0, 100}, {40, 40, 40, 10});
    EXPECT_EQ(hour.taken, (Lanes{12, 4, 0, 8})) << "3 replicas; 1; none; 2 fit into 10 devices";
    EXPECT_EQ(hour.served, (Lanes{20, 8, 0, 16}));
    EXPECT_EQ(hour.left, (Lanes{0, 0, 0, 84}));
    EXPECT_EQ(hour.free, (Lanes{28, 36, 40, 2}));
    EXPECT_EQ(hour.sums.units, 44.0 * static_cast<double>(kLanes / 4)) << "Lanes repeat their four values";
    EXPECT_EQ(hour.sums.devices, 24.0 * static_cast<double>(kLanes / 4));
    EXPECT_EQ(hour.sums.left, 84.0);
    for (std::size_t h = 0; h < kLanes; ++h) {
        EXPECT_TRUE(is_close(hour.busy[h], hour.served[h] / 10 * 4));
    }
}

TEST(Kernels, ServeForgivesRounding) {
    // 0.1 x 3 is above 0.3 by rounding: three replicas, not four.
    EXPECT_EQ(serve({0.1, 0.1, 1, 1, true}, {0.1 * 3, 0.1 * 3, 0.3, 0.3 + 1e-11}, {9, 9, 9, 9}).taken, (Lanes{3, 3, 3, 3}));
    EXPECT_EQ(serve({1, 1, 1, 1, true}, {1 + 1e-6, 1 + 1e-6, 2, 2}, {9, 9, 9, 9}).taken, (Lanes{2, 2, 2, 2}))
        << "a real need buys one";
}

TEST(Kernels, ServeFitsWholeReplicasIntoWholeDevicesExactly) {
    for (double devices = 1; devices < 5000; devices = std::ceil(devices * 1.7)) {
        for (const double count : {0.0, 1.0, 7.0, 999.0, 1e6, 3e8}) {
            const double demand = 2 * count + 10; // more than fits
            const double fits = count * devices;
            const ServedHours hour =
                serve({1, 1, devices, devices, true}, Lanes(demand), {fits, fits + devices - 1, std::max(0.0, fits - 1), fits + 1});
            const double less = std::max(0.0, count - 1) * devices;
            EXPECT_EQ(hour.taken, (Lanes{fits, fits, less, devices == 1 ? fits + 1 : fits})) << count << " of " << devices;
        }
    }
}

TEST(Kernels, ServeLooksAtHoursThatWeighAndTakesAnyNumberOfThem) {
    for (std::size_t n = 0; n <= 2 * kLanes + 3; ++n) {
        std::vector<double> weights(n), left(n, 5.0), free(n, 8.0), busy(n, 0.0);
        for (std::size_t h = 0; h < n; ++h) {
            weights[h] = h % 3 == 2 ? 0.0 : 2.0;
            left[h] = h % 3 == 2 ? 1e9 : 5.0;
        }
        const double weighing = 2.0 * static_cast<double>(n - n / 3);
        const kernels::Served sums = kernels::serve(n, {1, 1, 2, 2, true}, weights.data(), left.data(), free.data(), busy.data());
        EXPECT_EQ(sums.units, 4 * weighing) << n;
        EXPECT_EQ(sums.devices, 8 * weighing) << n;
        EXPECT_EQ(sums.left, n == 0 ? 0.0 : 1.0) << n;
    }
}

TEST(Kernels, ServeNeverGivesMoreThanIsAskedOrThanFits) {
    for (double demand = 0; demand < 50; demand += 0.7) {
        const ServedHours hour = serve({3, 4, 2, 2, true}, Lanes(demand), Lanes(21));
        EXPECT_TRUE(is_close(hour.served[0] + hour.left[0], demand));
        EXPECT_LE(hour.served[0], demand);
        EXPECT_LE(hour.taken[0], 21.0);
        EXPECT_LE(hour.busy[0], hour.taken[0]);
        EXPECT_EQ(hour.free[0] + hour.taken[0], 21.0);
    }
}

TEST(Kernels, ServeWithNoRoomLeavesAll) {
    const ServedHours hour = serve({1, 1, 8, 8, true}, {5, 5, 5, 5}, {0, 7, 0, 7});
    EXPECT_EQ(hour.served, Lanes(0.0));
    EXPECT_EQ(hour.left, Lanes(5.0));
}

TEST(Kernels, BoundedServesUpToTheBound) {
    Lanes left = {5, 20, 0, 10};
    Lanes bound = {10, 10, 10, 10};
    const Lanes one(1.0);
    EXPECT_EQ(kernels::serve_bounded(kLanes, one.data(), left.data(), bound.data()).units, 25.0 * static_cast<double>(kLanes / 4));
    EXPECT_EQ(left, (Lanes{0, 10, 0, 0}));
    EXPECT_EQ(bound, (Lanes{5, 0, 10, 0}));
    Lanes unbounded(HUGE_VAL);
    const kernels::Served rest = kernels::serve_bounded(kLanes, one.data(), left.data(), unbounded.data());
    EXPECT_EQ(rest.units, 10.0 * static_cast<double>(kLanes / 4));
    EXPECT_EQ(rest.left, 0.0);
    EXPECT_EQ(unbounded, Lanes(HUGE_VAL)) << "unbounded stays unbounded";
}

TEST(Kernels, InstancesAreWhole) {
    const Lanes free = {1e6, 1e6 - 1, 1e6 - 8, 1e6 - 9};
    Lanes instances(-1.0);
    kernels::whole_instances(kLanes, 1e6, 8, true, free.data(), instances.data());
    EXPECT_EQ(instances, (Lanes{0, 1, 1, 2}));
    const Lanes more = {1e6 - 21, 1e6 - 22, 7, 0};
    kernels::whole_instances(kLanes, 1e6, 7, true, more.data(), instances.data());
    EXPECT_EQ(instances, (Lanes{3, 4, 142857, 142858}));
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
    const Lanes weights = {1, 1, 10, 0};
    EXPECT_EQ(kernels::running(kLanes, 3, weights.data(), inference.data(), training.data(), y.data()),
              56.0 * static_cast<double>(kLanes / 4));
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
    kernels::add(kLanes, a.data(), b.data(), y.data());
    EXPECT_EQ(y, (Lanes{3, 2, 2, 4.5}));
    kernels::subtract_from(kLanes, 10, a.data(), y.data());
    EXPECT_EQ(y, (Lanes{9, 8, 7, 6}));
    kernels::linear(kLanes, {1000, 100, 10, 1}, a.data(), b.data(), y.data());
    EXPECT_EQ(y, (Lanes{1121, 1201, 1291, 1406}));
}

} // namespace
} // namespace costcurve::model
