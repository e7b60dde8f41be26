import { Data, Effect, Schema } from "effect"
import type { Addressed } from "#test/durability/client.ts"
import type { Environment } from "#test/support/process.ts"
import { startTask } from "#test/support/process.ts"

/** The service did not respond, or not as this program can read. */
export class Unreadable extends Data.TaggedError("Unreadable")<{ readonly why: string }> {
  override get message(): string {
    return this.why
  }
}

/** A replica of one of the two versions. */
export interface Version extends Addressed {
  readonly name: "old" | "new"
  readonly kill: (signal: Deno.Signal) => Effect.Effect<void>
  readonly output: () => string
}

/** Starts a replica from a checkout, by that checkout's own task. */
export const startVersion = (name: Version["name"], settings: Environment, checkout?: string) =>
  Effect.map(startTask(settings, checkout), ({ apiKey, ended, killGroup, output, url }): Version => ({
    name,
    apiKey,
    url,
    output,
    kill: (signal) => Effect.andThen(killGroup(signal), Effect.asVoid(ended)),
  }))

/** A request; with a body it is a POST, and else a GET. */
export interface Ask {
  readonly path: string
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly method?: string
  readonly key?: string
}

export const ask = ({ apiKey, url }: Addressed, { body, key, method, path, query = {} }: Ask) =>
  Effect.tryPromise({
    try: async (signal) => {
      const target = new URL(path, url)
      for (const [name, value] of Object.entries(query)) target.searchParams.append(name, `${value}`)
      const response = await fetch(target, {
        method: method ?? (body === undefined ? "GET" : "POST"),
        signal,
        headers: {
          "x-api-key": apiKey,
          "content-type": "application/json",
          ...(key === undefined ? {} : { "idempotency-key": key }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: response.status, text: await response.text() }
    },
    catch: (cause) => new Unreadable({ why: `${path}: ${cause}` }),
  })

/** The body of a response, which has to be of this form. */
export const read = <A>(version: Addressed, request: Ask, form: Schema.ConstraintDecoder<A>) =>
  Effect.flatMap(
    ask(version, request),
    ({ status, text }) =>
      Schema.decodeUnknownEffect(Schema.fromJsonString(form))(text).pipe(
        Effect.mapError(() => new Unreadable({ why: `${request.path}: ${status} ${text.slice(0, 600)}` })),
      ),
  )
