import { Effect, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { encodeRequest, encodeStatus } from "#infrastructure/store/database/columns.ts"
import { minute, statusesOf } from "./storyStatuses.ts"
import { type ShownSwap, stories, type Story } from "./swapStories.ts"

/** The upstream's response to a status check, as Chainflip writes it but for its rarer members. */
const bodyOf = (status: SwapStatus): string => {
  const {
    depositChannel,
    deposit,
    destinationAddress,
    destinationAsset,
    fees,
    refundEgress,
    sourceAsset,
    swapEgress,
  } = status
  const of = (asset: AssetId) => asset.split(".")[0]?.toUpperCase()
  return JSON.stringify({
    state: status.state.toUpperCase(),
    swapId: status.swapId,
    srcAsset: of(sourceAsset),
    srcChain: chainOf(sourceAsset),
    destAsset: of(destinationAsset),
    destChain: chainOf(destinationAsset),
    destAddress: destinationAddress,
    depositChannel: {
      depositAddress: depositChannel?.depositAddress,
      isExpired: depositChannel?.isExpired,
      estimatedExpiryTime: depositChannel?.estimatedExpiryTime,
    },
    deposit,
    swapEgress,
    refundEgress,
    fees,
  }, (_, value: unknown) => typeof value === "bigint" ? `${value}` : value)
}

/** The stories by their names, in the order in which they opened. */
const opened: ReadonlyArray<readonly [name: ShownSwap, story: Story, minutesAgo: number]> = Struct.keys(
  stories,
)
  .map((name): readonly [ShownSwap, Story, number] => [name, stories[name], stories[name].steps[0][0]])
  .toSorted(([, , one], [, , other]) => other - one)

/** When each of them opened. */
export const openedAt = (now: number): ReadonlyArray<number> =>
  opened.map(([, , minutesAgo]) => now - minutesAgo * minute)

const Next = Schema.Struct({ id: Schema.Int })

/**
 * The swaps with their journals, by the names of their stories; the triggers of the tables list them. Each has the ID
 * after that of the swap before it.
 */
export const fillShownSwaps = Effect.fnUntraced(function* (now: number) {
  const sql = yield* SqlClient.SqlClient
  const shown = new Map<string, number>()
  for (const [name, story, minutesAgo] of opened) {
    const { id } = yield* Schema.decodeUnknownEffect(Next)(
      (yield* sql`
      SELECT max(id)::int + 1 AS id FROM swaps WHERE created_at < ${new Date(now - minutesAgo * minute)}`)[0],
    )
    shown.set(name, id)
    const { claimed, last, request, statuses } = statusesOf(name, id, story, now)
    const ago = (minutes: number) => new Date(now - minutes * minute)
    const changed = story.steps.at(-1)?.[0] ?? 0
    const isOver = last.state === "completed" || last.state === "failed"
    yield* sql`
      INSERT INTO swaps (id, account_id, platform, opening, request, state, status, created_at, updated_at, changed_at,
        looked_up_at, next_lookup_at, stalled_since, issued_block, network, channel_id, deposit_address, seen_upstream)
      OVERRIDING SYSTEM VALUE
      VALUES (${id}, (SELECT id FROM accounts WHERE name = ${story.account}), 'chainflip', 'opened',
        ${yield* encodeRequest(request)}::jsonb, ${last.state}, ${yield* encodeStatus(last)}::jsonb, ${
      ago(minutesAgo)
    },
        ${ago(changed)}, ${ago(changed)}, ${ago(isOver ? changed : 1)},
        ${isOver ? null : new Date(now + 12 * minute)}::timestamptz,
        ${story.stalled === undefined ? null : ago(story.stalled)}::timestamptz,
        ${14_138_000 + id}, ${chainOf(request.sourceAsset)}, ${4_000 + id},
        ${last.depositChannel?.depositAddress ?? null}, true)`
    const write = Effect.fnUntraced(function* (
      kind: string,
      at: Date,
      status?: SwapStatus,
      detail: string | null = null,
    ) {
      const body = status === undefined ? null : bodyOf(status)
      const json = status === undefined ? null : yield* encodeStatus(status)
      yield* sql`
        INSERT INTO swap_journal (swap_id, kind, recorded_at, status, detail, body, body_length)
        VALUES (${id}, ${kind}, ${at}, ${json}::jsonb, ${detail}::text, ${body}::text, ${
        body?.length ?? null
      }::int)`
    })
    const notice = (kind: string, first: number, last = first, times = 1) =>
      sql`
      INSERT INTO swap_notices (swap_id, kind, first_at, last_at, times)
      VALUES (${id}, ${kind}, ${ago(first)}, ${ago(last)}, ${times}) ON CONFLICT DO NOTHING`
    yield* notice("page", minutesAgo - 1, changed, 3)
    if (story.stalled !== undefined) yield* notice("swap.stalled", story.stalled)
    if (story.disputed !== undefined) yield* notice("swap.disputed", story.disputed)
    for (const [place, status] of statuses.entries()) {
      const isExpired = status.depositChannel?.isExpired === true
      yield* notice(isExpired ? "channel.expired" : `swap.${status.state}`, story.steps[place]?.[0] ?? 0)
      yield* write(
        place === 0 ? "opened" : name === "expired" ? "expired" : "changed",
        ago(story.steps[place]?.[0] ?? 0),
        status,
      )
    }
    if (story.stalled !== undefined) {
      yield* write(
        "stalled",
        ago(story.stalled),
        undefined,
        `Still ${last.state}. It should have moved on by ${
          ago(story.stalled).toISOString().slice(0, 16).replace("T", " ")
        } UTC`,
      )
    }
    if (claimed !== undefined) {
      yield* write(
        "contradicted",
        ago(story.disputed ?? 0),
        claimed,
        "The upstream now reports completed, but paid 15.201118 ETH. The minimum payout is 16.638492 ETH for a " +
          "deposit of 0.5 BTC, and 14.974643 ETH for a deposit of 0.45 BTC",
      )
      yield* sql`UPDATE swaps SET lookup_failures = 1 WHERE id = ${id}`
    }
  }
  yield* sql`SELECT setval(pg_get_serial_sequence('swaps', 'id'), (SELECT max(id) FROM swaps))`
  return shown
})
