import { Effect, Option } from "effect"
import { makeClient } from "#providers/thorchain/client.ts"
import { makeConditions } from "#providers/thorchain/conditions.ts"
import { type Family, thorchain } from "#providers/thorchain/networks.ts"
import { make } from "#providers/thorchain/provider.ts"
import type { Options } from "#providers/thorchain/settings.ts"
import { type Asked, fakeUpstream, notBefore, type Provided, type ScriptOf } from "../fakeUpstream.ts"
import { inboundAddresses, lastBlock, pools, quote, routers } from "./bodies.ts"

export { plain, reasonOf, type Reply } from "../fakeUpstream.ts"

type Kind = "inbound" | "pools" | "lastBlock" | "quote" | "status" | "actions"

/** The fake's answers by kind of call. */
export type Script = ScriptOf<Kind>

/** When tests begin. */
export const begin = Date.parse("2026-11-21T05:00:00.000Z")

const ordinaryDay: Script = {
  inbound: { body: inboundAddresses },
  pools: { body: pools },
  lastBlock: { body: lastBlock(21_000_000) },
  quote: { body: quote },
}

const kindOf = ({ url: { pathname } }: Asked): Kind => {
  if (pathname.endsWith("/inbound_addresses")) return "inbound"
  if (pathname.endsWith("/pools")) return "pools"
  if (pathname.endsWith("/lastblock")) return "lastBlock"
  if (pathname.endsWith("/v2/actions")) return "actions"
  return pathname.endsWith("/quote/swap") ? "quote" : "status"
}

export const options: Options = {
  url: new URL("http://node.test/chain/"),
  secondUrl: Option.none(),
  simulatedTime: false,
  routers,
  affiliate: Option.some("sb"),
  midgardUrl: Option.some(new URL("http://midgard.test/chain/")),
  catalogueMaxAge: 0,
}

/** The provider of a network over a fake node that differs from an ordinary day by `script`. */
export const providerOver = (
  script: Script,
  { family = thorchain, ...differing }: Partial<Options> & { readonly family?: Family } = {},
): Effect.Effect<Provided> =>
  Effect.gen(function* () {
    const { asked, client } = fakeUpstream(kindOf, { ...ordinaryDay, ...script })
    const settings = { ...options, ...differing }
    const node = makeClient(client, family, settings)
    yield* notBefore(begin)
    return [make(family, settings, node, yield* makeConditions(node, family, settings), client), asked]
  })
