// Dispatches prefill/decode pairs by the hour: the first entry reads prompts, then the second writes answers to the read ones.
#include <algorithm>

#include "model/dispatch/outages.hpp"
#include "model/dispatch/parts.hpp"
#include "model/kernels.hpp"

namespace costcurve::model {

namespace {

// Stores in `read` the fraction of prompts with room that is read in spite of outages. Answers are first routed as if all prompts
// with room were read.
void ask_for_answers(const CompiledWorkload& workload, const MonthView& month, Workspace& work) {
    for (std::size_t h = 0; h < month.size; ++h) {
        const double read = work.demand[h] - work.unserved[h];
        const double room = workload.has_outages ? work.room[h] : read;
        work.read[h] = room > 0.0 ? read / room : 1.0;
        work.unserved[h] = room;
        work.room[h] = 0.0;
        work.chance[h] = 1.0;
    }
}

// Removes answers whose prompt wasn't read; outages of both pools are independent.
void leave_out_unread(const Compiled& compiled, std::size_t e, std::size_t m, const MonthView& month, Workspace& work) {
    const CompiledEntry& entry = compiled.entries[e];
    const CompiledPool& pool = compiled.pools[entry.pool];
    const double busy_per_unit = entry.rate > 0.0 ? entry.devices / (entry.rate * learned(pool, m)) : 0.0;
    for (std::size_t h = 0; h < month.size; ++h) {
        const double unread = work.served[h] * (1.0 - work.read[h]);
        work.pools[entry.pool].busy[h] -= unread / pool.there * busy_per_unit;
        work.served[h] -= unread;
        work.unserved[h] = work.demand[h] - work.served[h];
    }
}

} // namespace

void dispatch_pair(const Compiled& compiled, const CompiledWorkload& workload, std::size_t m, const MonthView& month,
                   Workspace& work) {
    serve_entry(compiled, workload.first_entry, m, month, work);
    ask_for_answers(workload, month, work);
    const std::size_t e = workload.first_answer;
    if (!workload.has_outages) {
        serve_entry(compiled, e, m, month, work);
        return;
    }
    const kernels::Served answered = serve_hours(compiled, e, m, month, work);
    leave_out_unread(compiled, e, m, month, work);
    book_entry(compiled, e, m, sum_over_hours(month, work.served.data()), answered.devices, work.ledger);
}

} // namespace costcurve::model
