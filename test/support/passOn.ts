import { Effect } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"

/** What a server said, whole. */
export interface Said {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
}

/** The body of a request, whole. */
export const readRequest = async (incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Array<Uint8Array> = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Uint8Array.from(Buffer.concat(chunks))
}

/** A client without connections to keep, until the scope closes: the runtime sends again, unasked, what is cut on a kept one. */
export const unpooledClient = Effect.acquireRelease(
  Effect.sync(() => Deno.createHttpClient({ poolMaxIdlePerHost: 0 })),
  (client) => Effect.sync(() => client.close()),
)

/** Asks `target` what a request asks. */
export const askFor = async (
  client: Deno.HttpClient,
  target: URL,
  { method = "GET", url = "/" }: Pick<IncomingMessage, "method" | "url">,
  body: Uint8Array<ArrayBuffer>,
): Promise<Said> => {
  const answer = await fetch(new URL(url, target), {
    client,
    method,
    headers: { "content-type": "application/json" },
    ...(method === "GET" ? {} : { body }),
  })
  const answered = new Uint8Array(await answer.arrayBuffer())
  const headers = { ...Object.fromEntries(answer.headers), "content-length": `${answered.byteLength}` }
  return { status: answer.status, headers, body: answered }
}

/** Gives an answer on. */
export const tell = (outgoing: ServerResponse, { body, headers, status }: Said): void => {
  outgoing.writeHead(status, headers)
  outgoing.end(body)
}
