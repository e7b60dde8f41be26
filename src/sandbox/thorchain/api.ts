import { Effect, Result } from "effect"
import type { FaultOperation } from "../../api/SandboxFaults.ts"
import { Faults } from "../Faults.ts"
import { json, type Reply, type WireAnswer, type WireRequest } from "../Wire.ts"
import { World } from "../World.ts"
import { midgardPath } from "../announced.ts"
import { actionsOf } from "./actions.ts"
import { inboundAddresses, lastBlocks, mimir, pools } from "./catalogue.ts"
import type { Vaults } from "./engine/State.ts"
import { families, type FamilyName } from "./families.ts"
import { quoteFor } from "./quote.ts"
import { vaultFault, vaultRefusal } from "./refusals.ts"
import { statusOf } from "./status.ts"

/** The REST API of a node (thorchain/wire.md 1). */

interface Route {
  /** The operations that faults see in the request; empty: faults leave it alone. */
  readonly operations: (request: WireRequest) => ReadonlyArray<FaultOperation>
  readonly answer: (vaults: Vaults, request: WireRequest, last: string, hasExpiry: boolean) => Reply
}

const list = (read: (vaults: Vaults) => unknown): Route => ({
  operations: () => [],
  answer: (vaults) => json(200, read(vaults)),
})

/** A question with a destination is one of somebody who is going to pay. */
const quoteRoute: Route = {
  operations: ({ query }) => [query.has("destination") ? "encode" : "quote"],
  answer: (vaults, { query }, _, hasExpiry) =>
    Result.match(quoteFor(vaults, query, hasExpiry), {
      onFailure: ({ message }) => vaultRefusal(vaults.family, 400, message),
      onSuccess: (body) => json(200, body),
    }),
}

const statusRoute: Route = {
  operations: () => ["status"],
  answer: (vaults, _, id) => json(200, statusOf(vaults, id)),
}

const actionsRoute: Route = {
  operations: () => ["list"],
  answer: (vaults, { query }) => json(200, actionsOf(vaults, query)),
}

/** By path behind the network's own; a status has the transaction behind it. */
const routes: Readonly<Record<string, Route>> = {
  "/inbound_addresses": list(inboundAddresses),
  "/pools": list(pools),
  "/lastblock": list(lastBlocks),
  "/mimir": list(mimir),
  "/quote/swap": quoteRoute,
}

const routeOf = (path: string): readonly [Route | undefined, string] => {
  const [, id] = /^\/tx\/status\/([0-9A-Za-z]{1,100})$/.exec(path) ?? []
  return id === undefined ? [routes[path], ""] : [statusRoute, id]
}

/** Calls of any kind, at a public node (thorchain/wire.md 1). */
const callLimit = { most: 60 }

/** Answers requests to a node of a network; `path` is the part behind its base URL. */
export const serveVaults = (name: FamilyName) => {
  const family = families[name]
  return Effect.fnUntraced(function* (
    path: string,
    request: WireRequest,
  ): Effect.fn.Return<WireAnswer, never, World | Faults> {
    const [route, last] = path === `${midgardPath}/v2/actions`
      ? [actionsRoute, ""]
      : path.startsWith(family.path)
      ? routeOf(path.slice(family.path.length))
      : [undefined, ""]
    if (route === undefined || request.method !== "GET") return vaultRefusal(family, 501, "Not Implemented")
    const faults = yield* Faults
    const hasExpiry = name !== "maya" || !(yield* Faults.does("noExpiry"))
    /** The simulated time as an HTTP date, so that a client can tell whether an expiry has passed. */
    const dated = (answer: (vaults: Vaults) => Reply) =>
      World.read(({ vaults }) => {
        const reply = answer(vaults[name])
        return { ...reply, headers: { ...reply.headers, date: new Date(vaults[name].time).toUTCString() } }
      })
    const isTooMany = yield* Faults.isTooMany(name, callLimit)
    return yield* faults.disturb({
      provider: name,
      operations: route.operations(request),
      act: dated((vaults) =>
        isTooMany
          ? vaultFault(family, "provider_unavailable")
          : route.answer(vaults, request, last, hasExpiry)
      ),
      refuse: (code) => dated(() => vaultFault(family, code)),
    })
  })
}
