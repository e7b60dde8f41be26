import { Option, Result, Schema } from "effect"
import { accountText } from "#domain/chains/address/accountBytes.ts"
import { checkAddress } from "#domain/chains/Address.ts"
import { type AssetId, assetIds, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { type Chain, Network } from "#domain/chains/Chain.ts"
import { MalformedBody, type ProviderErrorReason } from "#domain/ProviderError.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { Amount, Count, decode, maybe } from "../upstream/values.ts"
import { type PaymentFee, readPaymentFee, wireFees } from "./depositCosts.ts"
import { halted, paused } from "./client.ts"
import type { Family } from "./networks.ts"
import type { Routers } from "./settings.ts"

/** `GET /inbound_addresses`; Maya leaves the flags of pauses out (thorchain/wire.md 4). */
export const WireInbound = Schema.Array(Schema.Struct({
  chain: maybe(Schema.String),
  address: maybe(Schema.String),
  router: maybe(Schema.String),
  halted: maybe(Schema.Boolean),
  global_trading_paused: maybe(Schema.Boolean),
  chain_trading_paused: maybe(Schema.Boolean),
  dust_threshold: maybe(Amount),
  ...wireFees,
}))

/** `GET /lastblock`: the height stands beside each chain, in a member of the network's name. */
const WireLastBlock = Schema.Array(Schema.Record(Schema.String, Schema.Unknown))

/** The vault of a chain that payments go to now. */
export interface Vault {
  readonly address: string
  /** The contract that takes tokens, as it is named; absent on chains without contracts. */
  readonly router?: string
  /** Why nothing is swapped from the chain: what is named there is not the network's, or nobody knows it. */
  readonly fault?: ProviderErrorReason
  /** Why nothing is paid to the vault now, though it may be the network's in a moment (`agreement.ts`). */
  readonly doubt?: ProviderErrorReason
  readonly isHalted: boolean
  /** The largest payment that the network does not see, in its own units. */
  readonly dust: bigint
  /** What payments cost on the chain; absent where the network does not tell it in a unit of that chain. */
  readonly fee?: PaymentFee
}

/** The vaults, and whether the network itself goes on. */
export interface Vaults {
  readonly byChain: ReadonlyMap<Chain, Vault>
  /** All trading is paused, or no block has come for so long that nothing that is said of vaults counts. */
  readonly isPaused: boolean
}

/** The latest height, and since when it is that. */
export interface Pulse {
  readonly height: number
  readonly since: number
}

/** Five blocks of six seconds: a network that has made none since is at a standstill (thorchain/wire.md 4). */
const longestBlock = 30_000

/** An hour of blocks: no node that is in use is so far behind another. */
const furthestBehind = 600

/** What a new height says: a lower one is of a slow node; a far lower one shows that the last was false. */
export const feel = (last: Option.Option<Pulse>, height: number, now: number): Pulse =>
  Option.getOrElse(
    Option.filter(last, (pulse) => pulse.height >= height && pulse.height - height <= furthestBehind),
    () => ({ height, since: now }),
  )

/** Whether the network makes no blocks. Vaults then stand in its lists as they stood, and are not marked as halted. */
export const isStill = ({ since }: Pulse, now: number): boolean => now - since > longestBlock

/** The network's height; nodes leave out what is 0. */
export const readHeight = ({ height }: Family, body: unknown): Result.Result<number, MalformedBody> =>
  Result.gen(function* () {
    const rows = yield* decode(WireLastBlock, body)
    const heights = yield* Result.all(
      rows.flatMap((row, index) =>
        row[height] === undefined ? [] : [decode(Count, row[height], [index, height])]
      ),
    )
    return heights.length > 0 ? Math.max(...heights) : yield* decode(Count, undefined, [0, height])
  })

/** Whether an account is the contract of a token on its chain: a payment to it is lost. */
const isToken = (on: Chain, account: string): boolean =>
  assetIds().some((asset) => {
    const { chain, contractAddress } = factsOf(asset)
    return chain === on && contractAddress !== undefined && accountText(chain, contractAddress) === account
  })

/** What an account is that is no vault; undefined where it may be one. */
const otherThanVault = (chain: Chain, account: string, routers: ReadonlySet<string>): string | undefined => {
  if (isToken(chain, account)) return "the contract of a token"
  if (routers.has(account)) return "the contract that takes payments"
  return /^0+$/.test(account) ? "the account of nobody" : undefined
}

/** The fault of what a row names: a vault that is none, or a contract that is not known beforehand (thorchain/wire.md 4). */
const faultOf = (
  { known, setting }: Routers,
  chain: Chain,
  { address, router }: Pick<Vault, "address" | "router">,
  index: number,
): MalformedBody | undefined => {
  const refused = (member: string, came: string) =>
    new MalformedBody({ detail: `[${index}].${member}, got ${came}`, reached: true })
  const routers = new Set(
    known.filter((one) => one.chain === chain).map(({ address }) => accountText(chain, address)),
  )
  const other = otherThanVault(chain, accountText(chain, address), routers)
  if (other !== undefined) return refused(`address: expected a vault on ${chain}`, other)
  if (router === undefined || routers.has(accountText(chain, router))) return undefined
  const came = Result.isSuccess(checkAddress(chain, Network.literals, router))
    ? `${router}; add ${chain}:${router} there if the network has moved to it`
    : "no address of it"
  return refused(`router: expected a contract on ${chain} that ${setting} names`, came)
}

export const readVaults = (
  family: Family,
  routers: Routers,
  body: unknown,
): Result.Result<Vaults, MalformedBody> =>
  Result.map(decode(WireInbound, body), (rows) => {
    const byChain = new Map<Chain, Vault>()
    for (const [index, row] of rows.entries()) {
      const chain = row.chain === undefined ? undefined : family.chains.get(row.chain)
      if (chain === undefined || row.address === undefined || byChain.has(chain)) continue
      const named = {
        address: row.address,
        ...(row.router === undefined || row.router === "" ? {} : { router: row.router }),
      }
      byChain.set(chain, {
        ...named,
        ...optionalMembers(faultOf(routers, chain, named, index), (fault) => ({ fault })),
        // What is not said to be at work counts as at rest.
        isHalted: row.halted !== false || (row.chain_trading_paused ?? family.tellsPauses),
        dust: row.dust_threshold ?? 0n,
        ...optionalMembers(readPaymentFee(chain, row, index), (fee) => ({ fee })),
      })
    }
    return { byChain, isPaused: rows.some(({ global_trading_paused }) => global_trading_paused === true) }
  })

export interface Pair {
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
}

export const haltOf = (
  { byChain, isPaused }: Vaults,
  { destinationAsset, sourceAsset }: Pair,
  paying: boolean,
): ProviderErrorReason | undefined => {
  if (isPaused) return paused(paying)
  const atRest = [sourceAsset, destinationAsset].find((asset) =>
    byChain.get(chainOf(asset))?.isHalted !== false
  )
  return atRest === undefined ? undefined : halted(atRest)
}
