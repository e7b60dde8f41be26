"""What an integrator's program does: as in program.js, with the client in Python."""
import json
import random
import sys
import threading
from decimal import Decimal

import swap_broker

url, api_key = sys.argv[1:]
keys = swap_broker.SwapBroker(url).get_case_keys()["keys"]
broker = swap_broker.SwapBroker(url, api_key, case_keys=keys)
best = broker.get_quotes(sourceAsset="btc.btc", destinationAsset="eth.eth", amount=Decimal("0.25"))[0]
order = dict(best["swapParameters"], quoteId=best["quoteId"],
             destinationAddress="0x2222222222222222222222222222222222222222",
             refundAddress="bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4")
key = str(random.random())
channel = broker.open_swap_by_post(**order, idempotency_key=key)
again = broker.open_swap_by_post(**order, idempotency_key=key)
# The answer for another API key, and the one under another Idempotency-Key.
own_id = broker.get_account()["key"]["id"]
given = swap_broker.SwapBroker(url, api_key, case_keys=keys, key_id=own_id)
assert given.open_swap_by_post(**order, idempotency_key=key)["id"] == channel["id"]


class Changing(swap_broker.SwapBroker):
    """Changes the headers of a request on its way."""

    changes = {}

    def _request(self, *args, **kwargs):
        request = super()._request(*args, **kwargs)
        request.headers.update(self.changes)
        return request


def assert_refused(client, said):
    try:
        client.open_swap_by_post(**dict(order, quoteId=None), idempotency_key=key + "-other")
        sys.exit(f"an answer was taken that was to be refused: {said}")
    except swap_broker.SignatureRejected as error:
        assert said in str(error), error


other = broker.issue_key(name="default", label="other")
assert other["key"].startswith(f"sbk_{other['id']}_")
assert_refused(swap_broker.SwapBroker(url, api_key, case_keys=keys, key_id=other["id"]), "another API key's")
changing = Changing(url, api_key, case_keys=keys, key_id=own_id)
for changes in [{"X-api-key": other["key"]}, {"Idempotency-key": "x"}]:
    changing.changes = changes
    assert_refused(changing, "another API key's")
named = swap_broker.SwapBroker(url, other["key"], case_keys=keys, key_id=own_id)
assert named.open_swap_by_post(**order, idempotency_key=key)["id"] == channel["id"]
broker.create_sandbox_deposit(address=channel["address"], amount=best["ingressAmount"])
states = []


def follow():
    for event in broker.follow_swap(swapId=channel["id"]):
        states.append(event.data["data"]["status"]["state"])


following = threading.Thread(target=follow)
following.start()
while following.is_alive() and states[-1:] != ["completed"]:
    broker.advance_sandbox_time(advanceSeconds=300)
following.join()
status = broker.list_swaps(limit=1, status=["completed"])[0]["status"]
texts = []
broker.get_case_file(id=str(channel["id"]), on_answer=lambda answer: texts.append(answer.text))
swap_broker.verify_case_file(texts[0], keys)
try:
    swap_broker.verify_case_file(texts[0].replace("btc.btc", "ltc.ltc"), keys)
    sys.exit("a changed case file was taken")
except swap_broker.SignatureRejected:
    pass
try:
    broker.open_swap(**dict(order, destinationAddress="nowhere"))
    sys.exit("a wrong address was taken")
except swap_broker.ProblemError as error:
    refused = f"true {error.status} {','.join(error.problem['errors'])}"

# Digits of random amounts, none of which a double has.
for _ in range(10_000):
    amount = f"{random.randrange(10**30)}.{random.randrange(10**30)}"
    native = str(random.randrange(10**40))
    fee = swap_broker._read_json('{"amount":%s,"amountNative":"%s","newer":%s}' % (amount, native, amount), "Fee")
    assert format(fee["amount"], "f") == amount == format(fee["newer"], "f") and fee["amountNative"] == int(native)

# The vectors 1 to 3 of RFC 8032, each with a bit that was changed.
for public, signature, message in [
    ("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b", ""),
    ("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00", "72"),
    ("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
     "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a", "af82"),
]:
    given = [bytes.fromhex(part) for part in (public, signature, message)]
    assert swap_broker.verify_ed25519(*given)
    for at in range(64):
        changed = bytearray(given[1])
        changed[at] ^= 1
        assert not swap_broker.verify_ed25519(given[0], bytes(changed), given[2])
    assert not swap_broker.verify_ed25519(given[0], given[1], given[2] + b"x")

print(json.dumps({
    "once": again["id"] == channel["id"],
    "states": list(dict.fromkeys(states)),
    "arrived": str(status["swapEgress"]["amountNative"] == best["egressAmountNative"]).lower(),
    "kinds": f"{type(best['egressAmount']).__name__} {type(best['egressAmountNative']).__name__}",
    "refused": refused,
}))
