/**
 * The codes of decision 33 that apply where a swap begins, which is by a channel or by a payload: what the upstream is
 * made to fail with, and what the caller is told. An upstream that denies us a route fails itself: the routes of an
 * account are ours to deny.
 */
export const openingFailures: ReadonlyArray<
  readonly [fault: string, status: number, code: string]
> = [
  ["quoting_maintenance", 503, "quoting_maintenance"],
  ["swapping_maintenance", 503, "swapping_maintenance"],
  ["deposit_channel_failed", 503, "deposit_channel_failed"],
  ["too_many_channels", 503, "too_many_channels"],
  ["asset_disabled", 503, "asset_disabled"],
  ["upstream_error", 500, "upstream_error"],
  ["route_disabled", 500, "upstream_error"],
]
