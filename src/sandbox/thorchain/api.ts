import { Effect, Result } from "effect"
import { Faults } from "../Faults.ts"
import { dated, route, serveRest } from "../rest.ts"
import { json, type Reply } from "../Wire.ts"
import { World } from "../World.ts"
import { midgardPath } from "../announced.ts"
import { actionsOf } from "./actions.ts"
import { inboundAddresses, lastBlocks, pools } from "./catalogue.ts"
import type { Vaults } from "./engine/State.ts"
import { families, type FamilyName } from "./families.ts"
import { quoteFor } from "./quote.ts"
import { vaultFault, vaultRefusal } from "./refusals.ts"
import { statusOf } from "./status.ts"

/** The REST API of a node, with Midgard below it (thorchain/wire.md 1, 9). */

/** Calls of any kind, at a public node (thorchain/wire.md 1). */
const callLimit = { most: 60 }

export const serveVaults = (name: FamilyName) => {
  const family = families[name]
  const ask = (answer: (vaults: Vaults) => Reply) => World.read(({ vaults }) => answer(vaults[name]))
  const list = (path: string, read: (vaults: Vaults) => unknown) =>
    route(`GET /${family.root}${path}`, () => ask((vaults) => json(200, read(vaults))))
  const quote = (query: URLSearchParams) =>
    Effect.flatMap(
      Faults.does("noExpiry"),
      (isWithout) =>
        ask((vaults) =>
          Result.match(quoteFor(vaults, query, name !== "maya" || !isWithout), {
            onFailure: (message) => vaultRefusal(family, 400, message),
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
      // A quote with a destination is for a payment.
      route(
        `GET /${family.root}/quote/swap`,
        ({ query }) => quote(query),
        ({ query }) => query.has("destination") ? "encode" : "quote",
      ),
      route(
        `GET /${family.root}/tx/status/([0-9A-Za-z]{1,100})`,
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
