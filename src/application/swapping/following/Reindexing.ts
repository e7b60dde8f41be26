import { Effect, Option, Schema } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import { SwapNotFound, type SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { Reindexed } from "#providers/Provider.ts"
import { Registry } from "#providers/Registry.ts"
import { MovesRepo } from "#infrastructure/store/swaps/MovesRepo.ts"

/** The repair is not possible as things stand; `detail` says why, and what to do. */
export class CannotRepair extends Schema.TaggedError<CannotRepair>()("CannotRepair", {
  detail: Schema.String,
}) {}

/** Repairs of swaps at their upstreams. Only the operator asks for them; they change nothing of ours. */
export class Reindexing extends service<Reindexing>()(
  "swap-broker/swapping/Reindexing",
  Effect.gen(function* () {
    const repo = yield* MovesRepo
    const registry = yield* Registry

    /** Has the upstream search again for deposits to the swap's channel; the next look-ups show the result. */
    const reindex = Effect.fn("Reindexing.reindex")(function* (id: SwapRecordId) {
      const swap = yield* repo.lock(id)
      if (Option.isNone(swap)) return yield* new SwapNotFound()
      const { platform, status } = swap.value.record
      const provider = Option.getOrUndefined(yield* registry.find(platform))
      const look = provider?.channels?.reindex
      if (status.depositChannel === undefined || look === undefined) {
        const detail = `${platform} cannot be asked to look for deposits to this swap again`
        return yield* new CannotRepair({ detail })
      }
      return yield* Effect.flatMap(
        look(status.depositChannel.id, status),
        Reindexed.$match({
          Looked: ({ found }) => Effect.succeed(found),
          TooSoon: () =>
            new CannotRepair({ detail: `${platform} looked a short time ago: try again in some minutes` }),
          NotKnown: () => new CannotRepair({ detail: `${platform} does not know this deposit address` }),
        }),
      )
    })

    return { reindex }
  }),
) {}
