import { assert, describe, it } from "#test/support/it.ts"
import { Effect } from "effect"
import { preparedFolder } from "#test/support/prepared/database.ts"
import { startService } from "#test/support/process.ts"
import { eventually } from "./eventually.ts"

describe("A service that is to stop", () => {
  it.live("says so and goes on serving for a while, then exits with 0", function* () {
    const service = yield* startService({ DATA_DIR: yield* preparedFolder, DRAIN_DELAY: "2 seconds" })
    const statusOf = (path: string) =>
      Effect.promise(async () => {
        const answer = await fetch(new URL(path, service.url), { headers: { "x-api-key": service.apiKey } })
        await answer.text()
        return answer.status
      })
    assert.strictEqual(yield* statusOf("/readyz"), 200)
    yield* service.kill("SIGTERM")
    yield* eventually(statusOf("/readyz"), (status) => status === 503)
    assert.strictEqual(yield* statusOf("/swaps"), 200)
    assert.strictEqual(yield* statusOf("/livez"), 200)
    assert.strictEqual((yield* service.ended).code, 0)
  })
})
