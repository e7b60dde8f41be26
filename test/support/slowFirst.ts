import type { TestSpecification } from "vitest/node"
import { BaseSequencer } from "vitest/node"

/**
 * The files that take longest, by what their paths begin with, the longest first; those that wait are between
 * those that compute, and those that go by the clock begin when most of those with processes are over, and not
 * beside the load of their own folder. Of the first ones only one needs the prepared database, so that no worker
 * waits while it is made.
 */
const slow = [
  "durability/idempotency",
  "durability/kill",
  "outages/",
  "app/redisState",
  "replicas/",
  "security/canary",
  "durability/",
  "chaos/load",
  "cli/database",
  "cli/",
  "security/",
  "chaos/",
  "store/EmbeddedDatabase",
  "http/",
  "contract/",
  "conformance/",
]

/** How many come before a file, at least. */
const rankOf = ({ moduleId }: TestSpecification): number => {
  const path = moduleId.slice(moduleId.indexOf("/test/") + "/test/".length)
  const rank = slow.findIndex((start) => path.startsWith(start))
  return rank === -1 ? slow.length : rank
}

/**
 * Starts the files that take longest first, so that at the end no worker is left alone with one of them. The
 * order is the same in every run.
 */
export class SlowFirst extends BaseSequencer {
  override sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const byPath = files.toSorted((one, other) => one.moduleId < other.moduleId ? -1 : 1)
    return Promise.resolve(byPath.sort((one, other) => rankOf(one) - rankOf(other)))
  }
}
