import { words } from "#application/guidance/words/renderGuidance.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Buffer } from "node:buffer"
import { spawnSync } from "node:child_process"
import { createPublicKey, verify } from "node:crypto"
import { join } from "node:path"
import { addresses } from "#test/contract/support/addresses.ts"
import { call, get, withBroker, withOwnBroker, withTwoAccounts } from "#test/contract/support/call.ts"
import { otherKey } from "#test/contract/support/accounts.ts"
import {
  find,
  integerAt,
  type Json,
  listAt,
  numberAt,
  objectAt,
  parseJson,
  textAt,
} from "#test/contract/support/Json.ts"
import {
  clearFaults,
  deposit,
  fault,
  openSwap,
  passUntil,
  swapParameters,
} from "#test/contract/support/swaps.ts"
import { guides } from "#api/document/guides.ts"
import { temporaryFolder } from "#test/support/folder.ts"

const keysPath = "/.well-known/swap-broker-case-keys"

const secondLine =
  /^"signature":\{"algorithm":"Ed25519","keyId":"([\w-]{43})","value":"([0-9a-f]{128})"\}\}\n$/

/** Verifies a case file as its documentation says, with nothing of the service but its public keys. */
const isGenuine = (file: Uint8Array, keys: ReadonlyMap<string, string>): boolean => {
  const end = file.indexOf(10) + 1
  const [, keyId = "", signature = ""] =
    secondLine.exec(Buffer.from(file.subarray(end)).toString("latin1")) ?? []
  const pem = keys.get(keyId)
  return pem !== undefined && end > 0 &&
    verify(null, file.subarray(0, end), createPublicKey(pem), Buffer.from(signature, "hex"))
}

const publicKeys = Effect.map(
  get(keysPath, {}, { key: null }),
  (body) => new Map(listAt(body, "keys").map((key) => [textAt(key, "kid"), textAt(key, "pem")])),
)

const caseOf = (opened: Json) =>
  Effect.map(call("GET", `/swaps/${numberAt(opened, "id")}/case`), (answer) => {
    assert.strictEqual(answer.status, 200, answer.text)
    return answer
  })

/** The commands of the guide in `/docs`, in a shell: the file and the answer with the keys are all there is. */
const verifyInShell = (folder: string, text: string, keys: string): boolean => {
  Deno.writeTextFileSync(join(folder, "case.json"), text)
  Deno.writeTextFileSync(join(folder, "keys.json"), keys)
  const guide = guides.find(({ name }) => name === "Case files")?.description ?? ""
  const commands = /```sh\n(id=[\s\S]+?)```/.exec(guide)?.[1] ?? assert.fail("No commands")
  return spawnSync("sh", ["-e", "-c", commands], { cwd: folder }).status === 0
}

/** Some positions of a text, which no test chooses: an own generator, so that they are the same each time. */
const positions = (count: number, below: number): ReadonlyArray<number> => {
  let state = 12_345
  return Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state % below
  })
}

const ended = Effect.gen(function* () {
  const opened = yield* openSwap({ sourceAsset: "eth.arb", refundAddress: addresses.arb })
  yield* deposit(opened, "1000000000000000001")
  yield* passUntil(opened, "completed", 30)
  return opened
})

withBroker()("the case file of a swap", (it) => {
  it.effect("has all that is on record, and verifies offline with openssl and with plain Node", function* () {
    const opened = yield* ended
    const { body, text } = yield* caseOf(opened)
    const journal = listAt(yield* get(`/swaps/${numberAt(opened, "id")}/journal`))
    const kept = listAt(body, "case", "journal")
    assert.strictEqual(kept.length, journal.length)
    for (const [index, entry] of kept.entries()) {
      assert.deepStrictEqual(find(entry, "upstreamBody"), find(journal[index] ?? null, "upstreamBody"))
      assert.deepStrictEqual(find(entry, "at"), find(journal[index] ?? null, "at"))
      assert.strictEqual(
        find(entry, "upstreamBodySha256") === undefined,
        find(entry, "upstreamBody") === undefined,
      )
    }
    assert.strictEqual(textAt(body, "case", "guidance", "phase"), "completed")
    assert.strictEqual(textAt(body, "case", "opening", "outcome"), "opened")
    assert.strictEqual(textAt(body, "case", "request", "sourceAsset"), "eth.arb")
    assert.strictEqual(textAt(body, "case", "keyId"), textAt(body, "signature", "keyId"))
    assert.notMatch(text, /PRIVATE KEY|idempotency|account_id|apiKey/i)
    const keys = yield* publicKeys
    assert.isTrue(isGenuine(new TextEncoder().encode(text), keys))
    const folder = yield* temporaryFolder
    const { text: answered } = yield* call("GET", keysPath, { key: null })
    assert.isTrue(verifyInShell(folder, text, answered))
    const digit = text.search(/[0-9]/)
    const changed = `${text.slice(0, digit)}${text[digit] === "1" ? "2" : "1"}${text.slice(digit + 1)}`
    assert.isFalse(verifyInShell(folder, changed, answered))
  })

  it.effect("does not verify once a single byte of it is another", function* () {
    const opened = yield* openSwap({ sourceAsset: "eth.arb" })
    const { text } = yield* caseOf(opened)
    const keys = yield* publicKeys
    const file = new TextEncoder().encode(text)
    assert.isTrue(isGenuine(file, keys))
    const lastLine = Array.from(
      { length: file.length - file.indexOf(10) },
      (_, index) => file.indexOf(10) + index,
    )
    const every = Deno.env.get("HOSTILE") === "all"
      ? Array.from(file.keys())
      : [...positions(500, file.length), ...lastLine]
    for (const position of every) {
      const other = Uint8Array.from(file)
      other[position] = (other[position] ?? 0) ^ (1 << (position % 7))
      assert.isFalse(isGenuine(other, keys), `byte ${position}`)
    }
  })

  it.effect("comes as a page for people, with the same file in it", function* () {
    const opened = yield* ended
    const path = `/swaps/${numberAt(opened, "id")}/case`
    const page = yield* call("GET", path, { headers: { accept: "text/html,*/*;q=0.8" } })
    assert.match(page.headers.get("content-type") ?? "", /^text\/html/)
    assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'none'/)
    assert.include(page.text, words.completed.split("{")[0] ?? "")
    const shown = /\{"case":[\s\S]+?\}\}\n/.exec(
      page.text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll(
        "&amp;",
        "&",
      ),
    )?.[0] ?? assert.fail("No file in the page")
    assert.isTrue(isGenuine(new TextEncoder().encode(shown), yield* publicKeys))
  })

  it.effect("of an opening that came to nothing says so", function* () {
    const first = yield* openSwap({ sourceAsset: "eth.arb" })
    for (
      const [rule, outcome] of [
        [{ kind: "malformed" }, "unknown"],
        [{ code: "deposit_channel_failed" }, "refused"],
      ] as const
    ) {
      yield* fault({ provider: "chainflip", operation: "open", ...rule })
      const { status } = yield* call("GET", "/swap", { query: swapParameters({ sourceAsset: "eth.arb" }) })
      yield* clearFaults
      assert.isAtLeast(status, 500)
      let found: Json = null
      for (let id = integerAt(first, "id") + 1; id < integerAt(first, "id") + 5; id++) {
        const { body } = yield* call("GET", `/swaps/${id}/case`)
        if (find(body, "case", "opening", "outcome") === outcome) found = body
      }
      assert.strictEqual(textAt(found, "case", "guidance", "phase"), `opening_${outcome}`)
      assert.isUndefined(find(found, "case", "record"))
    }
  })

  it.effect("of any account's swap is the operator's to read", function* () {
    const opened = yield* openSwap({ sourceAsset: "eth.arb" })
    const { body, status } = yield* call("GET", `/operator/swaps/${numberAt(opened, "id")}/case`)
    assert.strictEqual(status, 200)
    assert.strictEqual(integerAt(body, "case", "id"), integerAt(opened, "id"))
    assert.strictEqual((yield* call("GET", "/operator/swaps/999999999/case")).status, 404)
  })
})

const order = {
  platform: "near-intents",
  sourceAsset: "btc.btc",
  destinationAsset: "eth.eth",
  amountNative: "10000000",
  refundAddress: addresses.btc,
}

withOwnBroker({ PROVIDERS: "chainflip,near-intents" })("the quote in a case file", (it) => {
  it.effect("is that of the quoteId, with its id and times, on the page too", function* () {
    const query = { sourceAsset: "btc.btc", destinationAsset: "eth.eth", amount: "0.2" }
    const quotes = yield* get("/quotes", query)
    const asked = listAt(quotes)[0] ?? assert.fail("No quote")
    const before = integerAt(asked, "expiresAt")
    const quoteId = textAt(asked, "quoteId")
    const { body: opened, text: problem } = yield* call("POST", "/swap", {
      query: swapParameters({ quoteId, refundAddress: addresses.btc }),
    })
    assert.isDefined(find(opened, "id"), problem)
    const { body, text } = yield* caseOf(opened)
    const quote = objectAt(body, "case", "quote")
    assert.strictEqual(quote.basis, "quoteId")
    assert.strictEqual(quote.quoteId, quoteId)
    assert.strictEqual(quote.amountNative, "20000000")
    assert.strictEqual(quote.quotedNative, textAt(asked, "egressAmountNative"))
    assert.strictEqual(numberAt(quote, "estimatedPrice"), numberAt(asked, "estimatedPrice"))
    assert.isTrue(BigInt(textAt(quote, "promisedNative")) < BigInt(textAt(quote, "quotedNative")))
    assert.strictEqual(integerAt(quote, "expiresAt"), before)
    const requestedAt = integerAt(body, "case", "opening", "requestedAt")
    assert.isTrue(integerAt(quote, "quotedAt") <= requestedAt && requestedAt < before)
    assert.isUndefined(find(body, "case", "request", "quote"))
    assert.isTrue(isGenuine(new TextEncoder().encode(text), yield* publicKeys))
    const page = yield* call("GET", `/swaps/${numberAt(opened, "id")}/case`, {
      headers: { accept: "text/html" },
    })
    assert.include(page.text, "The swap was asked for by this quote.")
    assert.include(page.text, `<code>${quoteId}</code>`)
    assert.notInclude(JSON.stringify(find(body, "case", "record")), quoteId)
  })

  it.effect("is what the provider named, where no quote was given", function* () {
    const { body } = yield* caseOf(yield* openSwap(order))
    const quote = objectAt(body, "case", "quote")
    assert.strictEqual(quote.basis, "opening")
    assert.strictEqual(quote.amountNative, "10000000")
    assert.isTrue(BigInt(textAt(quote, "quotedNative")) > 0n)
    assert.isAtLeast(integerAt(quote, "expiresAt"), integerAt(quote, "quotedAt"))
    assert.isUndefined(quote.quoteId)
  })

  it.effect("is said not to be there, of a swap by no quote", function* () {
    const opened = yield* openSwap({ sourceAsset: "eth.arb" })
    const { body } = yield* caseOf(opened)
    assert.deepStrictEqual(Object.keys(objectAt(body, "case", "quote")), ["basis", "detail"])
    assert.strictEqual(textAt(body, "case", "quote", "basis"), "none")
    const page = yield* call("GET", `/swaps/${numberAt(opened, "id")}/case`, {
      headers: { accept: "text/html" },
    })
    assert.include(page.text, "No quote is on record")
  })
})

withTwoAccounts()("the case file of another account's swap", (it) => {
  it.effect("does not exist, as one that nobody has", function* () {
    const opened = yield* openSwap({ sourceAsset: "eth.arb" })
    const foreign = yield* call("GET", `/swaps/${numberAt(opened, "id")}/case`, { key: otherKey })
    const nobodys = yield* call("GET", "/swaps/999999999/case", { key: otherKey })
    assert.strictEqual(foreign.status, 404)
    assert.strictEqual(textAt(foreign.body, "detail"), textAt(nobodys.body, "detail"))
    assert.notInclude(foreign.text, textAt(opened, "address"))
  })
})

const privateKeys = () => {
  const made = spawnSync("openssl", ["genpkey", "-algorithm", "ed25519"])
  assert.strictEqual(made.status, 0)
  return made.stdout.toString()
}

const [older, newer] = [privateKeys(), privateKeys()]

withOwnBroker({ CASE_FILE_KEYS: `${newer}${older}` })("the keys of case files", (it) => {
  it.effect("are those that the operator sets: the first signs, and all are told", function* () {
    const { body, text } = yield* caseOf(yield* openSwap({ sourceAsset: "eth.arb" }))
    const keys = yield* publicKeys
    assert.strictEqual(keys.size, 2)
    assert.strictEqual([...keys.keys()][0], textAt(body, "signature", "keyId"))
    assert.isTrue(isGenuine(new TextEncoder().encode(text), keys))
    const told = yield* call("GET", keysPath, { key: null })
    assert.notInclude(told.text, "PRIVATE")
    assert.deepStrictEqual(Object.keys(parseJson(told.text) ?? {}), ["keys"])
  })
})
