#!/usr/bin/env python3
"""Which offers of an H100 are the cheapest on a day, and what serving a 70B model on it costs at its price and at a fifth less.

usage: h100.py [URL [KEY]]    a service with the catalogue and the examples, as deploy/run starts it
"""

import sys

from costcurve import Client, Problem

DAY = "2026-11-23"
SCENARIO = "serving-70b.cloud-on-demand"


def main(url: str = "http://127.0.0.1:8080", key: str | None = None) -> None:
    service = Client(url, key)
    offers = service.each_offers(device="nvidia.h100-sxm5-80gb", purchase="on_demand")
    prices = [service.get_offers_id_price(offer["id"], date=DAY) for offer in offers if "problem" not in offer]
    for price in sorted(prices, key=lambda price: price["hourly_price_per_device"])[:5]:
        print(f"{price['hourly_price_per_device']:6.2f} {price['currency']} an hour and GPU  {price['offer']}")
    whole = service.post_evaluate({"scenario": SCENARIO})["total"]["cost"]
    less = service.post_evaluate({"scenario": SCENARIO, "set": {"/pools/0/discount_fraction": 0.2}})["total"]["cost"]
    print(f"{SCENARIO}: {whole:,.0f} USD; at 20 % less {less:,.0f} USD")
    try:
        service.post_evaluate({"scenario": SCENARIO, "set": {"/months": 0}})
    except Problem as problem:
        print(problem)


if __name__ == "__main__":
    main(*sys.argv[1:])
