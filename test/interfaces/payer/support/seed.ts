import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "#application/accounts/Accounts.ts"
import { Merchants } from "#application/accounts/Merchants.ts"
import { hashOf } from "#application/accounts/token.ts"
import { AccountName } from "#domain/accounts/Account.ts"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import type { ChannelRecord, SwapStatus } from "#domain/swaps/Swap.ts"
import { EpochMillis } from "#domain/Time.ts"
import { encodeRequest, encodeStatus } from "#infrastructure/store/database/columns.ts"
import { FirstImage } from "#infrastructure/store/database/EmbeddedDatabase.ts"
import { testKey } from "#test/support/broker.ts"
import { makeFirstAccount, operator } from "#test/support/account.ts"
import { anyChannel, swapRequest, waitingStatus } from "#test/support/swap.ts"
import { hostile, longHostile, shortHostile } from "#test/interfaces/dashboard/support/hostile.ts"
import { imageWith } from "#test/interfaces/dashboard/support/seed.ts"

const minute = 60_000
const now = Date.now()
const at = (minutes: number): EpochMillis => EpochMillis.make(now + minutes * minute)
const native = (amount: bigint) => NativeAmount.make(amount)
const hash = "0x5d1f0f9d6ce2cb8f2a4a9ad2b6f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3"

const waiting = (channel: Partial<ChannelRecord> = {}, sourceAsset: AssetId = "btc.btc"): SwapStatus => {
  const status = waitingStatus(swapRequest, anyChannel)
  if (status.depositChannel === undefined) return status
  return {
    ...status,
    sourceAsset,
    destinationAddress: Address.make("0x1111111111111111111111111111111111111111"),
    depositChannel: {
      ...status.depositChannel,
      id: { ...status.depositChannel.id, network: chainOf(sourceAsset) },
      depositAddress: Address.make("bcrt1pxw0scc8aj8mjmf8yxvpj3y5sx3a3v4y0nvqxp6hq4fxdnr6zjvrq6wz9uh"),
      createdAt: at(-60),
      estimatedExpiryTime: at(23 * 60),
      expectedDepositAmount: native(150_000_000n),
      minimumDeposit: native(40_000n),
      maximumDeposit: native(5_000_000_000n),
      ...channel,
    },
  }
}

const deposit = {
  amount: native(150_000_000n),
  transactionReference: hash.slice(2),
  transactionConfirmations: 1,
  witnessedAt: at(-4),
}
const seen: SwapStatus = { ...waiting(), swapId: "481516", deposit, sourceChainRequiredBlockConfirmations: 3 }
const paid = {
  amount: native(4_512_345_678_901_234_567n),
  transactionReference: hash.replace("5", "6"),
  witnessedAt: at(-12),
}

const failureOf = (text: string) => ({
  ...deposit,
  transactionReference: text,
  failedAt: at(-1),
})

const evmAddress = Address.make("0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb")

/** Every kind of a swap that payers see, by its name, in the order of their ids. */
export const statuses = {
  waiting: waiting(),
  noAmount: (() => {
    const status = waiting()
    if (status.depositChannel === undefined) return status
    const { expectedDepositAmount: _, ...depositChannel } = status.depositChannel
    return { ...status, depositChannel }
  })(),
  token: waiting(
    { depositAddress: evmAddress, expectedDepositAmount: native(1_234_567_890n) },
    "usdc.arb",
  ),
  memo: waiting({
    memo: "=:ETH.ETH:0x1111111111111111111111111111111111111111:0/1/0",
    depositAddress: evmAddress,
  }, "eth.eth"),
  exact: waiting({ exactAmount: native(150_000_017n) }),
  noLink: waiting(
    { depositAddress: Address.make("7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU") },
    "usdc.sol",
  ),
  exactOutput: waiting({
    exactOutput: {
      amount: native(4_500_000_000_000_000_000n),
      sendAtMost: native(150_000_000n),
      sendAtLeast: native(147_250_000n),
      refundFee: native(2_100n),
    },
  }),
  quoted: {
    ...waiting(),
    destinationAsset: "xrp.xrp",
    estimatedDuration: 1_560_000,
    sourceChainRequiredBlockConfirmations: 3,
    quote: {
      amount: native(150_000_000n),
      quoted: native(1_234_567_123_456n),
      promised: native(1_222_222_123_456n),
      expiresAt: at(10),
    },
  },
  branded: waiting({}, "usdc.arb"),
  expired: waiting({ isExpired: true, estimatedExpiryTime: at(-60) }),
  closing: waiting({ createdAt: at(-24 * 60), estimatedExpiryTime: at(15) }),
  confirming: { ...seen, state: "receiving" },
  swapping: { ...seen, state: "swapping" },
  inParts: {
    ...seen,
    state: "swapping",
    swap: {
      originalInputAmount: native(150_000_000n),
      remainingInputAmount: native(100_000_000n),
      swappedInputAmount: native(50_000_000n),
      swappedIntermediateAmount: native(0n),
      swappedOutputAmount: native(1_500_000_000_000_000_000n),
      execution: { _tag: "dca", executedChunks: 1, remainingChunks: 2 },
    },
  },
  late: { ...seen, state: "swapping", deposit: { ...deposit, witnessedAt: at(-90) } },
  sending: { ...seen, state: "sending", swapEgress: { amount: paid.amount, scheduledAt: at(-1) } },
  completed: { ...seen, state: "completed", swapEgress: paid },
  refunded: {
    ...seen,
    state: "completed",
    refundEgress: { amount: native(149_000_000n), transactionReference: hash.slice(2), witnessedAt: at(-5) },
  },
  promised: { ...seen, state: "completed", swapEgress: { ...paid, isPromised: true } },
  failed: { ...seen, state: "failed", deposit: { ...deposit, failedAt: at(-3) } },
  hostileAddress: waiting({ depositAddress: Address.make(hostile), memo: hostile }),
  hostileLink: waiting({ depositAddress: Address.make("javascript:canary()//bcrt1q") }),
  hostileShort: waiting({ depositAddress: Address.make(shortHostile) }, "usdc.arb"),
  hostilePayments: {
    ...seen,
    state: "failed",
    destinationAddress: Address.make(longHostile),
    deposit: failureOf(hostile),
    refundEgress: { amount: native(1n), transactionReference: longHostile },
    fallbackEgress: { amount: native(1n), transactionReference: "javascript:canary()" },
  },
} as const satisfies Readonly<Record<string, SwapStatus>>

/** The token of the page that shows a swap. */
export const tokenOf = (name: string): string => `payer-${name}-`.padEnd(43, "0")

/** The merchant of the swap `branded`, in an account of its own. Its picture is of one pixel. */
export const merchant = {
  displayName: `Acme "><img src=x onerror=canary()> & Söhne`,
  colour: "#0b6b5d",
  support: "help@acme.example",
  returnUrl: "https://acme.example/orders",
  logo:
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkyI79DwADcwHrPhMHxQAAAABJRU5ErkJggg==",
}

const shop = AccountName.make("shop")

const fill = Effect.gen(function* () {
  const accounts = yield* Accounts
  yield* makeFirstAccount(testKey)
  yield* accounts.create(shop, {}, operator)
  yield* (yield* Merchants).set(shop, merchant, operator)
  const sql = yield* SqlClient.SqlClient
  const request = yield* encodeRequest(swapRequest)
  for (const [index, [name, status]] of Object.entries(statuses).entries()) {
    const json = yield* encodeStatus(status)
    const times = [new Date(at(-120)), new Date(at(-3))] as const
    // Nobody looks these up, and nobody is told that they are overdue while the tests run.
    const lookedUp = new Date(at(60))
    yield* sql`
      INSERT INTO swaps (account_id, platform, opening, request, state, status, created_at, updated_at, changed_at,
        looked_up_at, issued_block, network, channel_id, deposit_address)
      VALUES ((SELECT id FROM accounts WHERE name = ${
      name === "branded" ? shop : "default"
    }), 'chainflip', 'opened', ${request}::jsonb, ${status.state},
        ${json}::jsonb, ${times[0]}, ${times[1]}, ${times[1]}, ${lookedUp}, ${
      100 + index
    }, 'Bitcoin', ${index}, NULL)`
    yield* sql`
      INSERT INTO pay_links (token_hash, swap_id, created_at)
      SELECT ${hashOf(Redacted.make(tokenOf(name)))}::bytea, max(id), ${times[0]}::timestamptz FROM swaps`
  }
})

/** Embedded databases with a swap of each kind, and a link to each. */
export const seededDatabases = Layer.effect(FirstImage, imageWith(Effect.orDie(fill)))
