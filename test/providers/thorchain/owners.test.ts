import { assert, layer, TestClock } from "../support.ts"
import { BigDecimal, Layer, Option, Random, Result } from "effect"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import { Bps } from "#domain/money/Bps.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { Price } from "#domain/money/Price.ts"
import { EpochMillis } from "#domain/Time.ts"
import type { VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import { toWire } from "#providers/thorchain/amounts.ts"
import { assetName, chainCode, type Family, maya, thorchain } from "#providers/thorchain/networks.ts"
import { memoFor } from "#providers/thorchain/payloads.ts"
import { referenceOn } from "#domain/chains/TransactionReference.ts"
import { readStatus } from "#providers/thorchain/status.ts"
import { VaultSwapsRepo } from "#infrastructure/store/swaps/VaultSwapsRepo.ts"
import { evidenceOf, traitsOf } from "#application/swapping/payloads/payloadTraits.ts"
import { addressFor } from "#test/contract/support/addresses.ts"
import { embeddedStore, newAccount } from "#test/support/store.ts"
import { begin } from "./fakeNode.ts"
import { request } from "./bodies.ts"

const swaps = 1_000
const affiliate = Option.some("sb")

const addressOf = (asset: VaultSwapRequest["sourceAsset"]): Address => Address.make(addressFor(asset))

/** Small swaps with random amounts and limits: the network counts fewer digits than both have. */
const randomSwap = (family: Family, random: () => number): VaultSwapRequest => {
  const below = (end: number) => Math.floor(random() * end)
  const sources = family.assets.filter((asset) => family.sources.includes(chainOf(asset)))
  const sourceAsset = sources[below(sources.length)] ?? "btc.btc"
  const others = family.assets.filter((asset) => asset !== sourceAsset)
  const destinationAsset = others[below(others.length)] ?? "eth.eth"
  return {
    ...request,
    sourceAsset,
    destinationAsset,
    destinationAddress: addressOf(destinationAsset),
    refundAddress: addressOf(sourceAsset),
    amount: NativeAmount.make(20_000n + BigInt(below(1e9)) * 10n ** BigInt(below(10)) + BigInt(below(1e9))),
    minimumPrice: Price.make(BigDecimal.make(BigInt(below(1e12)), below(14))),
    commissionBps: Bps.make(below(100)),
    sender: { _tag: "evm" },
  }
}

/** What a node says of the payment made of a payload: the amount without the digits that it does not count. */
const seenByNode = (
  family: Family,
  { amount, refundAddress, sourceAsset }: VaultSwapRequest,
  memo: string,
  id: string,
) => ({
  tx: {
    id: id.replace(/^0x/, "").toUpperCase(),
    chain: chainCode(family, chainOf(sourceAsset)),
    from_address: refundAddress,
    coins: [{ asset: assetName(family, sourceAsset), amount: `${toWire(sourceAsset, amount)}` }],
    memo,
  },
  stages: { inbound_observed: { completed: true } },
})

layer(VaultSwapsRepo.layer.pipe(Layer.provideMerge(embeddedStore.layer)))(
  "small swaps of coarse networks",
  (it) => {
    it.effect(`are found by their owner, ${swaps} of ${swaps}`, function* () {
      yield* TestClock.setTime(begin)
      const repo = yield* VaultSwapsRepo
      const owner = (yield* newAccount).id
      const other = (yield* newAccount).id
      const random = yield* Random.Random.pipe(Random.withSeed("owners"))
      let found = 0
      let asked = 0
      for (let index = 0; asked < swaps; index++) {
        const family = index % 2 === 0 ? thorchain : maya
        const swap = randomSwap(family, () => random.nextDoubleUnsafe())
        const memo = memoFor(family, swap, affiliate)
        if (Result.isFailure(memo) || toWire(swap.sourceAsset, swap.amount) === 0n) continue
        asked++
        const platform = ProviderName.make(family.name)
        const at = EpochMillis.make(begin + index)
        yield* repo.remember({
          accountId: owner,
          platform,
          traits: traitsOf(swap),
          mark: memo.success,
          request: swap,
          at,
          expiresAt: EpochMillis.make(at + 900_000),
        })
        const transaction = referenceOn(chainOf(swap.sourceAsset), index.toString(16).padStart(64, "a")) ?? ""
        const body = seenByNode(family, swap, memo.success, transaction)
        const now = EpochMillis.make(at + 1_000)
        const said = Result.getOrThrow(
          readStatus(family, affiliate, body, { transaction, known: Option.none(), now }),
        )
        if (Option.isNone(said)) return assert.fail(`${memo.success} is none of ours`)
        // Whoever copies the memo later comes later.
        yield* repo.remember({
          accountId: other,
          platform,
          traits: traitsOf(swap),
          mark: memo.success,
          request: swap,
          at: EpochMillis.make(at + 2_000),
          expiresAt: EpochMillis.make(at + 900_000),
        })
        const [first] = yield* repo.candidates(
          platform,
          evidenceOf(said.value, now, { simulatedTime: false }),
        )
        if (first?.accountId === owner) found++
      }
      assert.strictEqual(found, swaps)
    })
  },
)
