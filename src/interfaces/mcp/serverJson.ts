import { Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { version } from "#infrastructure/platform/version.ts"
import { baseOf, PublicUrl } from "../requests/PublicUrl.ts"

/** The schema of the MCP registry that the document follows. */
const $schema = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

/** The header in which a key is sent, as clients ask their users for it. */
const headers = [{
  name: "Authorization",
  description: "An API key of this broker, with the scopes that the agent needs",
  value: "Bearer {api_key}",
  isRequired: true,
  isSecret: true,
  variables: {
    api_key: { description: "API key that the operator gave you", isRequired: true, isSecret: true },
  },
}]

/** The namespace that the registry lets the owner of a domain publish in: the domain, backwards. */
const namespaceOf = ({ hostname }: URL): string => hostname.split(".").toReversed().join(".")

/** Where the endpoint is: at `PUBLIC_URL`, or at the host of whoever installs it. */
const remoteAt = (publicUrl: Option.Option<URL>, path: string) =>
  Option.match(publicUrl, {
    onSome: () => ({ url: `${baseOf(publicUrl, undefined)}${path}` }),
    onNone: () => ({
      url: `https://{host}${path}`,
      variables: { host: { description: "Host name of your broker", isRequired: true } },
    }),
  })

/** What the MCP registry (registry.modelcontextprotocol.io) takes to list this server, with its one version. */
export const serverDocument = (publicUrl: Option.Option<URL>, path: string) => ({
  $schema,
  name: `${Option.match(publicUrl, { onNone: () => "local", onSome: namespaceOf })}/swap-broker`,
  title: "Swap Broker",
  description: "Compare cross-chain swap quotes, open a confirmed swap, follow it to its payout.",
  version,
  remotes: [{ type: "streamable-http", ...remoteAt(publicUrl, path), headers }],
})

/** The answer with that document, for the operator to publish. */
export const serverJson = (path: string) =>
  Effect.map(PublicUrl, (publicUrl) => HttpServerResponse.jsonUnsafe(serverDocument(publicUrl, path)))
