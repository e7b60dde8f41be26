import { assert, describe, it } from "@effect/vitest"
import { makeStopRequests } from "#infrastructure/platform/runMain.ts"

/** What comes of signals at these times, in milliseconds. */
const cameOf = (...times: ReadonlyArray<number>) => {
  let now = 0
  const request = makeStopRequests(() => now)
  return times.map((time) => {
    now = time
    return request()
  })
}

describe("requests to stop", () => {
  it("are one when they arrive within a second of the first", () => {
    assert.deepStrictEqual(cameOf(500, 500, 501, 1_500), ["stop", "again", "again", "again"])
  })

  it("are more after that: somebody does not want to wait", () => {
    assert.deepStrictEqual(cameOf(500, 1_501), ["stop", "endNow"])
    assert.deepStrictEqual(cameOf(0, 900, 1_800), ["stop", "again", "endNow"])
  })
})
