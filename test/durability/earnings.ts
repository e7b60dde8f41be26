import { Effect, Option, Schema } from "effect"
import { type AssetId, factsOf } from "#domain/chains/Asset.ts"
import { EpochMillis } from "#domain/Time.ts"
import { WithdrawAffiliate, WithdrawFees } from "#sandbox/engine/Command.ts"
import { logPath } from "#sandbox/World.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import {
  advance,
  at,
  type Client,
  deposit,
  ethereumAddress,
  openChannel,
  startSandbox,
  textAt,
} from "#test/sandbox/support.ts"
import { temporaryFolder } from "#test/support/folder.ts"
import type { Withdrawn } from "./client.ts"
import { assetSubject } from "./OrderGate.ts"

/** Something to withdraw. */
export interface Earning {
  readonly withdrawn: Withdrawn
  /** What its orders are of, on the wire. */
  readonly subject: string
  /** The account to name first, if it is an affiliate's. */
  readonly account?: string
}

const assets: ReadonlyArray<AssetId> = [
  "usdc.eth",
  "eth.eth",
  "usdt.eth",
  "btc.btc",
  "eth.arb",
  "usdc.arb",
  "usdt.arb",
  "sol.sol",
  "usdc.sol",
  "trx.tron",
  "wbtc.eth",
]

const affiliateCount = 10
const affiliatesOfChannel = 5

/** The time that a swap takes in which affiliates earn. */
const swapSeconds = 7_200

/** A sandbox at the present time, whose operator and affiliates have earned. */
export interface Earners {
  readonly client: Client
  /** Earnings of the operator and of affiliates, by turns. */
  readonly earnings: ReadonlyArray<Earning>
  /** The operator earns as much again in every asset. */
  readonly earnAgain: Effect.Effect<void>
  /** What the broker has ordered, by the sandbox's event log: once for each order. */
  readonly ordered: Effect.Effect<ReadonlyArray<string>>
}

const Ordered = Schema.fromJsonString(
  Schema.Struct({
    _tag: Schema.Literal("CommandAccepted"),
    command: Schema.Union([WithdrawFees, WithdrawAffiliate]),
  }),
)
const decodeOrdered = Schema.decodeUnknownOption(Ordered)

const subjectOf = (asset: AssetId): string => {
  const { chain, ticker } = factsOf(asset)
  return assetSubject(chain, ticker)
}

const earn = (client: Client, asset: AssetId) =>
  client.send("PATCH", "/sandbox/network", {
    change: "shiftEarned",
    asset,
    difference: `${500n * 10n ** BigInt(factsOf(asset).decimals)}`,
  })

/** Registers affiliates, and lets each earn in a swap. */
const affiliatesOf = Effect.fnUntraced(function* (client: Client) {
  const accounts = yield* Effect.forEach(
    Array.from({ length: affiliateCount }),
    () =>
      Effect.map(
        client.call("broker", "broker_register_affiliate", [ethereumAddress]),
        (reply) => textAt(reply, "result"),
      ),
  )
  for (let first = 0; first < affiliateCount; first += affiliatesOfChannel) {
    const fees = accounts.slice(first, first + affiliatesOfChannel).map((account) => ({ account, bps: 100 }))
    yield* deposit(client, yield* openChannel(client, { affiliate_fees: fees }), "100000000")
  }
  yield* advance(client, swapSeconds)
  return accounts
})

/** Starts a sandbox whose time is that of the machine once its swaps are over. */
export const startEarners = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  const genesis = EpochMillis.make((yield* currentMillis) - swapSeconds * 1_000)
  const client = yield* startSandbox({ dataDir: folder, genesis, speed: 1 })
  const accounts = yield* affiliatesOf(client)
  const earnAgain = Effect.forEach(assets, (asset) => earn(client, asset), { discard: true })
  yield* earnAgain
  const own = assets.map((asset): Earning => ({ withdrawn: { asset }, subject: subjectOf(asset) }))
  const shares = accounts.map((account, index): Earning => ({
    withdrawn: { affiliate: `affiliate-${index + 1}` },
    subject: account,
    account,
  }))
  const earners: Earners = {
    client,
    earnings: own.flatMap((earning, index) => {
      const share = shares[index]
      return share === undefined ? [earning] : [earning, share]
    }),
    earnAgain,
    ordered: Effect.map(
      Effect.promise(() => Deno.readTextFile(logPath(folder))),
      (log) =>
        log.split("\n").flatMap((line) =>
          Option.toArray(decodeOrdered(line)).map(({ command }) =>
            command._tag === "WithdrawFees" ? subjectOf(command.asset) : command.account
          )
        ),
    ),
  }
  return earners
})

/** The payments that the network knows of: the amount that each took with its fee, by reference. */
export const paymentsOf = (client: Client): Effect.Effect<ReadonlyMap<string, bigint>> =>
  Effect.map(client.get("/sandbox"), ({ json }) => {
    const listed = at(json, "broker", "withdrawals")
    return new Map(
      Array.isArray(listed)
        ? listed.map((one) =>
          [textAt(one, "egress"), BigInt(textAt(one, "amount")) + BigInt(textAt(one, "fee"))] as const
        )
        : [],
    )
  })
