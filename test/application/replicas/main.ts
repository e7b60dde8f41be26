import { Duration, Effect, Option } from "effect"
import { emptyPlaces, onServer, type Place, servers } from "#test/durability/places.ts"
import { type Campaign, wage } from "./campaign.ts"
import { receiveWebhook } from "./WebhookReceiver.ts"

/**
 * `deno task replicas`: 2,000 swaps over three replicas of one Postgres server that are killed and paused without
 * warning for a minute; with `embedded`, 500 swaps over one process with the embedded database, killed ten times. Prints what
 * it saw, and ends with 1 where anything is not as it must be.
 */
const [which = "postgres"] = Deno.args

const overPostgres = (url: string): Campaign => ({
  replicas: 3,
  swaps: 2_000,
  speed: 40,
  duration: Duration.seconds(60),
  kills: 10,
  pause: Option.some(Duration.seconds(25)),
  leases: {},
  patience: Duration.minutes(10),
  receive: receiveWebhook,
  environment: onServer(url),
})

const overEmbedded = ({ environment }: Place): Campaign => ({
  replicas: 1,
  swaps: 500,
  speed: 60,
  duration: Duration.seconds(30),
  kills: 10,
  pause: Option.none(),
  leases: {},
  patience: Duration.minutes(10),
  receive: receiveWebhook,
  environment,
})

const [server] = servers
const [embedded] = emptyPlaces
const campaign = which === "embedded"
  ? embedded && overEmbedded(embedded)
  : server === undefined
  ? undefined
  : overPostgres(server)
if (campaign === undefined) {
  console.error("Set TEST_DATABASE_URL to a Postgres server, or use: deno task replicas embedded")
  Deno.exit(2)
}

const say = (line: string) => Effect.sync(() => console.log(`${new Date().toISOString()} ${line}`))

const program = Effect.gen(function* () {
  const { breaches, deliveries, events, exitCodes, kills, leases, pauses, seconds } = yield* wage(
    campaign,
    say,
  )
  yield* say(`${campaign.swaps} swaps, ${kills} kills, ${pauses} pauses, over in ${seconds.toFixed(1)} s`)
  yield* say(`${events} events, ${deliveries} deliveries of them`)
  yield* say(
    `${leases.lookups} look-ups by ${leases.owners} processes; ${leases.takenOver} took over a lease that had ` +
      `run out, ${leases.tooEarly} one that had not`,
  )
  yield* say(`replicas stopped with ${exitCodes.join(", ")}`)
  for (const breach of breaches.slice(0, 50)) yield* say(`BREACH: ${breach}`)
  yield* say(breaches.length === 0 ? "Nothing is lost, nothing out of order" : `${breaches.length} breaches`)
  return breaches.length === 0 && exitCodes.every((code) => code === 0)
})

Deno.exit(await Effect.runPromise(program) ? 0 : 1)
