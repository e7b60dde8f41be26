import { Context, Effect, Layer, Schema } from "effect"
import { lookup } from "node:dns/promises"

/** A name that leads nowhere. */
export class NameUnresolved extends Schema.TaggedError<NameUnresolved>()("NameUnresolved", {
  cause: Schema.Defect(),
}) {}

/** What names lead to. */
export class Resolver extends Context.Service<Resolver, {
  /** Every address of a name. */
  readonly addresses: (host: string) => Effect.Effect<ReadonlyArray<string>, NameUnresolved>
}>()("swap-broker/webhooks/Resolver") {
  /** As the operating system resolves names. */
  static readonly layer = Layer.succeed(Resolver, {
    addresses: (host) =>
      Effect.tryPromise({
        try: async () => (await lookup(host, { all: true })).map(({ address }) => address),
        catch: (cause) => new NameUnresolved({ cause }),
      }),
  })
}
