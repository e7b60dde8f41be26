import type { RunningService } from "#test/support/process.ts"

const bucket = /^swap_broker_lookup_lag_seconds_bucket\{[^}]*le="([^"]+)"[^}]*\} (\d+)/gm

type Buckets = ReadonlyMap<number, number>

const read = async (service: RunningService): Promise<Buckets> => {
  const text = await (await fetch(new URL("/metrics", service.url))).text()
  return new Map(
    [...text.matchAll(bucket)].map(([, le, count]) => [le === "+Inf" ? Infinity : Number(le), Number(count)]),
  )
}

/** The bound of the histogram that no look-up meanwhile was over; 0 where there was none. */
const mostBetween = (before: Buckets, after: Buckets): number => {
  const counts = [...after].map(([le, count]) => [le, count - (before.get(le) ?? 0)] as const)
  const all = Math.max(0, ...counts.map(([, count]) => count))
  return all === 0 ? 0 : Math.min(...counts.filter(([, count]) => count === all).map(([le]) => le))
}

/** How late the tracker's look-ups were, in seconds, of several stretches of time. */
export const lookupLag = (service: RunningService) => {
  let before: Buckets = new Map()
  let most = 0
  return {
    begin: async () => {
      before = await read(service)
    },
    end: async () => {
      most = Math.max(most, mostBetween(before, await read(service)))
    },
    most: () => most,
  }
}
