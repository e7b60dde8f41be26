import { assert, describe, it } from "@effect/vitest"
import { startsSomething } from "./startsSomething.ts"

const pathOf = (file: string) => new URL(`../${file}`, import.meta.url).pathname

describe("the order of the files", () => {
  it.each([
    "swapping/SwapRules.test.ts",
    "http/server/cors.test.ts",
    "quoting/Outcome.test.ts",
    "domain/Address.test.ts",
  ])("has %s among those that only compute", (file) => assert.isFalse(startsSomething(pathOf(file))))

  it.each([
    "swapping/Idempotency.test.ts",
    "http/circuitSharing.long.test.ts",
    "webhooks/Dispatcher.test.ts",
    "contract/limits.test.ts",
    "durability/kill.long.test.ts",
  ])("has %s among those that start something", (file) => assert.isTrue(startsSomething(pathOf(file))))
})
