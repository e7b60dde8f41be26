import { Effect } from "effect"

/** A message as a receiver got it. */
export interface Received {
  readonly id: string
  readonly type: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  /** When, in milliseconds. */
  readonly at: number
}

const ofMessage = /^webhook-/

/** A receiver on the loopback address until the test ends. It answers with these statuses first, then with 200. */
export const receiver = (statuses: ReadonlyArray<number> = []) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const messages: Array<Received> = []
        const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
          const body = await request.text()
          const headers = Object.fromEntries([...request.headers].filter(([name]) => ofMessage.test(name)))
          const [, type = ""] = /"type":"([^"]+)"/.exec(body) ?? []
          const status = statuses[messages.length] ?? 200
          messages.push({ id: headers["webhook-id"] ?? "", type, body, headers, at: Date.now() })
          return new Response("thanks", { status })
        })
        return { server, messages }
      }),
      ({ server }) => Effect.promise(() => server.shutdown()),
    ),
    ({ messages, server }) => ({
      url: `http://127.0.0.1:${server.addr.port}/hook?of=account`,
      told: (): ReadonlyArray<Received> => [...messages],
    }),
  )
