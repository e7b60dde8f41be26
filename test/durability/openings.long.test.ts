import { assert, describe, it } from "#test/support/it.ts"
import { Array, Duration, Effect, Fiber, Schema } from "effect"
import { advance, defaultOptions, start } from "#test/sandbox/support.ts"
import { type Environment, startService } from "#test/support/process.ts"
import { alertsOf, history, openOnce, type SwapParameters } from "./client.ts"
import { eventually } from "./eventually.ts"
import { type OpeningGate, startOpeningGate, type Treatment } from "./OpeningGate.ts"
import { places } from "./places.ts"

/** Kills, and the openings that each of them cuts. */
const kills = 2
const openingsOfKill = 100

/** The network's time is ahead of ours by so much, so that no transaction of before can have an effect any more. */
const aheadSeconds = 3_600

/** Where replicas share a database, a sweep that was killed is another's only after its lease of half a minute. */
const untilSwept = Duration.minutes(3)

const treatments: ReadonlyArray<Treatment> = ["swallow", "withhold", "delay", "withhold", "swallow"]

/** An opening that is cut: under a key of its own, each but the twins to an address of its own. */
interface Cut {
  readonly key: string
  readonly destination: string
  readonly treatment: Treatment
  readonly isTwin: boolean
}

const addressOf = (number: number): string => `0xf${(number + 1).toString(16).padStart(39, "0")}`

/** The first two of each kill are asked for with the same terms, and both are opened. */
const cutBy = (kill: number): ReadonlyArray<Cut> =>
  Array.makeBy(openingsOfKill, (index) => {
    const isTwin = index < 2
    const number = kill * openingsOfKill + index
    return {
      key: `cut ${number}`,
      destination: addressOf(isTwin ? kill * openingsOfKill : number),
      treatment: isTwin ? "withhold" : treatments[index % treatments.length] ?? "swallow",
      isTwin,
    }
  })

const parametersOf = ({ destination }: Cut): SwapParameters => ({
  sourceAsset: "btc.btc",
  destinationAsset: "eth.eth",
  destinationAddress: destination,
})

/** The channels that the network has open. */
const decodeChannels = Schema.decodeUnknownEffect(Schema.Struct({
  openChannels: Schema.Array(
    Schema.Struct({ depositAddress: Schema.String, destinationAddress: Schema.String }),
  ),
}))

/** Starts the service, has it ask for all of these, and kills it while it waits for their answers. */
const killWhileOpening = Effect.fnUntraced(
  function* (settings: Environment, gate: OpeningGate, cuts: ReadonlyArray<Cut>) {
    const before = gate.cut()
    const treated = new Map(cuts.map(({ destination, treatment }) => [destination, treatment]))
    gate.treat((destination) => treated.get(destination) ?? "swallow")
    const service = yield* startService(settings)
    const asking = yield* Effect.forkChild(
      Effect.forEach(cuts, (cut) => Effect.result(openOnce(service, cut.key, parametersOf(cut))), {
        concurrency: "unbounded",
        discard: true,
      }),
    )
    yield* eventually(Effect.sync(gate.cut), (count) => count === before + cuts.length)
    yield* service.kill("SIGKILL")
    yield* service.ended
    yield* Fiber.join(asking)
    gate.treat(undefined)
    yield* gate.release
  },
  Effect.scoped,
)

describe.each(places)(
  "Openings of a service on $name that is killed before their answers",
  ({ environment }) => {
    it.live(
      "end attributed, proven absent or named to the operator, and none is opened twice: 200 at Chainflip",
      function* () {
        const sandbox = yield* start({ ...defaultOptions })
        yield* advance(sandbox, aheadSeconds)
        const gate = yield* startOpeningGate(sandbox.url)
        const settings = {
          ...(yield* environment),
          SANDBOX_URL: gate.url.origin,
          PROVIDERS: "chainflip",
          OPEN_BULKHEAD: `${openingsOfKill}`,
          // Where replicas share a database, an opening is looked for once its lease, which is this long, has passed.
          OPEN_TIMEOUT: "20 seconds",
          OPENINGS_SWEEP_INTERVAL: "1 second",
          STATUS_DEADLINE: "1 minute",
          STATUS_TIMEOUT: "1 minute",
          ALERT_INTERVAL: "1 second",
          ALERT_AFTER: "1 second",
        }
        const rounds = Array.makeBy(kills, cutBy)
        for (const cuts of rounds) yield* killWhileOpening(settings, gate, cuts)
        const all = rounds.flat()
        assert.strictEqual(gate.cut(), 200)

        const opened = Effect.flatMap(sandbox.get("/sandbox"), ({ json }) => decodeChannels(json)).pipe(
          Effect.map(({ openChannels }) => openChannels),
        )
        const service = yield* startService(settings)
        const ofOne = all.filter(({ isTwin }) => !isTwin)
        const reached = ofOne.filter(({ treatment }) => treatment !== "swallow")
        const records = yield* eventually(
          history(service),
          ({ length }) => length === reached.length,
          untilSwept,
        )
        const twins = all.filter(({ isTwin }) => isTwin)
        assert.strictEqual((yield* opened).length, reached.length + twins.length)

        const [named] = yield* eventually(
          alertsOf(service, "channels_unrecorded"),
          ([first]) => first?.alert.channels === twins.length,
          untilSwept,
        )
        const attributed = new Set(records.map(({ status }) => status.depositChannel.depositAddress))
        for (const { depositAddress } of yield* opened) {
          const isNamed = named?.alert.addresses?.includes(depositAddress) === true
          assert.strictEqual(attributed.has(depositAddress), !isNamed, depositAddress)
        }

        const answers = yield* Effect.forEach(
          all,
          (cut) => Effect.map(openOnce(service, cut.key, parametersOf(cut)), (answer) => ({ answer, cut })),
          { concurrency: 8 },
        )
        for (const { answer, cut } of answers) {
          assert.strictEqual(answer.status, cut.isTwin ? 500 : 200, answer.text)
        }
        const destinations = (yield* opened).map(({ destinationAddress }) => destinationAddress)
        for (const { destination, isTwin } of all) {
          const count = destinations.filter((one) => one === destination).length
          assert.strictEqual(count, isTwin ? 2 : 1, destination)
        }
      },
    )
  },
)
