// Fields of the result of dividing requests by size.
#pragma once

#include "model/documents/field.hpp"
#include "model/questions/rank/rank.hpp"

namespace costcurve::model {

template <>
inline constexpr auto fields<MixBucket> = Rows{
    Field{"workload", &MixBucket::workload, {.help = "id"}},
    Field{"bucket", &MixBucket::bucket, {.help = "its place in the workload's token_mix, from 0; 0 where that is absent"}},
    Field{"share", &MixBucket::share, {.unit = "fraction", .help = "of the workload's requests"}},
    Field{"ways",
          &MixBucket::ways,
          {.help =
               "offers, servers and hosted models on which it keeps its objectives by itself; where it is 0, no mix is possible"}},
    Field{"reason", &MixBucket::reason, {.help = "where there is none: what keeps the nearest from it; else empty"}}};
template <>
inline constexpr auto fields<MixReport> = Rows{
    Field{"outcome",
          &MixReport::outcome,
          {.help = "listed: a mix costs less than any single way that it may be made of, and is in the ranking; no_cheaper: none "
                   "does; no_way: a "
                   "bucket has no way, or no way its cost"}},
    Field{"gap_fraction",
          &MixReport::gap_fraction,
          {.unit = "fraction",
           .help = "between the cost that the integer programme found and its bound, below which no division lies; null without "
                   "one, or where a plan costs less"}},
    Field{"on_one_device",
          &MixReport::on_one_device,
          {.help = "of a division that costs less than any single way: the figure of the same groups, all on the best one of its "
                   "devices; no mix is listed that costs as much. Else null"}},
    Field{"buckets", &MixReport::buckets, {.help = "by workload and bucket of its token_mix"}}};

} // namespace costcurve::model
