"""Webhooks from the real daemon to a real receiver: signed, retried, dead in the end, never lost, and never where they must not go.

usage: webhooks_test.py COSTCURVE [unittest options]
"""

import os
import sys
import time
import unittest
import unittest.mock

from command_line_case import PATIENCE_S, CommandLineCase
from daemon import Daemon
from receiver import Receiver

SECRET = "correct horse battery staple"
QUICK = ("--allow-private-webhooks", "--webhook-retry-s", "0.001")  # eight tries within three seconds


class Webhooks(CommandLineCase):
    def daemon(self, *options, **settings):
        return Daemon(self.costcurve, self.directory, *options, **settings)

    def put(self, daemon, receiver, name="hook", **members):
        document = {"url": receiver.url(), "secret": SECRET, **members}
        status, _, answer = daemon.ask("PUT", f"/v1/webhooks/{name}", document)
        self.assertIn(status, (200, 201), answer)
        return answer

    def ping(self, daemon, name="hook"):
        status, _, answer = daemon.ask("POST", f"/v1/webhooks/{name}/test")
        self.assertEqual(status, 202, answer)
        return answer["event"]

    def delivery(self, daemon, event):
        status, _, page = daemon.ask("GET", f"/v1/deliveries?event={event}")
        self.assertEqual(status, 200, page)
        self.assertEqual(len(page["items"]), 1, page)
        return page["items"][0]

    def ended(self, daemon, event):
        """The delivery of an event once it is no longer pending."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            delivery = self.delivery(daemon, event)
            if delivery["state"] != "pending":
                return delivery
            time.sleep(0.02)
        return self.fail(f"still pending after {PATIENCE_S} s: {delivery}")

    def test_an_event_is_delivered_signed_after_failures(self):
        with Receiver(SECRET, [500, 503, 404]) as receiver, self.daemon(*QUICK) as daemon:
            self.put(daemon, receiver)
            event = self.ping(daemon)
            delivery = self.ended(daemon, event)
            self.assertEqual((delivery["state"], delivery["attempts"], delivery["last_status"]), ("delivered", 4, 204))
            self.assertEqual((delivery["last_error"], delivery["next_try_at"]), (None, None))
            self.assertEqual([call["status"] for call in receiver.calls], [500, 503, 404, 204])
            for call in receiver.calls:
                self.assertTrue(call["signed"])
                self.assertEqual(call["headers"]["X-Costcurve-Event"], "ping")
                self.assertEqual(call["headers"]["X-Costcurve-Delivery"], delivery["id"])
                self.assertEqual(call["headers"]["Content-Type"], "application/json")
                self.assertLess(abs(int(call["headers"]["X-Costcurve-Timestamp"]) - time.time()), PATIENCE_S)
                self.assertEqual(call["body"], receiver.calls[0]["body"])
            logged = daemon.ask("GET", "/v1/events?kind=ping&subject=webhook/hook")[2]["items"]
            self.assertEqual(logged, [receiver.calls[0]["body"]], "what is sent is what the log has")
            self.assertEqual(logged[0]["event"], event)

    def test_a_chat_gets_a_sentence_in_its_own_form_signed_too(self):
        with Receiver(SECRET) as receiver, self.daemon(*QUICK) as daemon:
            sentence = "costcurve reaches this channel: a test of webhook/hook."
            self.put(daemon, receiver, format="slack")
            self.ended(daemon, self.ping(daemon))
            self.put(daemon, receiver, format="teams")
            self.ended(daemon, self.ping(daemon))
            self.put(daemon, receiver)
            self.ended(daemon, self.ping(daemon))
            slack, teams, plain = (call["body"] for call in receiver.calls)
            self.assertEqual(slack, {"text": sentence})
            card = teams["attachments"][0]["content"]
            self.assertEqual((teams["type"], card["type"], card["body"][0]["inlines"][0]["text"]),
                             ("message", "AdaptiveCard", sentence))
            self.assertEqual((plain["kind"], plain["subject"]), ("ping", "webhook/hook"))
            self.assertTrue(all(call["signed"] for call in receiver.calls))
            status, _, answer = daemon.ask("PUT", "/v1/webhooks/hook", {"url": receiver.url(), "format": "irc"})
            self.assertEqual((status, answer["errors"][0]["pointer"]), (422, "/format"), answer)
            status, _, answer = daemon.ask("PUT", "/v1/webhooks/hook", {"url": receiver.url("localhost"), "format": "slack"})
            self.assertEqual((status, answer["errors"][0]["pointer"]), (422, "/secret"), "a new URL needs a new secret")

    def test_what_is_never_taken_is_dead_after_the_last_try(self):
        with Receiver(SECRET, [500] * 100) as receiver, self.daemon(*QUICK) as daemon:
            self.put(daemon, receiver)
            delivery = self.ended(daemon, self.ping(daemon))
            self.assertEqual((delivery["state"], delivery["attempts"], delivery["last_status"]), ("dead", 8, 500))
            self.assertEqual(delivery["last_error"], "it answered 500")
            self.assertEqual(len(receiver.calls), 8)
            self.assertEqual(daemon.ask("GET", "/v1/deliveries?state=dead")[2]["items"], [delivery])
            self.assertEqual(daemon.ask("GET", "/v1/deliveries?state=delivered")[2]["items"], [])
            receiver.statuses.clear()
            again = f"/v1/deliveries/{delivery['id']}/retry"
            self.assertEqual(daemon.ask("POST", again)[::2], (202, {"event": delivery["event"]}))
            retried = self.ended(daemon, delivery["event"])
            self.assertEqual((retried["id"], retried["state"], retried["attempts"]), (delivery["id"], "delivered", 1))
            self.assertEqual(daemon.ask("POST", again)[0], 409, "it was delivered")
            self.assertEqual(daemon.ask("POST", "/v1/deliveries/none/retry")[0], 404)

    def test_no_address_that_is_not_public_is_called(self):
        hosts = ("127.0.0.1", "localhost", "LocalHost.", "[::ffff:127.0.0.1]", "0.0.0.0", "2130706433", "0x7f.1", "017700000001",
                 "127.1", "[::1]", "10.1.2.3", "x.localhost")
        with Receiver(SECRET) as receiver, self.daemon(*QUICK) as daemon:
            for number, host in enumerate(hosts):
                self.put(daemon, receiver, f"hook{number}", url=receiver.url(host))
        with Receiver(SECRET) as receiver, self.daemon("--webhook-retry-s", "0.001") as daemon:
            for number, host in enumerate(hosts):
                with self.subTest(host=host):
                    document = {"url": receiver.url(host), "secret": SECRET}
                    status, _, answer = daemon.ask("PUT", "/v1/webhooks/hook", document)
                    self.assertEqual((status, answer["errors"][0]["pointer"]), (422, "/url"), answer)
                    self.assertIn("--allow-private-webhooks", answer["errors"][0]["message"])
                    delivery = self.ended(daemon, self.ping(daemon, f"hook{number}"))
                    self.assertEqual((delivery["state"], delivery["attempts"]), ("dead", 1))
                    self.assertIn("--allow-private-webhooks", delivery["last_error"])
                    self.assertIsNone(delivery["last_status"])
            self.assertEqual(receiver.calls, [])

    def test_a_url_that_can_never_work_is_not_stored(self):
        with self.daemon() as daemon:
            for url in ("http://①②⑦.⓪.⓪.①/", "http://1.2.3.4.5/", "http://999.1.1.1/", "http://a..b/", "http://exa%20mple.org/",
                        "http://" + "a" * 64 + ".org/", "http://example.org:0/", "ftp://example.org/"):
                status, _, answer = daemon.ask("PUT", "/v1/webhooks/hook", {"url": url, "secret": SECRET})
                self.assertEqual((status, [error["pointer"] for error in answer["errors"]]), (422, ["/url"]), (url, answer))
            for url in ("HTTP://example.org/", "hTTps://EXAMPLE.org/x", "https://xn--bcher-kva.example/"):
                status, _, answer = daemon.ask("PUT", "/v1/webhooks/hook", {"url": url, "secret": SECRET})
                self.assertIn(status, (200, 201), answer)

    def test_a_new_url_needs_a_new_secret(self):
        with Receiver(SECRET) as receiver, self.daemon(*QUICK) as daemon:
            self.put(daemon, receiver)
            elsewhere = {"url": receiver.url("localhost")}
            status, _, answer = daemon.ask("PUT", "/v1/webhooks/hook", elsewhere)
            self.assertEqual((status, answer["errors"][0]["pointer"]), (422, "/secret"), answer)
            self.assertIn("a new URL needs a new secret", answer["errors"][0]["message"])
            self.assertEqual(daemon.ask("PUT", "/v1/webhooks/hook", {"url": receiver.url(), "note": "the same"})[0], 200)
            self.assertEqual(daemon.ask("PUT", "/v1/webhooks/hook", {**elsewhere, "secret": SECRET})[0], 200)

    def test_viewers_see_the_host_of_a_url_alone(self):
        keys = {}
        for role in ("viewer", "editor", "admin"):
            status, secret, said = self.run_costcurve("keys", "add", role, "--role", role, "--database", self.database)
            self.assertEqual(status, 0, said)
            keys[role] = {"Authorization": f"Bearer {secret.strip()}"}
        url = "https://hooks.example.org:8443/services/T0/B0/very-secret?x=very-secret"
        with self.daemon("--require-keys") as daemon:
            status, _, answer = daemon.ask("PUT", "/v1/webhooks/hook", {"url": url, "secret": SECRET}, keys["editor"])
            self.assertEqual((status, answer["url"]), (201, url))
            recorded = answer["recorded_at"]
            daemon.ask("POST", "/v1/webhooks/hook/test", None, keys["editor"])
            for target in ("/v1/webhooks", "/v1/webhooks/hook", f"/v1/webhooks/hook?as_of={recorded}", "/v1/webhooks?q=hook",
                           "/v1/webhooks/hook/revisions", "/v1/deliveries", "/v1/events"):
                status, _, answer = daemon.ask("GET", target, None, keys["viewer"])
                self.assertEqual(status, 200, answer)
                self.assertNotIn("very-secret", str(answer), target)
            shown = daemon.ask("GET", "/v1/webhooks/hook", None, keys["viewer"])[2]["url"]
            self.assertEqual(shown, "https://hooks.example.org/(hidden)")
            for role in ("editor", "admin"):
                self.assertEqual(daemon.ask("GET", "/v1/webhooks/hook", None, keys[role])[2]["url"], url)
            self.assertNotIn("very-secret", str(daemon.ask("GET", "/v1/audit", None, keys["admin"])[2]))
        self.assertIn(url, self.run_costcurve("export", "--database", self.database)[1], "an operator's")

    def test_a_redirect_is_not_followed(self):
        with Receiver(SECRET, [302, 301, 307, 308] * 2) as receiver, self.daemon(*QUICK) as daemon:
            self.put(daemon, receiver)
            delivery = self.ended(daemon, self.ping(daemon))
            self.assertEqual((delivery["state"], delivery["last_status"]), ("dead", 308))
            self.assertIn("redirects are not followed", delivery["last_error"])
            self.assertEqual({call["path"] for call in receiver.calls}, {"/hook"})

    def test_no_proxy_of_the_environment_is_asked(self):
        with Receiver(SECRET) as receiver, Receiver(SECRET) as proxy:
            with unittest.mock.patch.dict(os.environ, http_proxy=proxy.url(), all_proxy=proxy.url()), \
                    self.daemon(*QUICK) as daemon:
                self.put(daemon, receiver)
                self.assertEqual(self.ended(daemon, self.ping(daemon))["state"], "delivered")
            self.assertEqual((len(receiver.calls), proxy.calls), (1, []))

    def test_one_that_hangs_holds_up_no_other(self):
        with Receiver(SECRET, hangs=True) as slow, Receiver(SECRET) as quick, self.daemon(*QUICK) as daemon:
            self.put(daemon, slow, "slow")
            self.put(daemon, quick, "quick")
            waiting = self.ping(daemon, "slow")
            self.assertTrue(slow.wait(lambda calls: len(calls) == 1, PATIENCE_S))
            for _ in range(20):
                self.assertEqual(self.ended(daemon, self.ping(daemon, "quick"))["state"], "delivered")
            self.assertEqual(self.delivery(daemon, waiting)["state"], "pending")
            self.assertEqual(len(slow.calls), 1)

    def test_a_kill_loses_no_event(self):
        with Receiver(SECRET) as receiver:
            recorded = []
            for round_number in range(5):
                with self.daemon(*QUICK) as daemon:
                    self.put(daemon, receiver)
                    recorded += [self.ping(daemon) for _ in range(10)]
                    if round_number % 2 == 0:  # else while some are on their way
                        receiver.wait(lambda calls: len(calls) >= len(recorded) - 5, PATIENCE_S)
                    daemon.kill()
                    daemon.process.wait()
            with self.daemon(*QUICK) as daemon:
                for event in recorded:
                    self.assertEqual(self.ended(daemon, event)["state"], "delivered")
            received = {call["body"]["event"]: call["headers"]["X-Costcurve-Delivery"] for call in receiver.calls}
            self.assertEqual(sorted(received), recorded)
            doubles = len(receiver.calls) - len(received)
            self.assertEqual(len({call["headers"]["X-Costcurve-Delivery"] for call in receiver.calls}), len(received),
                             f"{doubles} doubles have the ids of the first")
            self.assertTrue(all(call["signed"] for call in receiver.calls))

    def test_the_secret_is_shown_nowhere(self):
        with Receiver(SECRET, [500]) as receiver, self.daemon(*QUICK, log_level="trace") as daemon:
            shown = [self.put(daemon, receiver, note="first")]
            shown.append(self.put(daemon, receiver, note="second", secret=SECRET + " two"))
            receiver.secret = SECRET + " two"
            first = shown[0]["recorded_at"]
            self.assertEqual(self.ended(daemon, self.ping(daemon))["state"], "delivered")
            for target in ("/v1/webhooks/hook", f"/v1/webhooks/hook?as_of={first}", "/v1/webhooks?q=hook",
                           "/v1/webhooks/hook/revisions", "/v1/events", "/v1/deliveries"):
                status, _, answer = daemon.ask("GET", target)
                self.assertEqual(status, 200, answer)
                shown.append(answer)
            for wrong in ({"secret": 12345678901234567890, "url": "x"}, {"secret": SECRET[:9], "url": "x"},
                          {"secret": [SECRET], "url": "x"}, {"secret": SECRET * 20, "url": "x"}, {"secret": SECRET, "url": ""}):
                status, _, answer = daemon.ask("PUT", "/v1/webhooks/hook", wrong)
                self.assertEqual(status, 422, answer)
                shown.append(answer)
            status, _, answer = daemon.ask("PUT", "/v1/webhooks/hook", shown[2])
            self.assertEqual((status, answer["revision"]), (200, shown[1]["revision"]), "what was read can be sent back")
            self.assertEqual(self.ended(daemon, self.ping(daemon))["state"], "delivered")
            self.assertTrue(all(call["signed"] for call in receiver.calls), "with the secret that stayed")
            exported = self.run_costcurve("export", "--database", self.database)
            daemon.process.terminate()
            log = daemon.process.stdout.read()
        self.assertIn("PUT /v1/webhooks/hook", log)
        for text in (str(shown), log, str(exported)):
            for part in (SECRET, SECRET[:9], "12345678901234567890", "1.2345678901234567e"):
                self.assertNotIn(part, text)

    def test_a_webhook_without_a_secret_is_not_called(self):
        with Receiver(SECRET) as receiver:
            webhooks = self.write("webhooks.json", [{"id": "hook", "url": receiver.url()}])
            status, _, said = self.run_costcurve("import", "json", webhooks, "--database", self.database)
            self.assertEqual(status, 0, said)
            with self.daemon(*QUICK) as daemon:
                delivery = self.ended(daemon, self.ping(daemon))
                self.assertEqual(delivery["state"], "dead")
                self.assertIn("no secret", delivery["last_error"])
                self.put(daemon, receiver)
                self.assertEqual(self.ended(daemon, self.ping(daemon))["state"], "delivered")
            self.assertEqual(len(receiver.calls), 1)

    def test_a_daemon_that_stops_waits_for_no_receiver(self):
        with Receiver(SECRET, hangs=True) as receiver:
            daemon = self.daemon(*QUICK)
            self.put(daemon, receiver)
            event = self.ping(daemon)
            self.assertTrue(receiver.wait(lambda calls: len(calls) == 1, PATIENCE_S))
            self.assertEqual(daemon.close(), 0)
            receiver.released.set()
            with self.daemon(*QUICK) as again:
                self.assertEqual(self.ended(again, event)["state"], "delivered")
            self.assertEqual([call["headers"]["X-Costcurve-Delivery"] for call in receiver.calls],
                             [receiver.calls[0]["headers"]["X-Costcurve-Delivery"]] * 2)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    CommandLineCase.costcurve = os.path.abspath(sys.argv.pop(1))
    unittest.main()
