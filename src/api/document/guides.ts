import { codes, ProblemCode } from "../../domain/ProblemCode.ts"
import { accounts, limits, upstreamClients } from "./operatorGuides.ts"
import { signedAnswers } from "./signedAnswers.ts"

/** A guide for readers to read before the endpoints: the description of a tag. */
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

\`guidance\` says the same in words, with what can be done. \`POST /swap/{id}/pay-link\` makes a page for the payer,
\`GET /swaps/{id}/case\` a signed file of all that is on record.

There is no state for a refund. A swap is \`completed\` with \`swapEgress\` when the output was paid, and with \`refundEgress\`
when the deposit, or what was left of it, went back; it can have both. So look at these, not at the state alone, before you
tell a user that the swap was paid out.

A channel that is over still says \`waiting\`, with \`depositChannel.isExpired\`. Money that comes late may still be found, so
go on asking where a user says that they paid. A state that an upstream invents is never shown as \`completed\` or \`failed\`.
`

const codeRows = ProblemCode.literals.map((code) =>
  `| \`${code}\` | ${codes[code].status} | ${codes[code].when} |`
).join("\n")

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
| 409 | the \`Idempotency-Key\` is in progress, or the quote is over and a fresh one is beside it: see \`detail\` |
| 410 | it was there and is over: an explanation, a code to pay by |
| 422 | the \`Idempotency-Key\` stands for another request |
| 429, 503 | wait for \`Retry-After\` seconds, then send it again |
| 500 | unexpected; on an opening the outcome is unknown: send it again only under the same \`Idempotency-Key\` |

| code | status | when |
|---|---|---|
${codeRows}
`

const idempotency = `
A request that opens a channel or encodes a transaction may be sent again when it carries an \`Idempotency-Key\` of your own
making, new for each swap that is meant. However often it is sent, over restarts and on any replica, at most one channel comes
of it.

| what the key has come to | answer |
|---|---|
| nothing yet | the request is carried out |
| an answer | that status and body again, with \`Idempotent-Replayed: true\`; a 503, too: a new try takes a new key |
| an answer of 400, 401, 403 or 429, or the 409 of a quote that is over | these are not kept; the key is unused |
| still in progress | 409; ask again after \`Retry-After\` |
| it stands for another method, path or other parameters | 422 |
| an outcome that is unknown, as the upstream's answer was lost | 500, and nothing is repeated |

A key is 1 to 255 printable ASCII characters, bare or in quotes, and belongs to the account. It is kept for 24 hours at least.
When the service is killed while it opens a channel, the key stays in progress for \`OPEN_TIMEOUT\` and 15 seconds.
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
- Answer with 2xx within ten seconds, and work afterwards. Anything else, a redirect too, is tried again after 5 s, 5 min,
  30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h; then the message is given up. A webhook is **disabled** when it answers 410, and
  when a message is given up and every attempt has failed for three days. Enabled again, it goes on where it was.
- A message can come twice: tell by \`webhook-id\`. Every event comes, also when the service is killed at any moment. Messages
  of one swap come in their order, those of different swaps at the same time.
- Nobody who lost messages has lost them: \`POST /webhooks/{id}/replay\` sends them again, by \`eventId\` or for a range.
- A URL leads to https on port 443 or one of 1024 and above, at addresses of the internet, which are checked at each attempt.
  In sandbox mode the machine itself is allowed too, also with http.
- Secrets are shown once, and encrypted where \`WEBHOOK_ENCRYPTION_KEY\` is set. \`POST /webhooks/{id}/rotate\` makes a new one;
  messages are signed with the old one as well for \`overlapSeconds\`, a day when absent.
- Changing a webhook needs the scopes \`swap\` and \`history\`: it goes on telling what the history shows when the key is gone.

Without an endpoint of your own, listen: these are server-sent events, which an \`EventSource\` in a browser reads, too.

\`\`\`sh
curl -N -H "X-API-Key: $KEY" "$URL/swaps/events"               # all swaps of the account
curl -N -H "X-API-Key: $KEY" "$URL/status-stream?swapId=7"     # one, from now to its end
\`\`\`

An event's name is its type; its \`data\` is the message that a webhook gets. None is lost: a client that was cut off goes on
after the \`Last-Event-ID\` that it sends, and \`lastEventId=0\` begins with the first event ever. A stream ends when its key is
revoked, when the process stops, and that of one swap with the swap; \`EVENT_STREAMS_MOST\` bounds those of one account, and those of quotes by
themselves.

Quotes come as events, too: \`/quotes/stream\` tells the list anew with each provider that answers, so that the first offer
is shown while the slowest is still thinking. Close an \`EventSource\` at \`done\` without \`refreshAt\`; one that comes again
gets a 204. A page needs a key of its own, with the scope \`quote\` alone, of an account whose \`allowedOrigins\` names it.
`

const requests = `
- **Names.** Where a swap begins (\`/swap\`, \`/tx-payload/*\`), a name that is nearly one of ours or usual elsewhere (\`minPrice\`,
  \`refund_address\`, \`slippage\`) is refused with the right one, unless that is there, too, with the same value: ignored, it
  would take the limit away. Other unknown names are ignored, there with the header \`Ignored-Parameters\`.
- **Once.** A parameter or a member of a body that stands twice is refused; only \`status\` of \`/swaps\` may repeat.
- **Numbers** in a query are plain decimals. Those of a JSON body may have an exponent, as Python and Java write it
  (\`1.5e-05\`); it is shifted digit by digit.
- **The quote.** Its \`quoteId\`, given to \`/swap\` beside the addresses, opens exactly this quote until \`expiresAt\`, with a
  price limit of \`slippageTolerancePercent\` (when absent the quote's own, which is the recommended one, but 5 at the most); then a 409 has a fresh one. \`/quotes/compare\`
  says why a provider gave none and the least amount, \`/quotes/{quoteId}/explanation\` why a quote stands where it does.
- **How it begins.** The list has what \`/swap\` opens. \`start=transaction\` has what \`/tx-payload/*\` begins, \`start=any\` both: the first of
  \`startPaths\` takes the \`swapParameters\` beside it. Who was left out stands in \`Provider-Status\` (\`reason="start"\`).
- **The provider.** Without an id, \`swapParameters\` of a quote open the same offer at the price of the time. Without them a
  channel may be another provider's, whose minimum is higher. \`Provider-Status\` says of each provider whether it
  answered a quote, or why not.
- **Payloads** of \`/tx-payload/*\` are good until \`expiresAt\`. Do not send one later: its price limit is of another time, and on
  Bitcoin the deposit address changes with the keys of the vault. A swap without a channel belongs to the account whose
  payload fits it, was handed out before its deposit, and is the earliest of those.
- **Lists** go on where \`Link: rel="next"\` leads; \`offset\` is the id to begin with, so every page takes the same time. A CSV
  that ends without its connection being closed properly was broken off.
- **Prices** in \`/assets\` are for display: what a provider states, or what a quote to usdc.eth brings.
`

const caseFiles = `
\`GET /swaps/{id}/case\` has two lines. Signed (Ed25519) is the first one with its line break, byte for byte; the second one
names the key and has the signature. Hand the file on as it came, and with it \`keys.json\`, by a way that its reader trusts:
what \`/.well-known/swap-broker-case-keys\` answers, no key needed. With both in a folder, OpenSSL 3 verifies the file offline:

\`\`\`sh
id=$(tail -n 1 case.json | sed 's/.*"keyId":"\\([^"]*\\)".*/\\1/')
printf '%b' "$(tr '{' '\\n' < keys.json | grep -F "\\"kid\\":\\"$id\\"" | sed 's/.*"pem":"\\([^"]*\\)".*/\\1/')" > key.pem
head -n 1 case.json > signed
tail -n 1 case.json | sed 's/.*"value":"\\([0-9a-f]*\\)"}}/\\1/' | xxd -r -p > signature
openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in signed -sigfile signature
\`\`\`
`

const agents = `
Agents call this service through the Model Context Protocol: \`POST /mcp\` (Streamable HTTP; 2026-07-28, 2025-11-25 and
2025-06-18), unless the operator has switched it off for all (\`MCP=off\`) or for the account (\`mcp\`, a 403). The API key goes into a header, \`Authorization: Bearer\`
or \`X-API-Key\`: a key in the URL is refused here. Give an agent a key of its own, with only the scopes that it needs; a key
without \`swap\` can look, and open nothing. Its account's routes, commission, limits and open channels hold as over REST.

1. \`list_assets\` and \`get_quotes\` read. Amounts are text, so that no client rounds one. The quotes are those that
   \`prepare_swap\` takes; with another \`start\` there are some without \`canPrepare\`, which need a transaction of the sender's own wallet.
2. \`prepare_swap\` checks a swap by the rules of \`/swap\` and opens nothing. A refund address and a least price above 0 are
   required. Its answer has a \`summary\` for the human and a \`confirmation\`, signed for this key, which holds until its \`expiresAt\`.
3. \`open_swap\` takes that confirmation and the last six characters of both addresses, as the human read them from their own
   wallets. Where the client can ask its human (elicitation), they are asked, and only their consent opens the channel. The
   confirmation opens one channel: called again with it, the answer is the same. Where the account's terms have changed since,
   so that something else would be opened, it opens nothing.
4. \`get_payment\`, \`get_swap\`, \`explain_swap\` and \`list_swaps\` say where to pay, where the swap stands, and what can be done.

A refused call has \`isError\` and a JSON text with \`status\`, \`detail\`, \`errors\`, \`retryable\` and \`nextStep\`. What a
provider wrote is never passed on to a model. \`/llms.txt\` tells programs the same.
`

/** The guides, in the order of reading. */
export const guides: ReadonlyArray<Guide> = [
  { name: "Quickstart", description: quickstart },
  { name: "States of a swap", description: states },
  { name: "Errors", description: errors },
  { name: "Requests and answers", description: requests },
  { name: "Sending it again", description: idempotency },
  { name: "Being told", description: messages },
  { name: "Limits", description: limits },
  { name: "Accounts, keys and routes", description: accounts },
  { name: "Case files", description: caseFiles },
  { name: "Signed answers", description: signedAnswers },
  { name: "For clients of the upstream", description: upstreamClients },
  { name: "For agents", description: agents },
].map(({ name, description }) => ({ name, description: description.trim() }))
