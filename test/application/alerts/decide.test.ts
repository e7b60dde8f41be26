import { assert, describe, it } from "@effect/vitest"
import { Duration, Schema } from "effect"
import { AlertId, subjectOf } from "#domain/operations/Alert.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { decide, type Reading } from "#application/alerts/decide.ts"
import { type Fault, FaultChange } from "#infrastructure/store/alerts/AlertsRepo.ts"
import { at, down, downs, notAsked, other, provider } from "./support/alerts.ts"

const patience = {
  after: Duration.seconds(20),
  overAfter: Duration.minutes(1),
  forgottenAfter: Duration.seconds(15),
}

/** Faults as the database keeps them, and what began and ended. */
const watch = () => {
  let faults: ReadonlyArray<Fault> = []
  const news: Array<string> = []
  let begun = 0
  const without = ({ alert }: Fault) => faults.filter((one) => subjectOf(one.alert) !== subjectOf(alert))
  const apply = (now: EpochMillis) =>
    FaultChange.$match({
      Lasts: ({ fault }) => [...without(fault), fault],
      Begins: ({ fault }) => {
        news.push(`${now / 1_000} ${subjectOf(fault.alert)} begins`)
        return [...without(fault), { ...fault, alertId: AlertId.make(++begun), recurrences: begun - 1 }]
      },
      Forgotten: ({ fault }) => without(fault),
      Ends: ({ fault }) => {
        news.push(`${now / 1_000} ${subjectOf(fault.alert)} ends`)
        return without(fault)
      },
    })
  return {
    news,
    see: (seconds: number, ...readings: ReadonlyArray<Reading>) => {
      const now = at(seconds)
      for (const change of decide(readings, patience, now)(faults)) faults = apply(now)(change)
    },
    faults: () => faults,
  }
}

describe("A fault", () => {
  it("begins an alert once it has lasted long enough, and ends it once it was gone long enough", () => {
    const { faults, news, see } = watch()
    for (let second = 0; second <= 60; second += 5) see(second, downs(down()))
    assert.deepStrictEqual(news, ["20 first begins"])
    assert.deepStrictEqual(faults().map(({ since }) => since), [at(0)])
    for (let second = 65; second <= 200; second += 5) see(second, downs())
    assert.deepStrictEqual(news, ["20 first begins", "120 first ends"])
    assert.isEmpty(faults())
  })

  it("that is short begins none and is forgotten, however often it comes", () => {
    const { faults, news, see } = watch()
    for (let second = 0; second < 1_000; second += 5) {
      see(second, second % 40 < 15 ? downs(down()) : downs())
    }
    assert.isEmpty(news)
    see(1_100, downs())
    assert.isEmpty(faults())
  })

  it("that comes and goes begins one alert, which ends once", () => {
    const { news, see } = watch()
    for (let second = 0; second <= 600; second += 5) {
      see(second, second % 20 === 10 ? downs() : downs(down()))
    }
    for (let second = 605; second <= 800; second += 5) see(second, downs())
    assert.deepStrictEqual(news, ["20 first begins", "660 first ends"])
  })

  it("neither begins nor ends an alert while nobody could ask", () => {
    const { news, see } = watch()
    see(0, downs(down()))
    for (let second = 5; second <= 60; second += 5) see(second, notAsked())
    // What was seen so long ago is another fault than the one now.
    see(65, downs(down()))
    assert.isEmpty(news)
    for (let second = 70; second <= 85; second += 5) see(second, downs(down()))
    assert.deepStrictEqual(news, ["85 first begins"])
    for (let second = 90; second <= 10_000; second += 50) see(second, notAsked())
    assert.deepStrictEqual(news, ["85 first begins"])
    see(10_001, downs())
    assert.deepStrictEqual(news, ["85 first begins", "10001 first ends"])
  })

  it("is not touched by readings of other types, or by none", () => {
    const { faults, see } = watch()
    see(0, downs(down()))
    see(100, { type: "swaps_stalled", faults: [], unknown: [] })
    see(200)
    assert.strictEqual(faults().length, 1)
  })

  it("of one provider is known though another could not be asked", () => {
    const { news, see } = watch()
    for (let second = 0; second <= 30; second += 5) see(second, downs(down(), down(other)))
    for (let second = 35; second <= 200; second += 5) see(second, notAsked(other))
    assert.deepStrictEqual(news, ["20 first begins", "20 second begins", "90 first ends"])
  })

  it("lasts as long as one replica sees it", () => {
    const { news, see } = watch()
    for (let second = 0; second <= 300; second += 5) {
      see(second, downs(down()))
      see(second + 1, downs())
    }
    assert.deepStrictEqual(news, ["20 first begins"])
  })

  it("that keeps coming back has to be gone for twice as long each time", () => {
    const { news, see } = watch()
    // A minute down, a bit more than a minute up: without the rule each would be an alert of its own.
    for (let second = 0; second < 86_400; second += 5) {
      see(second, second % 130 < 60 ? downs(down()) : downs())
    }
    assert.deepStrictEqual(news.slice(0, 3), ["20 first begins", "115 first ends", "150 first begins"])
    assert.isAtMost(news.length, 4)
  })
})

describe("What is decided", () => {
  const Steps = Schema.Array(Schema.Literals(["down", "up", "not asked"])).check(Schema.isMaxLength(200))

  it.prop("begins and ends an alert by turns, whatever is seen", [Steps], ([steps]) => {
    const { news, see } = watch()
    const readings = { down: downs(down()), up: downs(), "not asked": notAsked(provider) }
    steps.forEach((step, index) => see(index * 5, readings[step]))
    news.forEach((line, index) => assert.include(line, index % 2 === 0 ? "begins" : "ends"))
  })
})
