/** What a reader wants to know before the endpoints: each is the description of a tag, in the order to be read. */
interface Guide {
  readonly name: string
  readonly description: string
}

const quickstart = `
A swap from quote to completed. Start a service in sandbox mode: no money moves there, and time passes when you say so.

\`\`\`sh
export KEY=your-api-key URL=http://127.0.0.1:8080
call() { curl -sS -H "X-API-Key: $KEY" "$@"; }

# 1. What would it bring?
call "$URL/quotes?sourceAsset=btc.btc&destinationAsset=eth.eth&amount=0.25"
# 2. Open a deposit channel. Sent again under the same key, it opens no second one.
call -H "Idempotency-Key: order-1" "$URL/swap?sourceAsset=btc.btc&destinationAsset=eth.eth&destinationAddress=0x2222222222222222222222222222222222222222&refundAddress=bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
# 3. Pay to the \`address\` of that answer. In the sandbox:
call "$URL/sandbox/deposits" --json '{"address": "ADDRESS", "amount": "0.25"}'
call "$URL/sandbox/time" --json '{"advanceSeconds": 3600}'
# 4. Follow it, by the \`id\` of that answer.
call "$URL/status-by-id?swapId=ID"
\`\`\`

The same in JavaScript:

\`\`\`js
const url = "http://127.0.0.1:8080"
const call = async (path, { method = "GET", headers = {}, body } = {}) => {
  const answer = await fetch(url + path, {
    method,
    headers: { "X-API-Key": "your-api-key", "Content-Type": "application/json", ...headers },
    body: body && JSON.stringify(body),
  })
  const json = await answer.json()
  if (!answer.ok) throw new Error(\`\${json.title}: \${json.detail} (\${json.traceId})\`)
  return json
}

const pair = { sourceAsset: "btc.btc", destinationAsset: "eth.eth" }
const [best] = await call("/quotes?" + new URLSearchParams({ ...pair, amount: "0.25" }))
const channel = await call("/swap", {
  method: "POST",
  headers: { "Idempotency-Key": crypto.randomUUID() },
  body: {
    ...pair,
    destinationAddress: "0x2222222222222222222222222222222222222222",
    refundAddress: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    minimumPrice: (best.estimatedPrice * 0.98).toFixed(8),
  },
})
await call("/sandbox/deposits", { method: "POST", body: { address: channel.address, amount: "0.25" } })
await call("/sandbox/time", { method: "POST", body: { advanceSeconds: 3600 } })
const { status } = await call("/status-by-id?swapId=" + channel.id)
console.log(status.state)
\`\`\`

And in Python:

\`\`\`python
import json, urllib.parse, urllib.request, uuid

URL = "http://127.0.0.1:8080"

def call(path, body=None, **headers):
    request = urllib.request.Request(
        URL + path,
        data=None if body is None else json.dumps(body).encode(),
        headers={"X-API-Key": "your-api-key", "Content-Type": "application/json", **headers},
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)

pair = {"sourceAsset": "btc.btc", "destinationAsset": "eth.eth"}
best = call("/quotes?" + urllib.parse.urlencode({**pair, "amount": "0.25"}))[0]
channel = call("/swap", {
    **pair,
    "destinationAddress": "0x2222222222222222222222222222222222222222",
    "refundAddress": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    "minimumPrice": f"{best['estimatedPrice'] * 0.98:.8f}",
}, **{"Idempotency-Key": str(uuid.uuid4())})
call("/sandbox/deposits", {"address": channel["address"], "amount": "0.25"})
call("/sandbox/time", {"advanceSeconds": 3600})
print(call(f"/status-by-id?swapId={channel['id']}")["status"]["state"])
\`\`\`

Three things before real money: give a \`refundAddress\` and a \`minimumPrice\`, pay more than the minimum deposit, and send
openings with an \`Idempotency-Key\`.
`

const states = `
\`status.state\` of a swap is one of:

| state | what it means |
|---|---|
| \`waiting\` | the channel is open; no deposit was seen |
| \`receiving\` | a deposit was seen and is being confirmed on the source chain |
| \`swapping\` | the deposit is confirmed and being swapped, in one or several chunks |
| \`sending\` | the output is scheduled to be paid |
| \`sent\` | the output was sent and is being confirmed on the destination chain |
| \`completed\` | it arrived |
| \`failed\` | it did not; \`failure\` of the deposit or of the egress says why |

There is no state for a refund. A swap is \`completed\` with \`swapEgress\` when the output was paid, and with \`refundEgress\`
when the deposit, or what was left of it, went back; it can have both. So look at these, not at the state alone, before you
tell a user that the swap was paid out.

A channel that is over still says \`waiting\`, with \`depositChannel.isExpired\`. Money that comes late may still be found, so
go on asking where a user says that they paid. A state that an upstream invents is never shown as \`completed\` or \`failed\`.
`

const errors = `
Every failure is an RFC 7807 problem (\`application/problem+json\`):

\`\`\`json
{
  "type": "https://tools.ietf.org/html/rfc9110#section-15.5.1",
  "title": "Bad Request",
  "status": 400,
  "detail": "destinationAddress: must be an address on the destination chain",
  "traceId": "4bf92f3577b34da6a3ce929d0e0e4736",
  "errors": { "destinationAddress": ["must be an address on the destination chain"] }
}
\`\`\`

- \`errors\` names every fault of the request at once, by parameter. \`detail\` is for people: its wording changes.
- \`code\` is stable, and there only where the failure comes from upstream. It never stands beside \`errors\`. Take a code
  that you do not know for any other failure.
- \`traceId\` is also the header \`X-Request-Id\`: give it to the operator.

| status | what to do |
|---|---|
| 400 | do not send it again unchanged |
| 401, 403 | look at the key, its scopes, the account's routes |
| 404 | there is none, or it belongs to another account |
| 409, 422 | the \`Idempotency-Key\` is in progress, or stands for another request |
| 429, 503 | wait for \`Retry-After\` seconds, then send it again |
| 500 | unexpected; on an opening the outcome is unknown: send it again only under the same \`Idempotency-Key\` |

| code | status | when |
|---|---|---|
| \`amount_below_minimum\` | 400 | the amount does not cover the ingress fee |
| \`egress_below_minimum\` | 400 | the output would be under the chain's minimum |
| \`egress_fee_not_covered\` | 400 | the output would not cover the egress fee |
| \`insufficient_liquidity\` | 400 | no quote for this amount: try less |
| \`route_disabled\` | 403 | the pair is not enabled for the account |
| \`asset_disabled\`, \`quoting_maintenance\`, \`swapping_maintenance\`, \`deposit_channel_failed\`, \`too_many_channels\`, \`provider_unavailable\` | 503 | temporary |
| \`upstream_error\`, \`request_cancelled\` | 500 | the upstream failed, or nobody waited any more |
`

const idempotency = `
A request that opens a channel or encodes a transaction may be sent again when it carries an \`Idempotency-Key\` of your own
making, new for each swap that is meant. However often it is sent, over restarts and on any replica, at most one channel comes
of it.

| what the key has come to | answer |
|---|---|
| nothing yet | the request is carried out |
| an answer | that status and body again, with \`Idempotent-Replayed: true\`; a 503, too: a new try takes a new key |
| an answer of 400, 401, 403 or 429 | these are not kept; the key is unused |
| still in progress | 409; ask again after \`Retry-After\` |
| it stands for another method, path or other parameters | 422 |
| an outcome that is unknown, as the upstream's answer was lost | 500, and nothing is repeated |

A key is 1 to 255 printable ASCII characters, bare or in quotes, and belongs to the account. It is kept for 24 hours at least.
`

const messages = `
An account can be told of what happens to its swaps: \`POST /webhooks\` with a URL, and keep the \`secret\` of the answer. The
messages are listed under Webhooks, by their types.

To know that a message is ours and new (Standard Webhooks 1.0), take the secret without \`whsec_\`, decode its base64, and
compare:

\`\`\`js
import { createHmac, timingSafeEqual } from "node:crypto"

const isOurs = (headers, body, secret) => {
  const id = headers["webhook-id"], time = headers["webhook-timestamp"]
  if (Math.abs(Date.now() / 1000 - Number(time)) > 300) return false
  const key = Buffer.from(secret.slice("whsec_".length), "base64")
  const expected = createHmac("sha256", key).update(\`\${id}.\${time}.\${body}\`).digest()
  return headers["webhook-signature"].split(" ").some((one) => {
    const given = Buffer.from(one.replace(/^v1,/, ""), "base64")
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
\`\`\`

- \`body\` is what was sent, byte for byte: parse it afterwards.
- Answer with 2xx within ten seconds, and work afterwards. Anything else is tried again ten times over three days.
- A message can come twice: tell by \`webhook-id\`. Messages of one swap come in their order.
- Nobody who lost messages has lost them: \`POST /webhooks/{id}/replay\` sends them again.
- Without an endpoint of your own, \`GET /swaps/events\` streams the same.
`

const limits = `
Each key has two limits that requests count against: \`swap\` for those that open or prepare a swap, \`default\` for all others.
\`RateLimit-Policy\` of an answer names the limit with its size (\`q\` tokens in \`w\` seconds), \`RateLimit\` says what is left
(\`r\`). Who is over it gets a 429 with \`Retry-After\`. Limits are kept for the account, too.

| what | limit |
|---|---|
| \`boostFee\` | 0 to 100 basis points |
| \`commissionBps\` | 0 to 995 basis points, with affiliates 1000; never lower than the account's |
| affiliates | 4 |
| \`retryDurationInBlocks\` | 14400 blocks of 6 seconds, a day; 150 when absent |
| \`chunkIntervalBlocks\` | 2 or more; all chunks within 14400 blocks |
| a list (\`limit\`) | 500; 50 when absent |
| a URL | 8 KiB |
| a body | 64 KiB |

An address that is wrong about keys too often has to wait as well.
`

/** In the order in which they are read. */
export const guides: ReadonlyArray<Guide> = [
  { name: "Quickstart", description: quickstart },
  { name: "States of a swap", description: states },
  { name: "Errors", description: errors },
  { name: "Sending it again", description: idempotency },
  { name: "Being told", description: messages },
  { name: "Limits", description: limits },
].map(({ name, description }) => ({ name, description: description.trim() }))
