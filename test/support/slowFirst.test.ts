import { assert, describe, it } from "@effect/vitest"
import { startsSomething } from "./startsSomething.ts"

const pathOf = (file: string) => new URL(`../${file}`, import.meta.url).pathname

describe("the order of the files", () => {
  it.each([
    "application/swapping/opening/SwapRules.test.ts",
    "interfaces/http/server/cors.test.ts",
    "application/quoting/Outcome.test.ts",
    "domain/chains/Address.test.ts",
  ])("has %s among those that only compute", (file) => assert.isFalse(startsSomething(pathOf(file))))

  it.each([
    "application/swapping/opening/Idempotency.test.ts",
    "interfaces/http/circuitSharing.long.test.ts",
    "application/webhooks/Dispatcher.test.ts",
    "contract/limits.test.ts",
    "durability/kill.long.test.ts",
  ])("has %s among those that start something", (file) => assert.isTrue(startsSomething(pathOf(file))))
})
