import { ofFive } from "#test/contract/support/exactAmounts.ts"
import { assert } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { overNetwork } from "#cli/OperatorClient.ts"
import { assetIds, factsOf } from "#domain/chains/Asset.ts"
import { recordedAnswers } from "#test/conformance/recordings.ts"
import { addressFor } from "#test/contract/support/addresses.ts"
import {
  find,
  isList,
  isObject,
  type Json,
  numberAt,
  parseJson,
  textAt,
} from "#test/contract/support/Json.ts"
import { payload, type PayloadKind, sendPayload } from "#test/contract/support/payloads.ts"
import { deposit, network, openSwap, pass, type SwapQuery } from "#test/contract/support/swaps.ts"
import { swapReaders } from "#test/providers/swapReaders.ts"
import { brokerInProcess, brokerUrl, OwnWorld, testKey } from "#test/support/broker.ts"
import { temporaryFolder } from "#test/support/folder.ts"
import { reach } from "#test/support/reach.ts"
import { later, laterClock } from "#test/tampering/support/later.ts"
import { cli, done } from "../running.ts"

/** A service of all five, whose clock goes ahead. */
export const recordedService = OwnWorld.alone(
  Layer.provide(brokerInProcess({ ...ofFive, TRACKER_INTERVAL: "1 hour" }), laterClock),
)

/** The operator's client of the service of this process. */
export const operator = Layer.unwrap(
  Effect.map(brokerUrl, (url) => overNetwork({ url, apiKey: Redacted.make(testKey) })),
).pipe(
  Layer.provide(FetchHttpClient.layer),
  Layer.provide(Layer.succeed(FetchHttpClient.Fetch, reach)),
)

const ask = Effect.fnUntraced(function* (path: string) {
  const url = new URL(path, yield* brokerUrl)
  const text = yield* Effect.promise(async () => {
    const response = await reach(url, { headers: { "x-api-key": testKey } })
    const text = await response.text()
    return response.status === 200 ? text : assert.fail(`${path}: ${text}`)
  })
  return parseJson(text)
})

/** How a swap is made, and what its end is to be. */
export interface Course {
  readonly end: string
  readonly platform: string
  readonly pair: readonly [source: string, destination: string]
  readonly amount: string
  readonly query?: SwapQuery
  /** A change of the network before the opening. */
  readonly trap?: Readonly<Record<string, string>>
  /** One with the deposit address, before the deposit. */
  readonly rejects?: boolean
  /** The kind of the payload of a swap without a channel. */
  readonly kind?: PayloadKind
  /** What is paid in of the amount, in percent; nothing at 0. */
  readonly percent?: bigint
  /** What a transaction moves, where that is not the amount. */
  readonly sent?: string
}

const pairOf = ([sourceAsset, destinationAsset]: Course["pair"]) => ({
  sourceAsset,
  destinationAsset,
  destinationAddress: addressFor(destinationAsset),
  refundAddress: addressFor(sourceAsset),
})

/** Makes a swap; how its record is found. */
export const made = Effect.fnUntraced(function* (course: Course) {
  const { amount, kind, pair, percent = 100n, platform, query, rejects, trap } = course
  if (trap !== undefined) yield* network(trap.change ?? "", trap)
  const wish = { platform, ...pairOf(pair), ...query }
  if (kind !== undefined) {
    const sent = yield* payload(kind, { ...wish, amountNative: amount })
    const more = {
      ...(kind === "bitcoin" ? { changeAddress: addressFor(pair[0]) } : {}),
      ...(course.sent === undefined ? {} : { amountNative: course.sent }),
    }
    return `/status-by-transaction-hash?transactionHash=${yield* sendPayload(sent, more)}`
  }
  const opened = yield* openSwap(platform === "chainflip" ? wish : { ...wish, amountNative: amount })
  if (rejects === true) yield* network("rejectNextDeposit", { address: textAt(opened, "address") })
  if (percent > 0n) yield* deposit(opened, `${BigInt(amount) * percent / 100n}`)
  return `/status-by-id?swapId=${numberAt(opened, "id")}`
})

/** The seconds of simulated time after which swaps are looked at: a deposit, a swap, a payout, an expiry. */
const steps = [
  30,
  30,
  60,
  60,
  120,
  300,
  600,
  600,
  1_800,
  3_600,
  7_200,
  14_400,
  43_200,
  86_400,
  172_800,
  345_600,
]

/** Lets swaps come to their ends; the record of each. */
export const followed = Effect.fnUntraced(function* (paths: ReadonlyArray<string>) {
  for (const step of steps) {
    yield* pass(step)
    for (const path of paths) {
      // A provider is asked only so often in a minute of transactions that it does not know.
      if (path.includes("Hash")) later.pass(61_000)
      const url = new URL(path, yield* brokerUrl)
      yield* Effect.promise(async () =>
        (await reach(url, { headers: { "x-api-key": testKey } })).body?.cancel()
      )
    }
  }
  later.pass(61_000)
  return yield* Effect.forEach(paths, ask)
})

/** The texts of JSON, with the names of its members. */
const textsIn = (json: Json): ReadonlyArray<string> =>
  typeof json === "string"
    ? [json]
    : isList(json)
    ? json.flatMap(textsIn)
    : isObject(json)
    ? Object.entries(json).flatMap(([name, value]) => [name, ...textsIn(value ?? null)])
    : []

const names = [
  /0x[0-9a-f]{40}(?:[0-9a-f]{24})?(?![0-9a-f])/gi,
  /(?<![0-9a-z])[0-9a-f]{64}(?![0-9a-z])/gi,
  /(?<![0-9a-z])[a-z]{2,12}1[02-9ac-hj-np-z]{20,}(?![0-9a-z])/gi,
  /(?<![0-9A-Za-z])[1-9A-HJ-NP-Za-km-z]{26,90}(?![0-9A-Za-z])/g,
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi,
]

const contracts = assetIds().flatMap((asset) => factsOf(asset).contractAddress?.toLowerCase() ?? [])

/** What stands for nobody: contracts of the catalogue, the coins of chains, words. */
const isOfNobody = (text: string): boolean =>
  contracts.includes(text.toLowerCase()) || /^(?:0x)?0{16}|^1{20}/i.test(text) ||
  /^bc1q{20}/.test(text) ||
  !/[0-9]/.test(text) || /^T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb$/.test(text)

/** Everything that names somebody in JSON: a journal, or a body of an upstream. */
const originalsIn = (source: Json): ReadonlySet<string> => {
  const texts = textsIn(source).flatMap((text) => text.startsWith("{") ? textsIn(parseJson(text)) : [text])
    .filter((text) => !/^(?:nep\d+|1cs_v\d+):/.test(text))
  return new Set(
    texts.flatMap((text) => names.flatMap((pattern) => text.match(pattern) ?? [])).filter((text) =>
      !isOfNobody(text)
    ),
  )
}

/** What the kit makes of the text of a recording, and that it has nothing of anybody in its sources. */
export const assertReadAgain = Effect.fnUntraced(function* (text: string, platform: string, source: Json) {
  const lower = text.toLowerCase()
  const originals = originalsIn(source)
  assert.isAbove(originals.size, 2)
  for (const original of originals) {
    const bare = original.toLowerCase().replace(/^0x/, "")
    assert.notInclude(lower, bare, `${platform}: ${original}`)
    assert.notInclude(
      lower,
      new TextEncoder().encode(original).toHex(),
      `${platform}: ${original} in calldata`,
    )
  }
  const answers = recordedAnswers(platform, text, swapReaders.get(platform) ?? assert.fail(platform))
  assert.isNotEmpty(answers)
  for (const { expected, name, read } of answers) {
    assert.deepStrictEqual(yield* Effect.promise(async () => await read()), expected, name)
  }
  return { answers: answers.length, originals: originals.size }
})

/** Records a swap by the command; what the kit makes of the file, and that it has nothing of anybody. */
export const assertRecorded = Effect.fnUntraced(function* (record: Json) {
  const id = numberAt(record, "id")
  const file = `${yield* temporaryFolder}/${id}.json`
  yield* Effect.provide(done(cli("record", id, file)), operator)
  const { mode } = yield* Effect.promise(() => Deno.stat(file))
  assert.strictEqual((mode ?? 0) & 0o777, 0o600)
  const text = yield* Effect.promise(() => Deno.readTextFile(file))
  assert.notInclude(text, testKey)
  const journal = yield* ask(`/operator/swaps/${id}/journal?limit=500`)
  const platform = textAt(record, "platform")
  assert.include(text, `"source": "a swap in sandbox mode at ${platform}, by swap-broker `)
  return yield* assertReadAgain(text, platform, journal)
})

/** The state and the result of a record, by which ends are counted. */
export const endOf = (record: Json): string => {
  const result = find(record, "status", "result")
  const isExpired = find(record, "status", "depositChannel", "isExpired") === true
  return result === undefined ? `${isExpired ? "expired" : textAt(record, "status", "state")}` : `${result}`
}
