import type { Trouble } from "./troubles.ts"

/** A trouble, and who is in it. */
export interface Round {
  readonly trouble: Trouble
  readonly at: ReadonlyArray<"chainflip" | "nearIntents">
}

const both = ["chainflip", "nearIntents"] as const

/** What requests in large numbers meet, one after the other. */
export const rounds: ReadonlyArray<Round> = [
  { trouble: "reset", at: both },
  { trouble: "halfBody", at: ["chainflip"] },
  { trouble: "halfChunkedBody", at: ["nearIntents"] },
  { trouble: "notHttp", at: both },
  { trouble: "notJson", at: ["chainflip"] },
  { trouble: "wrongTypes", at: ["nearIntents"] },
  { trouble: "error500", at: both },
  { trouble: "error502", at: ["chainflip"] },
  { trouble: "overloaded", at: ["nearIntents"] },
  { trouble: "hang", at: ["chainflip"] },
]

/** Failures that a round may end in: only an upstream's own 500 on all sides is not told as temporary. */
export const failuresOf = ({ trouble, at }: Round): ReadonlyArray<number> =>
  trouble === "error500" && at.length === both.length ? [500, 503] : [503]
