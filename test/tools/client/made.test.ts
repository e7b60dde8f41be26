import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { contractIn } from "#api/document/Contract.ts"
import { operationsOf } from "#tools/client/operations.ts"
import { contract, packages } from "#tools/client/packages.ts"
import { ProblemCode } from "#domain/ProblemCode.ts"
import { version } from "#infrastructure/platform/version.ts"
import { withListeningBroker } from "#test/contract/support/call.ts"
import { issue, newAccount } from "#test/contract/support/operator.ts"
import { brokerUrl, testKey } from "#test/support/broker.ts"
import { clientText, madeClient } from "./support/made.ts"

describe("the client that is made of the contract", () => {
  it("has a method for every endpoint but the one whose path has the key", () => {
    const document = contract()
    const ids = Object.values(document.paths).flatMap(Object.values).map(({ operationId }) => operationId)
    const methods = [
      ...clientText.slice(clientText.indexOf("export class SwapBroker {")).matchAll(
        /^ {2}(\w+)\([^\n]*\): (?:Promise|AsyncGenerator)</gm,
      ),
    ].map((
      [, id],
    ) => id)
    assert.sameMembers(methods, ids.filter((id) => id !== "callRpc"))
  })

  it("has every code of a problem, with its status", () => {
    const codes = [
      ...clientText.matchAll(
        /\| CodedProblem<"(\w+)", \d{3}>/g,
      ),
    ].map(([, code]) => code)
    assert.sameMembers(codes, [...ProblemCode.literals])
  })

  it("sends again under its key what begins a swap or takes money out, and nothing else that changes something", () => {
    const operations = operationsOf(contract())
    const keyed = operations.filter(({ sending }) => sending === "keyed").map(({ path }) => path)
    assert.sameMembers([...new Set(keyed)], [
      "/swap",
      ...["bitcoin", "evm", "solana", "tron", "xrpl"].map((kind) => `/tx-payload/${kind}`),
      "/operator/treasury/withdrawals",
      "/operator/treasury/affiliates/{name}/withdrawals",
    ])
    const freely = operations.filter(({ sending }) => sending === "freely")
    assert.deepStrictEqual(freely.filter(({ method }) => method !== "GET"), [])
    const signed = operations.filter(({ isSigned }) => isSigned).map(({ path }) => path)
    assert.sameMembers(
      [...new Set(signed)],
      keyed.filter((path, at) => !path.includes("operator") && keyed.indexOf(path) === at),
    )
  })

  it("is of the service's version, and imports nothing but Node's WebCrypto", () => {
    assert.include(packages().typescript["package.json"], `"version": "${version}"`)
    assert.notMatch(clientText, /^import /m)
    assert.deepStrictEqual(clientText.match(/\bimport\([^)]*\)/g), ["import(/* @vite-ignore */ name)"])
  })
})

const pair = { sourceAsset: "btc.btc", destinationAsset: "eth.eth" }
const addresses = {
  destinationAddress: "0x2222222222222222222222222222222222222222",
  refundAddress: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
}

/** A member of what a method gave. */
const member = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce(
    (inner, name) => typeof inner === "object" && inner !== null ? Reflect.get(inner, name) : undefined,
    value,
  )

withListeningBroker()("the client before a service", (it) => {
  it.effect("is the one that its document makes", function* () {
    const { origin } = yield* brokerUrl
    const served = yield* Effect.promise(async () =>
      await (await fetch(`${origin}/docs/try/document.json`)).text()
    )
    assert.deepStrictEqual(contractIn(served), contract())
  })

  it.effect("opens once under one key, whatever becomes of the answers, and takes those only that are signed", function* () {
    const { origin: url } = yield* brokerUrl
    yield* Effect.promise(async () => {
      const { SwapBroker } = await madeClient()
      const caseKeys = member(await new SwapBroker({ url }).getCaseKeys({}), "keys")
      const broker = new SwapBroker({ url, apiKey: testKey, caseKeys })
      const keyId = member(await broker.getAccount({}), "key", "id")
      const [best] = Object.values(Object(await broker.getQuotes({ ...pair, amount: "0.25" })))
      assert.match(`${member(best, "egressAmount")}`, /^\d+\.\d{15,18}$/)
      assert.typeOf(member(best, "egressAmountNative"), "bigint")
      let sent = 0
      const losing = new SwapBroker({
        url,
        apiKey: testKey,
        keyId,
        caseKeys,
        backoffSeconds: 0,
        fetch: async (to: string, init: RequestInit) => {
          const answer = await fetch(to, init)
          if (++sent === 4) return answer
          await answer.body?.cancel()
          throw new TypeError("lost")
        },
      })
      const order = { ...pair, ...addresses, quoteId: member(best, "quoteId"), amount: "0.25" }
      const channel = await losing.openSwapByPost(order, { idempotencyKey: "order-1" })
      assert.strictEqual(sent, 4)
      const again = await broker.openSwapByPost(order, { idempotencyKey: "order-1" })
      assert.strictEqual(member(again, "id"), member(channel, "id"))
    })
  })

  for (
    const [what, change] of Object.entries({
      address: (text: string) => text.replace(/"address":"..../, '"address":"bc1q'),
      "a digit": (text: string) => text.replace(/"id":\d/, '"id":9'),
      whitespace: (text: string) => `${text} `,
    })
  ) {
    it.effect(`refuses a channel of which ${what} was changed on the way`, function* () {
      const { origin: url } = yield* brokerUrl
      yield* Effect.promise(async () => {
        const { SwapBroker } = await madeClient()
        const caseKeys = member(await new SwapBroker({ url }).getCaseKeys({}), "keys")
        const keyId = member(await new SwapBroker({ url, apiKey: testKey }).getAccount({}), "key", "id")
        const changing = async (to: string, init: RequestInit) => {
          const answer = await fetch(to, init)
          return new Response(change(await answer.text()), answer)
        }
        const reasonOf = (options: object) =>
          new SwapBroker({ url, apiKey: testKey, keyId, caseKeys, ...options }).openSwapByPost({
            ...pair,
            ...addresses,
          })
            .then(() => undefined, (error: unknown) => member(error, "reason"))
        assert.strictEqual(await reasonOf({ fetch: changing }), "changed")
        assert.isUndefined(await reasonOf({}))
        // Somebody who changes what is asked for gets a signature of something else.
        const asking = (to: string, init: RequestInit) =>
          fetch(to, {
            ...init,
            body:
              `{"sourceAsset":"btc.btc","destinationAsset":"usdc.eth","destinationAddress":"${addresses.destinationAddress}"}`,
          })
        assert.strictEqual(await reasonOf({ fetch: asking }), "changed")
        const unsigning = async (to: string, init: RequestInit) =>
          new Response(await (await fetch(to, init)).text())
        assert.strictEqual(await reasonOf({ fetch: unsigning }), "missing")
        assert.strictEqual(await reasonOf({ caseKeys: [] }), "unknown_key")
      })
    })
  }

  it.effect("refuses the answer that another API key gets, and one under another Idempotency-Key", function* () {
    const { origin: url } = yield* brokerUrl
    const hers = yield* issue(yield* newAccount({ commissionBps: 50 }))
    const own = yield* issue(yield* newAccount())
    yield* Effect.promise(async () => {
      const { SwapBroker } = await madeClient()
      const caseKeys = member(await new SwapBroker({ url }).getCaseKeys({}), "keys")
      let asked: Array<string> = []
      /** What becomes of a call whose headers are changed on the way. */
      const reasonOf = (change: (headers: Headers) => void, options: object = {}) => {
        asked = []
        const fetching = async (to: string, init: RequestInit) => {
          asked.push(new URL(to).pathname)
          const headers = new Headers(init.headers)
          if (init.method === "POST") change(headers)
          return await fetch(to, { ...init, headers })
        }
        return new SwapBroker({ url, apiKey: own.key, caseKeys, fetch: fetching, ...options })
          .openSwapByPost({ ...pair, ...addresses }, { idempotencyKey: crypto.randomUUID() })
          .then(() => undefined, (error: unknown) => member(error, "reason"))
      }
      const nothing = () => {}
      const asMallory = (headers: Headers) => headers.set("x-api-key", hers.key)
      assert.isUndefined(await reasonOf(nothing))
      assert.deepStrictEqual(asked, ["/swap"], "the key's own text says its id")
      assert.strictEqual(await reasonOf(asMallory), "changed")
      assert.strictEqual(await reasonOf((headers) => headers.delete("idempotency-key")), "changed")
      assert.strictEqual(await reasonOf((headers) => headers.append("idempotency-key", "x")), "changed")
      // A key of another form: its id is given, or asked for once.
      const foreign = { apiKey: testKey }
      assert.isUndefined(await reasonOf(nothing, foreign))
      assert.deepStrictEqual(asked, ["/account", "/swap"])
      const keyId = member(await new SwapBroker({ url, ...foreign }).getAccount({}), "key", "id")
      assert.isUndefined(await reasonOf(nothing, { ...foreign, keyId }))
      assert.deepStrictEqual(asked, ["/swap"])
      assert.strictEqual(await reasonOf(asMallory, { ...foreign, keyId }), "changed")
      assert.strictEqual(await reasonOf(nothing, { ...foreign, keyId: own.id }), "changed")
    })
  })

  it.effect("does not fall back to Swap-Signature, which a service before 2.0.0 sends alone", function* () {
    const { origin: url } = yield* brokerUrl
    yield* Effect.promise(async () => {
      const { SwapBroker } = await madeClient()
      const caseKeys = member(await new SwapBroker({ url }).getCaseKeys({}), "keys")
      const former = async (to: string, init: RequestInit) => {
        const answer = await fetch(to, init)
        const headers = new Headers(answer.headers)
        for (const name of ["signature", "signature-input"]) headers.delete(name)
        return new Response(await answer.text(), { headers, status: answer.status })
      }
      const error: unknown = await new SwapBroker({ url, apiKey: testKey, caseKeys, fetch: former })
        .openSwapByPost({ ...pair, ...addresses }).catch((error) => error)
      assert.strictEqual(member(error, "reason"), "missing")
      assert.include(`${member(error, "message")}`, "Swap-Signature")
    })
  })

  it.effect("finds its signature beside one that a proxy adds of its own", function* () {
    const { origin: url } = yield* brokerUrl
    yield* Effect.promise(async () => {
      const { SwapBroker } = await madeClient()
      const caseKeys = member(await new SwapBroker({ url }).getCaseKeys({}), "keys")
      const signing = async (to: string, init: RequestInit) => {
        const answer = await fetch(to, init)
        const headers = new Headers(answer.headers)
        headers.set("signature-input", `proxy=("@status");created=1, ${headers.get("signature-input")}`)
        headers.append("signature", "proxy=:AAAA:")
        return new Response(await answer.text(), { headers, status: answer.status })
      }
      const broker = new SwapBroker({ url, apiKey: testKey, caseKeys, fetch: signing })
      assert.typeOf(member(await broker.openSwapByPost({ ...pair, ...addresses }), "address"), "string")
    })
  })

  it.effect("verifies a case file, and sees a byte that was changed", function* () {
    const { origin: url } = yield* brokerUrl
    yield* Effect.promise(async () => {
      const { SwapBroker, verifyCaseFile } = await madeClient()
      const broker = new SwapBroker({ url, apiKey: testKey })
      const keys = member(await broker.getCaseKeys({}), "keys")
      const channel = await broker.openSwap({ ...pair, ...addresses })
      let file = ""
      await broker.getCaseFile({ id: `${member(channel, "id")}` }, {
        onAnswer: (answer: unknown) => {
          file = `${member(answer, "text")}`
        },
      })
      await verifyCaseFile(file, keys)
      const reasonOf = (text: string) =>
        verifyCaseFile(text, keys).then(() => undefined, (error: unknown) => member(error, "reason"))
      assert.strictEqual(await reasonOf(file.replace("btc.btc", "ltc.ltc")), "changed")
      assert.strictEqual(await reasonOf(file.replace("\n", "")), "malformed")
      assert.strictEqual(await reasonOf(file.replace(/"value":"../, '"value":"zz')), "malformed")
    })
  })

  it.effect("has the problem of a refusal, with exact numbers in it", function* () {
    const { origin: url } = yield* brokerUrl
    yield* Effect.promise(async () => {
      const { SwapBroker } = await madeClient()
      const broker = new SwapBroker({ url, apiKey: testKey })
      const error: unknown = await broker.getQuotes({ ...pair, amount: "0.00000001" }).catch((error) => error)
      assert.strictEqual(member(error, "problem", "status"), 400)
      assert.typeOf(member(error, "problem", "providers", 0, "minimumAmountNative"), "bigint")
      const stranger: unknown = await new SwapBroker({ url, apiKey: "x".repeat(24) }).getQuotes({
        ...pair,
        amount: "1",
      })
        .catch((error) => error)
      assert.strictEqual(member(stranger, "problem", "status"), 401)
    })
  })
})
