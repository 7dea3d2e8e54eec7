// Bills that are taken back, in whatever order: what stays is as if the others alone had been saved.
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/storage/sample_store.hpp"

namespace costcurve::storage::test {
namespace {

using Bill = std::vector<BillLine>;

BillLine usage(const std::string& resource, double cost, const std::string& account = "1") {
    BillLine line{20000, "aws", account, "eu", "p5", "on_demand", "h100", "USD", 1, 8, cost, cost, cost};
    line.resource = resource;
    return line;
}

// The cost by day, account, SKU and resource.
std::map<std::string, double> stored_bill(const Store& store) {
    std::map<std::string, double> costs;
    for (std::int64_t day = 20000; day < 20003; ++day) {
        store.visit_bill(day, day + 1, [&](const BillSum& sum) {
            costs[std::to_string(day) + "/" + sum.line.account + "/" + sum.line.sku + "/" + sum.line.resource] =
                sum.line.billed_cost;
        });
    }
    return costs;
}

struct Bills {
    SampleStore sample;
    std::vector<std::pair<std::int64_t, Bill>> saved; // those that are not undone

    void save(const Bill& bill) {
        sample.time += kHour;
        saved.emplace_back(sample.store.save_bill(kAlice, bill, false, "").change, bill);
    }
    void undo(std::size_t place) {
        sample.time += kHour;
        SaveOptions options;
        options.undone_bills = {saved[place].first};
        static_cast<void>(sample.store.save_all(kAlice, {}, options));
        saved.erase(saved.begin() + static_cast<std::ptrdiff_t>(place));
    }
    // What a store has to which only these were saved.
    [[nodiscard]] std::map<std::string, double> of_the_others() const {
        SampleStore other;
        for (const auto& [change, bill] : saved) {
            static_cast<void>(other.store.save_bill(kAlice, bill, false, ""));
        }
        return stored_bill(other.store);
    }
};

TEST(UndoneBills, LeaveDeadWhatALaterBillOfTheDayHasReplacedToo) {
    Bills bills;
    bills.save({usage("i1", 1000)});
    bills.save({usage("i0", 10)});
    bills.save({usage("i0", 20)});
    bills.undo(1);
    EXPECT_EQ(stored_bill(bills.sample.store), (std::map<std::string, double>{{"20000/1/p5/i0", 20}}));
    bills.undo(1);
    EXPECT_EQ(stored_bill(bills.sample.store), (std::map<std::string, double>{{"20000/1/p5/i1", 1000}}));
}

TEST(UndoneBills, LeaveDeadWhatALaterBillByAccountHasReplacedToo) {
    Bills bills;
    bills.save({usage("i1", 1000, "")});
    bills.save({usage("i0", 10, "1")});
    bills.save({usage("i0", 20, "1")});
    bills.undo(1);
    EXPECT_EQ(stored_bill(bills.sample.store), (std::map<std::string, double>{{"20000/1/p5/i0", 20}}));
    bills.undo(1);
    EXPECT_EQ(stored_bill(bills.sample.store), (std::map<std::string, double>{{"20000//p5/i1", 1000}}));
}

TEST(Bills, ByAccountReplaceWhatNamesNoneOfTheSameResourceToo) {
    Bills bills;
    bills.save({usage("i1", 1)});
    bills.save({usage("i1", 5, "")});
    bills.save({usage("i2", 10)});
    EXPECT_EQ(stored_bill(bills.sample.store), (std::map<std::string, double>{{"20000/1/p5/i2", 10}}));
}

TEST(UndoneBills, InAnyOrderLeaveWhatTheOthersSay) {
    std::mt19937 random(34);
    const auto below = [&](std::uint32_t count) { return random() % count; };
    for (int round = 0; round < 40; ++round) {
        Bills bills;
        double cost = 0;
        for (int step = 0; step < 8; ++step) {
            if (!bills.saved.empty() && below(3) == 0) {
                bills.undo(below(static_cast<std::uint32_t>(bills.saved.size())));
                ASSERT_EQ(stored_bill(bills.sample.store), bills.of_the_others()) << "round " << round << ", step " << step;
                continue;
            }
            Bill bill;
            const bool is_nameless = below(4) == 0;
            for (std::uint32_t line = 0; line <= below(4); ++line) {
                std::string account = is_nameless ? "" : std::to_string(1 + below(2));
                bill.push_back(usage("i" + std::to_string(below(3)), cost += 1, account));
                bill.back().sku = below(2) == 0 ? "p5" : "p4";
                bill.back().day += below(2);
            }
            bills.save(bill);
        }
    }
}

} // namespace
} // namespace costcurve::storage::test
