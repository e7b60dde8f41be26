import type { TestSpecification } from "vitest/node"
import { BaseSequencer } from "vitest/node"
import { startsSomething } from "./startsSomething.ts"
import { folderOf } from "./times.ts"

/** The files of both gates that take longest, by what their paths begin with, the longest first. */
const slow = [
  "durability/kill",
  "outside/",
  "application/guidance/forms",
  "tampering/",
  "durability/",
  "security/canary",
  "tools/demo/",
  "tools/binary/",
  "tools/clients/",
  "application/replicas/",
  "chaos/",
  "cli/database",
  "application/alerts/sandbox",
  "infrastructure/store/database/EmbeddedDatabase",
  "support/runLimit",
  "security/",
  "contract/historyCsv",
  "contract/webhooks",
  "providers/thorchain/properties",
  "cli/",
  "contract/",
  "interfaces/mcp/",
  "interfaces/http/",
  "conformance/",
]

/** Whether a file comes before another one: by the first of these that differ. */
type Place = readonly [rank: number, folder: string, hasServers: boolean, path: string]

const placeOf = ({ moduleId }: TestSpecification): Place => {
  const path = moduleId.slice(moduleId.indexOf("/test/") + "/test/".length)
  const rank = slow.findIndex((start) => path.startsWith(start))
  return [rank === -1 ? slow.length : rank, folderOf(path), startsSomething(moduleId), path]
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
