import { Effect, Result } from "effect"
import { Faults } from "../Faults.ts"
import { dated, route, serveRest } from "../rest.ts"
import { json, type Reply } from "../Wire.ts"
import { World } from "../World.ts"
import { midgardPath } from "../announced.ts"
import { inboundAddresses, lastBlocks, mimir, pools } from "./catalogue.ts"
import type { Payment, Vaults } from "./engine/State.ts"
import { families, type FamilyName } from "./families.ts"
import { quoteFor } from "./quote.ts"
import { vaultFault, vaultRefusal } from "./refusals.ts"
import { statusOf } from "./status.ts"
import { coinOf } from "./engine/prices.ts"

/** The REST API of a node (thorchain/wire.md 1). */

/** Midgard's list of actions (thorchain/wire.md 9). */

const actionOf = (vaults: Vaults, payment: Payment) => {
  const { amount, ask, asset, id, memo, outbounds, sender } = payment
  const isRefund = outbounds.length > 0 && outbounds.every((outbound) => outbound.isRefund)
  const told = { affiliateAddress: ask?.affiliate ?? "", affiliateFee: `${ask?.affiliateBps ?? 0}`, memo }
  return {
    date: `${vaults.time}000000`,
    height: "1",
    in: [{ address: sender, coins: [{ ...coinOf(vaults, asset), amount: `${amount}` }], txID: id }],
    metadata: isRefund ? { refund: told } : { swap: told },
    out: outbounds.flatMap(({ amount, asset, id: txID, to }) =>
      txID === undefined ? [] : [{ address: to, coins: [{ amount: `${amount}`, asset }], txID }]
    ),
    pools: [],
    status: payment.isSeen ? "success" : "pending",
    type: isRefund ? "refund" : "swap",
  }
}

/** `GET /v2/actions`: what the affiliate of the query earns of, the latest first. A token is how many were told before. */
const actionsOf = (vaults: Vaults, query: URLSearchParams): unknown => {
  const affiliate = query.get("affiliate")
  const limit = Number(query.get("limit") ?? "50")
  const begin = Number(query.get("nextPageToken") ?? "0")
  const all = [...vaults.payments.values()].filter(({ ask, isFinalised }) =>
    isFinalised && ask?.affiliate === affiliate
  ).toReversed()
  return {
    actions: all.slice(begin, begin + limit).map((payment) => actionOf(vaults, payment)),
    count: `${all.length}`,
    meta: { nextPageToken: `${begin + limit}`, prevPageToken: "" },
  }
}

/** Calls of any kind, at a public node (thorchain/wire.md 1). */
const callLimit = { most: 60 }

/** Answers requests to a node of a network. */
export const serveVaults = (name: FamilyName) => {
  const family = families[name]
  const ask = (answer: (vaults: Vaults) => Reply) => World.read(({ vaults }) => answer(vaults[name]))
  const list = (path: string, read: (vaults: Vaults) => unknown) =>
    route(`GET ${family.path}${path}`, () => ask((vaults) => json(200, read(vaults))))
  const quote = (query: URLSearchParams) =>
    Effect.flatMap(
      Faults.does("noExpiry"),
      (isWithout) =>
        ask((vaults) =>
          Result.match(quoteFor(vaults, query, name !== "maya" || !isWithout), {
            onFailure: ({ message }) => vaultRefusal(family, 400, message),
            onSuccess: (body) => json(200, body),
          })
        ),
    )
  return serveRest({
    provider: name,
    routes: [
      list("/inbound_addresses", inboundAddresses),
      list("/pools", pools),
      list("/lastblock", lastBlocks),
      list("/mimir", mimir),
      // A question with a destination is one of somebody who is going to pay.
      route(
        `GET ${family.path}/quote/swap`,
        ({ query }) => quote(query),
        ({ query }) => query.has("destination") ? "encode" : "quote",
      ),
      route(
        `GET ${family.path}/tx/status/([0-9A-Za-z]{1,100})`,
        (_, id) => ask((vaults) => json(200, statusOf(vaults, id))),
        "status",
      ),
      route(
        `GET ${midgardPath}/v2/actions`,
        ({ query }) => ask((vaults) => json(200, actionsOf(vaults, query))),
        "list",
      ),
    ],
    elsewhere: () => vaultRefusal(family, 501, "Not Implemented"),
    isTooMany: Faults.isTooMany(name, callLimit),
    fault: (code) => vaultFault(family, code),
    finish: dated,
  })
}
