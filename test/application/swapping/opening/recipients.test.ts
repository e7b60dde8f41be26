import { assert, describe, it } from "#test/support/it.ts"
import { Array, Effect, Layer, Result } from "effect"
import { Address } from "#domain/chains/Address.ts"
import { noAmount } from "#domain/money/Amount.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import { MalformedBody, ProviderError } from "#domain/ProviderError.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { EncodedPayload, EvmPayload, VaultAddress, VaultSwapPayload } from "#domain/swaps/VaultSwap.ts"
import { type RecipientPlace, VaultSwapsRepo } from "#infrastructure/store/swaps/VaultSwapsRepo.ts"
import { makeCheckRecipient } from "#application/swapping/payloads/VaultSwaps.ts"
import { collectLogs } from "#test/support/collectLogs.ts"

const chainflip = ProviderName.make("chainflip")
const other = ProviderName.make("near-intents")

/** The same address in the two spellings that the chain has for it. */
const vault = Address.make("0xF5e10380213880111522dd0efD3dbb45b9f62Bcc")
const vaultInLowerCase = Address.make("0xf5e10380213880111522dd0efd3dbb45b9f62bcc")
const stranger = Address.make("0x2222222222222222222222222222222222222222")

const evm = (to: Address, network: "Ethereum" | "Arbitrum" = "Ethereum"): EvmPayload => ({
  _tag: "evm",
  network,
  to,
  calldata: "0x12345678",
  value: noAmount,
})

const bitcoin = (depositAddress: Address): VaultSwapPayload => ({
  _tag: "bitcoin",
  network: "Bitcoin",
  depositAddress,
  nulldataPayload: "0x00",
  amountNative: noAmount,
})

const solana = (...programs: Array.NonEmptyReadonlyArray<string>): VaultSwapPayload => ({
  _tag: "solana",
  network: "Solana",
  instructions: Array.map(programs, (programId) => ({
    programId: Address.make(programId),
    accounts: [],
    data: "0x00",
  })),
})

/** Checks payloads one after the other, with what was first seen on each chain kept as the database does. */
const makeCheck = (vaultAddresses: ReadonlyArray<VaultAddress> = []) => {
  const first = new Map<string, string>()
  const repo = Layer.mock(VaultSwapsRepo, {
    recipient: (platform: ProviderName, place: RecipientPlace, seen: string) =>
      Effect.sync(() => {
        const key = `${platform} ${place}`
        const known = first.get(key) ?? seen
        first.set(key, known)
        return known
      }),
  })
  const check = (
    payload: VaultSwapPayload,
    platform: ProviderName = chainflip,
    more: Pick<EncodedPayload, "recipientChanges"> = {},
  ) =>
    Effect.flatMap(
      VaultSwapsRepo,
      (service) => Effect.result(makeCheckRecipient(service, vaultAddresses)(platform, { payload, ...more })),
    ).pipe(Effect.provide(repo))
  return {
    check,
    isHandedOut: (...args: Parameters<typeof check>) => Effect.map(check(...args), Result.isSuccess),
  }
}

const named = (platform: ProviderName, chain: Chain, address: Address): VaultAddress => ({
  platform,
  chain,
  address,
})

describe("what a payload calls", () => {
  it.effect("is what the first one of its provider and chain called, however that is written", function* () {
    const { isHandedOut } = makeCheck()
    assert.isTrue(yield* isHandedOut(evm(vault)))
    assert.isTrue(yield* isHandedOut(evm(vaultInLowerCase)))
    assert.isFalse(yield* isHandedOut(evm(stranger)))
    assert.isTrue(yield* isHandedOut(evm(vault)), "a refused one changes nothing")
  })

  it.effect("is held against its own chain and provider alone", function* () {
    const { isHandedOut } = makeCheck()
    assert.isTrue(yield* isHandedOut(evm(vault)))
    assert.isTrue(yield* isHandedOut(evm(stranger, "Arbitrum")))
    assert.isTrue(yield* isHandedOut(evm(stranger), other))
    assert.isFalse(yield* isHandedOut(evm(vault, "Arbitrum")))
    assert.isFalse(yield* isHandedOut(evm(vault), other))
  })

  it.effect("is one of the settings where they name any for the provider and chain, be it the first or not", function* () {
    const { isHandedOut } = makeCheck([
      named(chainflip, "Ethereum", vaultInLowerCase),
      named(chainflip, "Arbitrum", stranger),
      named(other, "Ethereum", stranger),
    ])
    assert.isFalse(yield* isHandedOut(evm(stranger)), "named for another chain and another provider")
    assert.isTrue(yield* isHandedOut(evm(vault)))
    assert.isTrue(yield* isHandedOut(evm(stranger, "Arbitrum")))
    assert.isFalse(yield* isHandedOut(evm(vault), other))
  })

  it.effect("is a program on Solana, whose addresses differ by case", function* () {
    const { isHandedOut } = makeCheck()
    const program = "AusZPVXPoUM8QJJ2SL4KwvRGCQ22cDg6Y4rg7EvFrxi7"
    assert.isTrue(yield* isHandedOut(solana(program)))
    assert.isTrue(yield* isHandedOut(solana(program)))
    assert.isFalse(yield* isHandedOut(solana("3uXCgEw6NyimgDCh5WSERBHzSWGy3EULbeMeZE6mQW5s")))
  })

  it.effect("is every program of a transaction on Solana", function* () {
    const program = "AusZPVXPoUM8QJJ2SL4KwvRGCQ22cDg6Y4rg7EvFrxi7"
    const second = "3uXCgEw6NyimgDCh5WSERBHzSWGy3EULbeMeZE6mQW5s"
    const { isHandedOut } = makeCheck()
    assert.isTrue(yield* isHandedOut(solana(program)))
    assert.isFalse(yield* isHandedOut(solana(program, second)))
    const set = makeCheck([program, second].map((text) => named(chainflip, "Solana", Address.make(text))))
    assert.isTrue(yield* set.isHandedOut(solana(program, second)))
    assert.isFalse(yield* set.isHandedOut(solana(program, "11111111111111111111111111111111")))
  })

  it.effect("lets its token be taken by the first spender of its provider and chain alone", function* () {
    const token = { ...evm(vault), sourceTokenAddress: Address.make(`0x${"3".repeat(40)}`) }
    const { isHandedOut } = makeCheck()
    assert.isTrue(yield* isHandedOut({ ...token, spender: vaultInLowerCase }))
    assert.isTrue(yield* isHandedOut(token), "who is called may take it")
    assert.isTrue(yield* isHandedOut({ ...token, spender: stranger }), "the first other one")
    assert.isFalse(yield* isHandedOut({ ...token, spender: Address.make(`0x${"4".repeat(40)}`) }))
    assert.isTrue(yield* isHandedOut({ ...token, spender: stranger }))
    const set = makeCheck([named(chainflip, "Ethereum", vault)])
    assert.isFalse(yield* set.isHandedOut({ ...token, spender: stranger }))
  })

  it.effect("is never pinned where its provider knows beforehand which there are", function* () {
    const changes = { recipientChanges: true }
    const routed = { ...evm(vault), sourceTokenAddress: Address.make(`0x${"3".repeat(40)}`) }
    const { isHandedOut } = makeCheck()
    for (const payload of [evm(vault), evm(stranger), routed, { ...routed, to: stranger }]) {
      assert.isTrue(yield* isHandedOut(payload, chainflip, changes))
    }
    const set = makeCheck([named(chainflip, "Ethereum", vault)])
    assert.isTrue(yield* set.isHandedOut(routed, chainflip, changes))
    const other = { ...routed, to: stranger }
    assert.isFalse(yield* set.isHandedOut(other, chainflip, changes), "the settings name who takes a token")
  })

  it.effect("is not looked at on Bitcoin, whose vault has many addresses", function* () {
    const { isHandedOut } = makeCheck()
    assert.isTrue(yield* isHandedOut(bitcoin(Address.make("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"))))
    assert.isTrue(yield* isHandedOut(bitcoin(Address.make("bc1q0xcqpzrky6eff2g52qdye53xkk9jxkvrh6yhyw"))))
  })

  it.effect("is told to the operator with the setting that would allow it, and to the caller as a malformed answer", function* () {
    const { check } = makeCheck([named(chainflip, "Ethereum", vault)])
    const { lines, value } = yield* collectLogs(check(evm(stranger)))
    assert.strictEqual(lines.length, 1)
    assert.include(`${lines[0]}`, `chainflip:Ethereum:${stranger} to VAULT_ADDRESSES`)
    assert.deepStrictEqual(
      value,
      Result.fail(
        new ProviderError({
          provider: chainflip,
          operation: "encode",
          reason: new MalformedBody({
            detail: `expected a payload that calls a known vault, got ${stranger}`,
            reached: true,
          }),
        }),
      ),
    )
  })
})
