import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { chainOf, factsOf } from "#domain/chains/Asset.ts"
import type { VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import { asHonoured } from "#providers/Capabilities.ts"
import type { Payloads } from "../Fixtures.ts"
import { assertPayload } from "./assertPayload.ts"
import {
  assertErrorOf,
  type Check,
  check,
  errorOf,
  isNotPossible,
  type Kit,
  notEnough,
  pairOf,
  vaultSwapsOf,
} from "./kit.ts"
import { encodeAs, marksOf } from "./vaultSwap.ts"

const coversEveryChain = <R, E>(kit: Kit<R, E>, { requests }: Payloads<R>): Check<E> =>
  check(
    kit,
    "is asked for a payload on every chain that it says",
    (provider) =>
      Effect.sync(() =>
        assert.sameMembers(
          [...new Set(requests.map(({ sourceAsset }) => chainOf(sourceAsset)))],
          [...vaultSwapsOf(provider).chains],
        )
      ),
  )

/** The same request without its sender, who is known on Solana always. */
const ofNobody = (request: VaultSwapRequest): VaultSwapRequest =>
  request.sender._tag === "solana" ? request : { ...request, sender: { _tag: request.sender._tag } }

const encodes = <R, E>(kit: Kit<R, E>, payloads: Payloads<R>, request: VaultSwapRequest): Check<E> =>
  check(
    kit,
    `makes a payload for ${pairOf(request)}, and opens nothing by it`,
    function* (provider, upstream) {
      const asked = vaultSwapsOf(provider).needsSender === true ? [request] : [request, ofNobody(request)]
      for (const request of asked) {
        const encoded = yield* encodeAs(provider, request)
        yield* assertPayload(kit, payloads, encoded, asHonoured(provider.capabilities, request))
      }
      assert.strictEqual(yield* upstream.openings, 0)
    },
  )

const isTokenOnEvm = ({ sender, sourceAsset }: VaultSwapRequest): boolean =>
  sender._tag === "evm" && factsOf(sourceAsset).contractAddress !== undefined

const keepsSpender = <R, E>(kit: Kit<R, E>, request: VaultSwapRequest): Check<E> =>
  check(
    kit,
    `has ${request.sourceAsset} approved for the same contract in every payload`,
    function* (provider) {
      const more = NativeAmount.make(request.amount + 1n)
      const encoded = yield* Effect.forEach(
        [request, request, { ...request, amount: more }],
        (asked) => encodeAs(provider, asked),
      )
      const spenders = encoded.map(({ payload }) =>
        "to" in payload && payload._tag !== "tron" ? payload.spender ?? payload.to : assert.fail("no call")
      )
      assert.lengthOf(new Set(spenders.map((spender) => spender.toLowerCase())), 1, spenders.join(", "))
    },
  )

/** Amounts that are not enough: what the payload itself says, and what the offer of its pair does. */
const notEnoughFor = <R, E>(
  { fixtures: { offers } }: Kit<R, E>,
  request: VaultSwapRequest,
  minimumDeposit: NativeAmount,
): ReadonlyArray<NativeAmount> => {
  const offered = offers.filter((offer) => pairOf(offer) === pairOf(request)).map(({ tooLittle }) =>
    tooLittle
  )
  return minimumDeposit > 1n ? [NativeAmount.make(minimumDeposit - 1n), ...offered] : offered
}

const refusesLess = <R, E>(kit: Kit<R, E>, request: VaultSwapRequest): Check<E> =>
  check(
    kit,
    `makes no payload for less than the minimum of ${pairOf(request)}`,
    function* (provider, upstream) {
      const { minimumDeposit } = yield* encodeAs(provider, request)
      for (const amount of notEnoughFor(kit, request, minimumDeposit)) {
        const error = yield* errorOf(encodeAs(provider, { ...request, amount }))
        assertErrorOf(error, kit.fixtures.platform, "encode")
        assert.include(notEnough, error.reason._tag)
      }
      assert.strictEqual(yield* upstream.openings, 0)
    },
  )

const knowsNoStranger = <R, E>(kit: Kit<R, E>, payloads: Payloads<R>): Check<E> =>
  check(kit, "knows nothing of a transaction that nobody made", function* (provider) {
    const { requests: [request], strangersTransaction: transaction } = payloads
    const marks = marksOf(provider, [yield* encodeAs(provider, request)])
    assert.isTrue(Option.isNone(yield* vaultSwapsOf(provider).status({ transaction, marks }, Option.none())))
  })

const makesNone = <R, E>(kit: Kit<R, E>, reason: string): Check<E> =>
  check(
    kit,
    `makes no payloads: ${reason}`,
    (provider) => Effect.sync(() => assert.notProperty(provider, "vaultSwaps")),
  )

/** Payloads for transactions: what they say, and which are refused. */
export const payloads = <R, E>(kit: Kit<R, E>): ReadonlyArray<Check<E>> => {
  const { payloads } = kit.fixtures
  if (isNotPossible(payloads)) return [makesNone(kit, payloads.reason)]
  return [
    coversEveryChain(kit, payloads),
    ...payloads.requests.flatMap((request) => [
      encodes(kit, payloads, request),
      refusesLess(kit, request),
      ...isTokenOnEvm(request) ? [keepsSpender(kit, request)] : [],
    ]),
    knowsNoStranger(kit, payloads),
  ]
}
