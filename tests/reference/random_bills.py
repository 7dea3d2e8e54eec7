"""What a utility bills beside energy and demand, drawn for a site: tiers of charges, the minimum, reactive power, riders."""
from __future__ import annotations


def draw_charge(dice, charge: dict) -> None:
    dice.optional(charge, 0.2, coincident=True, min_kw=lambda: dice.num(0.1, 50), per_kw_year=lambda: dice.num(1, 80),
                  name="drawn")
    if dice.flip(0.25):
        price, tiers = charge["per_kw_month"], []
        for above in sorted({dice.num(0.1, 20) for _ in range(dice.rng.randint(1, 2))}):
            add = round(dice.rng.uniform(-price, 10), 3)
            price += add
            tiers.append({"above_kw": above, "add_per_kw_month": add})
        if price >= 0:
            charge["tiers"] = tiers


def draw_rider(dice, of_horizon: int) -> dict:
    amounts = {"per_month": dice.num(5, 500), "per_kwh": dice.num(-0.02, 0.03), "per_kw": dice.num(0.1, 4),
               "fraction_of_bill": dice.num(-0.1, 0.2)}
    rider = {"name": "drawn", **{k: amounts[k] for k in dice.rng.sample(list(amounts), dice.rng.randint(1, 4))}}
    dice.optional(rider, 0.3, months=dice.months_of_year, from_month=lambda: dice.rng.randint(0, of_horizon))
    if dice.flip(0.2):
        rider["to_month"] = rider.get("from_month", 0) + dice.rng.randint(0, 6)
    return rider


def draw_bill(dice, site: dict, of_horizon: int) -> None:
    """After its demand charges and tiers."""
    charges = len(site.get("demand_charges", []))
    for charge in site.get("demand_charges", []):
        draw_charge(dice, charge)
    tiers = site.get("energy_tiers", [])
    for tier in tiers:
        if charges and "above_kwh_per_kw" in tier:
            dice.optional(tier, 0.5, kw_of_charge=lambda: dice.rng.randrange(charges))
    if dice.flip(0.3):
        months = dice.months_of_year()
        for tier in tiers:
            tier["months"] = months
    if dice.flip(0.3):
        site["riders"] = [draw_rider(dice, of_horizon) for _ in range(dice.rng.randint(1, 3))]
    if dice.flip(0.25):
        site["reactive"] = rule = {}
        dice.optional(rule, 0.6, per_kvar_month=lambda: dice.num(0.1, 2), per_kvarh=lambda: dice.num(0.0005, 0.01),
                      adjusts_demand=dice.flip(), target_power_factor=lambda: dice.num(0.85, 1))
        dice.optional(site, 0.7, power_factor=lambda: dice.num(0.7, 1))
    if dice.flip(0.25):
        site["minimum_bill"] = least = {"per_month": dice.num(1, 3000)}
        dice.optional(least, 0.5, per_kw_month=lambda: dice.num(0.5, 30))
        if charges:
            dice.optional(least, 0.5, kw_of_charge=lambda: dice.rng.randrange(charges))
