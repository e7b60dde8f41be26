import { Schema } from "effect"
import type { Chain } from "#domain/chains/Chain.ts"
import { type Family, type FamilyName, hasRouter } from "./families.ts"
import inbound from "./recorded/inbound-addresses-2026-10.json" with { type: "json" }
import inboundDescribed from "./recorded/inbound-addresses-described-2026.json" with { type: "json" }
import inboundOfBsc from "./recorded/inbound-addresses-halted-2026.json" with { type: "json" }
import inboundOfTron from "./recorded/inbound-addresses-tron-halted-2026-06.json" with { type: "json" }
import mayaInbound from "./recorded/maya-inbound-addresses-2026.json" with { type: "json" }
import mayaAnnounced from "./recorded/maya-inbound-addresses-announced-1136.json" with { type: "json" }
import mayaPools from "./recorded/maya-pools-2026.json" with { type: "json" }
import mayaQuote from "./recorded/maya-quote-eth-btc-streaming-xchainjs.json" with { type: "json" }
import mayaPaid from "./recorded/maya-status-completed-usdc-arb-usdc.json" with { type: "json" }
import pools from "./recorded/pools-2026-10.json" with { type: "json" }
import quote from "./recorded/quote-btc-eth-2026-10.json" with { type: "json" }
import paid from "./recorded/status-completed-bnb-trx.json" with { type: "json" }

/** The recorded answers of each network that those of its simulated nodes are made of. */
interface Answers {
  /** Rows of vaults, of several lists. */
  readonly vaults: ReadonlyArray<{ readonly chain: string }>
  readonly pool: unknown
  readonly quote: unknown
  /** Of a status: a planned payment, the share of an affiliate, and the payment of the user. */
  readonly planned: unknown
  readonly share: unknown
  readonly payout: unknown
}

export const answersOf: Readonly<Record<FamilyName, Answers>> = {
  thorchain: {
    vaults: [...inbound.body, ...inboundDescribed.body, ...inboundOfBsc.body, ...inboundOfTron.body],
    pool: pools.body[0],
    quote: quote.body,
    planned: paid.body.planned_out_txs[0],
    share: paid.body.out_txs[0],
    payout: paid.body.out_txs[1],
  },
  maya: {
    vaults: [...mayaInbound.body, ...mayaAnnounced.body],
    pool: mayaPools.body[0],
    quote: mayaQuote.body,
    planned: mayaPaid.body.planned_out_txs[0],
    share: mayaPaid.body.out_txs[0],
    payout: mayaPaid.body.out_txs[1],
  },
}

const readFacts = Schema.decodeUnknownSync(Schema.Struct({
  gas_rate: Schema.String,
  gas_rate_units: Schema.String,
  dust_threshold: Schema.BigIntFromString,
}))

/** What is recorded of the vault of a chain. What is not is as on Ethereum or, where there is no contract, on Bitcoin. */
export const recordedVault = ({ chains, name }: Family, chain: Chain) => {
  const rowOf = (code?: string) => answersOf[name].vaults.find((row) => row.chain === code)
  const row = { ...rowOf(hasRouter(chain) ? "ETH" : "BTC"), ...rowOf(chains[chain]) }
  return { row, ...readFacts(row) }
}

/** A number as nodes write it: they leave out what is 0, as JSON does what is undefined. */
export const unlessZero = (number: number): number | undefined => number === 0 ? undefined : number
