import { Context, Effect, Layer, Schema } from "effect"
import { lookup } from "node:dns/promises"

/** The name has no address. */
export class NameUnresolved extends Schema.TaggedError<NameUnresolved>()("NameUnresolved", {
  cause: Schema.Defect(),
}) {}

/** Resolves names to addresses. */
export class Resolver extends Context.Service<Resolver, {
  readonly addresses: (host: string) => Effect.Effect<ReadonlyArray<string>, NameUnresolved>
}>()("swap-broker/webhooks/Resolver") {
  /** Resolves names as the operating system does. */
  static readonly layer = Layer.succeed(Resolver, {
    addresses: (host) =>
      Effect.tryPromise({
        try: async () => (await lookup(host, { all: true })).map(({ address }) => address),
        catch: (cause) => new NameUnresolved({ cause }),
      }),
  })
}
