import { Clock, Effect, Option } from "effect"
import { HttpClient, HttpClientError, type HttpClientRequest, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import type { ProviderError, ProviderErrorReason } from "../../../src/domain/ProviderError.ts"
import type { Provider } from "../../../src/providers/Provider.ts"
import { makeClient } from "../../../src/providers/thorchain/client.ts"
import { makeConditions } from "../../../src/providers/thorchain/conditions.ts"
import { type Family, thorchain } from "../../../src/providers/thorchain/networks.ts"
import { make } from "../../../src/providers/thorchain/provider.ts"
import type { Options } from "../../../src/providers/thorchain/settings.ts"
import { inboundAddresses, lastBlock, pools, quote, routers } from "./bodies.ts"

/** An answer on the wire; text goes out as it is. */
export interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

type Answer = Reply | ((asked: URL) => Reply)

/** The fake's answers by kind of call. */
export interface Script {
  readonly inbound?: Answer
  readonly pools?: Answer
  readonly lastBlock?: Answer
  readonly quote?: Answer
  readonly status?: Answer
  readonly actions?: Answer
}

/** When tests begin. */
export const begin = Date.parse("2026-11-21T05:00:00.000Z")

const ordinaryDay: Required<Omit<Script, "actions" | "status">> = {
  inbound: { body: inboundAddresses },
  pools: { body: pools },
  lastBlock: { body: lastBlock(21_000_000) },
  quote: { body: quote },
}

const kindOf = ({ pathname }: URL): keyof Script => {
  if (pathname.endsWith("/inbound_addresses")) return "inbound"
  if (pathname.endsWith("/pools")) return "pools"
  if (pathname.endsWith("/lastblock")) return "lastBlock"
  if (pathname.endsWith("/v2/actions")) return "actions"
  return pathname.endsWith("/quote/swap") ? "quote" : "status"
}

const respond = (request: HttpClientRequest.HttpClientRequest, { status = 200, headers = {}, body }: Reply) =>
  HttpClientResponse.fromWeb(
    request,
    new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers }),
  )

export const options: Options = {
  url: new URL("http://node.test/chain/"),
  secondUrl: Option.none(),
  simulatedTime: false,
  routers,
  affiliate: Option.some("sb"),
  midgardUrl: Option.some(new URL("http://midgard.test/chain/")),
  catalogueMaxAge: 0,
}

/** Runs a test against the provider of a network over a fake node that differs from an ordinary day by `script`. */
export const withProvider = <A, E>(
  script: Script,
  test: (provider: Provider, asked: ReadonlyArray<URL>) => Effect.Effect<A, E>,
  differing: Partial<Options> & { readonly family?: Family } = {},
): Effect.Effect<A, E> =>
  Effect.gen(function* () {
    const asked: Array<URL> = []
    const client = HttpClient.make((request, url) => {
      asked.push(url)
      const answer = { ...ordinaryDay, ...script }[kindOf(url)]
      return answer === undefined
        ? Effect.fail(
          new HttpClientError.HttpClientError({
            reason: new HttpClientError.TransportError({ request, description: "not in the script" }),
          }),
        )
        : Effect.succeed(respond(request, typeof answer === "function" ? answer(url) : answer))
    })
    const { family = thorchain, ...others } = differing
    const settings = { ...options, ...others }
    const node = makeClient(client, family, settings)
    yield* TestClock.setTime(Math.max(yield* Clock.currentTimeMillis, begin))
    return yield* test(
      make(family, settings, node, yield* makeConditions(node, family, settings), client),
      asked,
    )
  })

/** The reason that an operation failed for. */
export const reasonOf = <A>(
  operation: Effect.Effect<A, ProviderError>,
): Effect.Effect<ProviderErrorReason, A> => Effect.map(Effect.flip(operation), ({ reason }) => reason)

/** Tag and members of a reason, as a plain object. */
export const plain = (reason: ProviderErrorReason): unknown => ({ ...reason })
