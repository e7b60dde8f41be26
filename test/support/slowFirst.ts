import type { TestSpecification } from "vitest/node"
import { BaseSequencer } from "vitest/node"
import { startsSomething } from "./startsSomething.ts"

/** The files of both gates that take longest, by what their paths begin with, the longest first. */
const slow = [
  "durability/kill",
  "outside/",
  "guidance/forms",
  "tampering/",
  "durability/",
  "security/canary",
  "demo/",
  "binary/",
  "clients/",
  "replicas/",
  "chaos/",
  "cli/database",
  "alerts/sandbox",
  "store/database/EmbeddedDatabase",
  "support/runLimit",
  "security/",
  "contract/historyCsv",
  "contract/webhooks",
  "providers/thorchain/properties",
  "cli/",
  "contract/",
  "mcp/",
  "http/",
  "conformance/",
]

/** Whether a file comes before another one: by the first of these that differ. */
type Place = readonly [rank: number, folder: string, hasServers: boolean, path: string]

const placeOf = ({ moduleId }: TestSpecification): Place => {
  const path = moduleId.slice(moduleId.indexOf("/test/") + "/test/".length)
  const rank = slow.findIndex((start) => path.startsWith(start))
  const folder = path.slice(0, path.indexOf("/"))
  return [rank === -1 ? slow.length : rank, folder, startsSomething(moduleId), path]
}

const compare = (one: Place, other: Place): number => {
  const differing = one.findIndex((part, index) => part !== other[index])
  const [left, right] = [one[differing], other[differing]]
  return left === undefined || right === undefined ? 0 : left < right ? -1 : 1
}

/**
 * Starts the files that take longest first, so that at the end no worker is left alone with one of them; of each
 * folder those that only compute come before those that wait for a database or a process, so that what they find
 * is there soon. The order is the same in every run.
 */
export class SlowFirst extends BaseSequencer {
  override sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const placed = files.map((file) => ({ file, place: placeOf(file) }))
    return Promise.resolve(
      placed.sort((one, other) => compare(one.place, other.place)).map(({ file }) => file),
    )
  }
}
