// What must hold for any scenario. Each check gives a sentence for every breach; empty where it holds.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/documents/documents.hpp"

namespace costcurve::tests {

using Breaches = std::vector<std::string>;

/// Σ by month = by pool = by category = by workload + unallocated = total, to 1e-9.
[[nodiscard]] Breaches parts_sum_to_the_total(const model::ScenarioDocument& document);
/// Σ ledger rows = total, for cost and cash, and by workload.
[[nodiscard]] Breaches ledger_rows_sum_to_the_total(const model::ScenarioDocument& document);
/// The scenario under other rules of allocation, its workloads tagged.
[[nodiscard]] std::vector<model::ScenarioDocument> allocated_otherwise(model::ScenarioDocument document);
/// Under each of these: workloads + unallocated = total, Σ rows = total, and the values of each tag together.
[[nodiscard]] Breaches every_allocation_sums_to_the_total(const model::ScenarioDocument& document);
/// Served + unserved = demanded; nothing negative.
[[nodiscard]] Breaches work_is_conserved(const model::ScenarioDocument& document);
/// Busy <= reserved <= paid <= N_p in every hour.
[[nodiscard]] Breaches reserved_is_paid_and_there(const model::ScenarioDocument& document);
/// All prices doubled: every cost and cash doubles, physical figures stay.
[[nodiscard]] Breaches doubled_prices_double_costs(const model::ScenarioDocument& document);
/// Curves of money in another currency, with their values converted by hand: every cost and cash stays.
[[nodiscard]] Breaches converted_curves_cost_the_same(const model::ScenarioDocument& document);
/// Dropping the last runs_on entry of a workload never serves it more.
[[nodiscard]] Breaches longer_routes_serve_no_less(const model::ScenarioDocument& document);
/// More provisioned units leave no less served, in list order.
[[nodiscard]] Breaches more_units_serve_no_less(const model::ScenarioDocument& document);
/// With commitments to spend no more is paid than without them and all that is committed; nothing that is served changes.
[[nodiscard]] Breaches committed_spend_is_paid_once(const model::ScenarioDocument& document);
/// Tiers of volume and egress at the list price cost what no tiers do; cheaper ones cost no more in list order.
[[nodiscard]] Breaches tiers_at_list_price_change_nothing(const model::ScenarioDocument& document);
/// What may be sold of terms costs no more than what may not, less with a higher price, and nothing where none of a term is left.
[[nodiscard]] Breaches what_is_sold_is_taken_off(const model::ScenarioDocument& document);
/// The later a run falls back to its last entry, the less of it is left for that.
[[nodiscard]] Breaches later_fall_backs_leave_less(const model::ScenarioDocument& document);
/// Straight line, no discount: Σ cost = Σ cash, up to engineering and assets owned before (whose cash is their book value).
[[nodiscard]] Breaches cost_is_cash_over_the_horizon(const model::ScenarioDocument& document);
/// Evaluating again in the same workspace asks for no memory.
[[nodiscard]] Breaches evaluation_allocates_nothing(const model::ScenarioDocument& document);
/// How often this program has asked for memory (allocations.cpp).
[[nodiscard]] std::size_t allocations_so_far();
[[nodiscard]] Breaches figures_are_finite(const model::ScenarioDocument& document);
[[nodiscard]] Breaches evaluation_is_deterministic(const model::ScenarioDocument& document);
/// Load that is reckoned once for hours that fold has the bits of that of each hour.
[[nodiscard]] Breaches folding_changes_no_bit(const model::ScenarioDocument& document);
/// An evaluation that follows others in a variant has the bits of the document evaluated by itself.
[[nodiscard]] Breaches variants_are_their_documents(const model::ScenarioDocument& document);
/// Requests of one length have the bits of units_per_request, on devices and at hosts.
[[nodiscard]] Breaches a_mix_of_one_length_is_that_request(const model::ScenarioDocument& document);
/// At hosts a request of a mix costs Σ share × what a request of each length costs by itself.
[[nodiscard]] Breaches a_mix_costs_what_its_lengths_cost(const model::ScenarioDocument& document);
/// The more requests with a prefix come, the less one costs, down to what it costs where all find it.
[[nodiscard]] Breaches more_arrivals_cost_no_more(const model::ScenarioDocument& document);
/// One workload's spares raised: it is served no less, to 1e-5 of a replica an hour where the normal form begins.
[[nodiscard]] Breaches more_spares_serve_no_less(const model::ScenarioDocument& document);
/// What is lost to outages is within what is undone; the rest of it is what is undone where nothing fails.
[[nodiscard]] Breaches what_is_lost_had_room(const model::ScenarioDocument& document);
/// Where nothing fails, times to replace and an availability change no bit, and sums over replicas that are up no figure.
[[nodiscard]] Breaches without_outages_no_bit_changes(const model::ScenarioDocument& document);
/// Inference to the cheapest costs no more than in list order where it leaves as little undone; demand charges, tiers and
/// commitments to spend apart.
[[nodiscard]] Breaches cheapest_costs_no_more(const model::ScenarioDocument& document);
/// A larger burst of one workload: its first pool holds no less for it, and as much is asked for.
[[nodiscard]] Breaches larger_bursts_hold_no_less(const model::ScenarioDocument& document);
/// Bursts of hardly more than the mean cost what no bursts cost, of inference in list order.
[[nodiscard]] Breaches small_bursts_change_nothing(const model::ScenarioDocument& document);
/// The same with hosts that never fail and instances that are always to be had.
[[nodiscard]] model::ScenarioDocument without_failures(model::ScenarioDocument document);
/// The same with offers that state nothing of how instances start.
[[nodiscard]] model::ScenarioDocument without_starts(model::ScenarioDocument document);
/// For inference in list order without failures: instances that start for bursts cost no more than instances that are held, and
/// no less with longer boots, idle times, billing steps or minimums; billed by the hour, they are held.
[[nodiscard]] Breaches starts_cost_no_more(const model::ScenarioDocument& document);
/// They serve as much, by entry and month.
[[nodiscard]] Breaches starts_serve_as_much(const model::ScenarioDocument& document);
[[nodiscard]] Breaches starts_without_bursts_change_no_bit(const model::ScenarioDocument& document);
/// On two pools, shares of 1 and 0 are the list's order, where nothing starts for bursts: by share instances are held.
[[nodiscard]] Breaches a_share_of_one_is_the_list(const model::ScenarioDocument& document);
/// Whatever the shares of two pools are, no more is served than is asked for.
[[nodiscard]] Breaches shares_serve_what_is_asked_at_most(const model::ScenarioDocument& document);
/// Whether a workload's prompts are read on one pool and answered on another.
[[nodiscard]] bool has_pair(const model::ScenarioDocument& document);
/// Of a pair no more is answered than is read, and what is answered is what is served.
[[nodiscard]] Breaches answers_follow_their_prompts(const model::ScenarioDocument& document);
/// Where nothing fails, a pair with twice the link serves no less.
[[nodiscard]] Breaches a_wider_link_serves_no_less(const model::ScenarioDocument& document);
/// With a taxable income for all deductions after-tax figures have the bits of those without a limit; without any they are no less.
[[nodiscard]] Breaches losses_are_only_put_off(const model::ScenarioDocument& document);
/// Failures of a Weibull shape of 1 are the same at every age.
[[nodiscard]] Breaches a_shape_of_one_is_no_age(const model::ScenarioDocument& document);
/// Forwards that are the same in each month cost what one rate does.
[[nodiscard]] Breaches a_flat_forward_is_a_rate(const model::ScenarioDocument& document);
[[nodiscard]] Breaches no_tax_changes_nothing(const model::ScenarioDocument& document);

} // namespace costcurve::tests
