import { addresses } from "#test/contract/support/addresses.ts"
import { parseJson, textAt } from "#test/contract/support/Json.ts"
import type { Sight } from "./flows.ts"
import { markers } from "./markers.ts"

const version = "2026-07-28"

const wish = {
  sourceAsset: "eth.eth",
  destinationAsset: "usdc.arb",
  amount: "1",
  destinationAddress: addresses.arb,
  refundAddress: addresses.eth,
  minimumPrice: "1",
}

const ends = {
  confirmedDestination: addresses.arb.slice(-6),
  confirmedRefund: addresses.eth.slice(-6),
}

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` })

interface Sent {
  readonly method: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  readonly path?: string
}

const sender = (url: URL) => async ({ headers = {}, method, params = {}, path = "/mcp" }: Sent) => {
  const { name } = { name: undefined, ...params }
  const response = await fetch(new URL(path, url), {
    method: "POST",
    headers: {
      ...bearer(markers.apiKey),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": version,
      "mcp-method": method,
      ...(name === undefined ? {} : { "mcp-name": `${name}` }),
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": version,
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    }),
  })
  return {
    body: await response.text(),
    headers: JSON.stringify([...response.headers]),
    status: response.status,
  }
}

/** What agents saw, and the part of their confirmation that nobody else may see. */
export interface AgentSights {
  readonly sights: ReadonlyArray<Sight>
  readonly confirmation: { readonly signature: string }
}

/**
 * What an agent does from the question to the channel, and the mistakes that it makes with its key and its
 * confirmation. The one answer that has the confirmation is left out of what it saw.
 */
export const visitAsAgent = async (url: URL): Promise<AgentSights> => {
  const ask = sender(url)
  const call = (name: string, args: object, headers: Readonly<Record<string, string>> = {}) =>
    ask({ method: "tools/call", params: { name, arguments: args }, headers })
  const prepared = await call("prepare_swap", wish)
  if (prepared.status !== 200) throw new Error(prepared.body)
  const confirmation = textAt(parseJson(prepared.body), "result", "structuredContent", "confirmation")
  const changed = `${confirmation.slice(0, -1)}${confirmation.endsWith("a") ? "b" : "a"}`
  const open = { confirmation, ...ends }
  const answers = {
    "an opening with the wrong ends": await call("open_swap", { ...open, confirmedRefund: "000000" }),
    "an opening": await call("open_swap", open),
    "the same opening": await call("open_swap", open),
    "a confirmation that was changed": await call("open_swap", { ...open, confirmation: changed }),
    "a confirmation with a wrong key": await call("open_swap", open, bearer(markers.otherKey)),
    "a confirmation as a transaction": await call("get_swap", { transaction: confirmation }),
    "a confirmation as a quote": await call("prepare_swap", { ...wish, quoteId: confirmation }),
    "a confirmation as an address": await call("prepare_swap", { ...wish, destinationAddress: confirmation }),
    "a confirmation as a session": await ask({
      method: "tools/list",
      headers: { "mcp-session-id": confirmation },
    }),
    "a key as an argument": await call("get_quotes", { ...wish, apiKey: markers.apiKey }),
    "a key as the name of an argument": await call("get_quotes", { ...wish, [markers.apiKey]: "1" }),
    "a key as an address": await call("prepare_swap", { ...wish, refundAddress: markers.apiKey }),
    "a key as a confirmation": await call("open_swap", { ...open, confirmation: markers.apiKey }),
    "a key as the end of an address": await call("open_swap", { ...open, confirmedRefund: markers.apiKey }),
    "a key as a transaction": await call("get_swap", { transaction: markers.apiKey }),
    "a key as a resource": await ask({
      method: "resources/read",
      params: { uri: `broker://swaps/${encodeURIComponent(markers.apiKey)}` },
      headers: { "mcp-name": `broker://swaps/${encodeURIComponent(markers.apiKey)}` },
    }),
    "a key as a session": await ask({ method: "tools/list", headers: { "mcp-session-id": markers.apiKey } }),
    "a key in the URL": await ask({
      method: "tools/list",
      path: `/mcp?apiKey=${encodeURIComponent(markers.apiKey)}`,
    }),
    "a wrong key": await ask({ method: "tools/list", headers: bearer(markers.otherKey) }),
    "a key in the path": await ask({
      method: "tools/list",
      path: `/mcp/${encodeURIComponent(markers.apiKey)}`,
    }),
    "the list of tools": await ask({ method: "tools/list" }),
    "the swaps": await call("list_swaps", { detail: "full" }),
    "the swap": await call("explain_swap", { swapId: 1 }),
  }
  return {
    confirmation: { signature: confirmation.slice(16) },
    sights: Object.entries(answers).map(([what, { body, headers, status }]) => ({
      what,
      status,
      text: `${headers}\n${body}`,
    })),
  }
}
