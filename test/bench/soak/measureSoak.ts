import { Effect, Schema } from "effect"
import { type RunningService, startServiceIn } from "#test/support/process.ts"
import { expecting } from "../fairness/parties.ts"
import { plans } from "#test/durability/swaps.ts"
import { atMost, type Judged } from "../goal.ts"
import { signIn } from "../dashboard/measureDashboard.ts"

/** How a service is used for a long time. */
export interface SoakPlan {
  readonly minutes: number
  readonly roundsPerSecond: number
  /** Seconds from one weighing to the next. */
  readonly every: number
  /** Where heaps are written at a third of the time and at its end; absent: nowhere. */
  readonly snapshots?: string | undefined
}

/** What a process holds, in megabytes. */
export interface Weight {
  readonly minute: number
  readonly rounds: number
  readonly resident: number
  /** Of it what stands in no file: the rest are the pages of programs. */
  readonly anonymous: number
  readonly heapUsed: number
  readonly heapTotal: number
  /** WebAssembly's memory, of the embedded database, is among it. */
  readonly external: number
}

export interface Soak {
  /** Rounds that were not answered as they should be. */
  readonly failed: number
  readonly weights: ReadonlyArray<Weight>
  /** What it holds at the end, as a part of what it held after a third of the time. */
  readonly growth: Judged
}

const megabyte = 1_024 ** 2

const Memory = Schema.fromJsonString(
  Schema.Struct({ heapUsed: Schema.Int, heapTotal: Schema.Int, external: Schema.Int }),
)
const readMemory = Schema.decodeUnknownSync(Memory)

const said = (service: RunningService, word: string): ReadonlyArray<string> =>
  [...service.output().matchAll(new RegExp(`${word}=(\\{.*?\\})`, "g"))].flatMap(([, text]) => text ?? [])

const signalled = async (service: RunningService, signal: Deno.Signal, word: string) => {
  const before = said(service, word).length
  await Effect.runPromise(service.kill(signal))
  // A heap takes its time to be written.
  while (said(service, word).length === before) await new Promise((resolve) => setTimeout(resolve, 50))
  return readMemory(said(service, word).at(-1))
}

const ofProcess = async (pid: number, name: string): Promise<number> => {
  const [, kilobytes] = new RegExp(`^${name}:\\s*(\\d+) kB`, "m").exec(
    await Deno.readTextFile(`/proc/${pid}/status`),
  ) ?? []
  return Number(kilobytes) / 1_024
}

const weigh = async (service: RunningService, minute: number, rounds: number): Promise<Weight> => {
  const { external, heapTotal, heapUsed } = await signalled(service, "SIGUSR2", "memory")
  return {
    minute,
    rounds,
    resident: await ofProcess(service.pid, "VmRSS"),
    anonymous: await ofProcess(service.pid, "RssAnon"),
    heapUsed: heapUsed / megabyte,
    heapTotal: heapTotal / megabyte,
    external: external / megabyte,
  }
}

const Opened = Schema.fromJsonString(Schema.Struct({ id: Schema.Int, address: Schema.String }))
const readOpened = Schema.decodeUnknownSync(Opened)

const refundAddresses = {
  btc: "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
  evm: "0x2222222222222222222222222222222222222222",
}

const pages = [
  "",
  "/swaps",
  "/providers/chainflip",
  "/money",
  "/swaps?state=completed",
  "/failed",
  "/accounts",
]

/** A quote, a status, a page, and each fifth time an opening with its deposit. */
const makeRound = (service: RunningService, cookie: string) => {
  const { apiKey: key, url } = service
  let latest = 0
  return async (number: number): Promise<void> => {
    const plan = plans[number % plans.length] ?? plans[0]
    const { destinationAsset = "", sourceAsset = "" } = plan.parameters
    const wish = new URLSearchParams({ sourceAsset, destinationAsset, amount: `${plan.amount}.00${number}` })
    await expecting(service, {
      method: "GET",
      path: `/quotes?${wish.toString().replace(/(\.\d+)\./, "$1")}`,
      key,
    })
    if (number % 5 === 0) {
      const refundAddress = sourceAsset.startsWith("btc") ? refundAddresses.btc : refundAddresses.evm
      const body = { ...plan.parameters, refundAddress }
      const { address, id } = readOpened(
        await expecting(service, { method: "POST", path: "/swap", key, body }),
      )
      latest = id
      const deposit = { address, amount: plan.amount }
      await expecting(service, { method: "POST", path: "/sandbox/deposits", key, body: deposit })
    }
    if (latest === 0) return
    const known = Math.max(1, latest - number % 7)
    await expecting(service, { method: "GET", path: `/status-by-id?swapId=${known}`, key })
    const page = await fetch(new URL(`/dashboard${pages[number % pages.length] ?? ""}`, url), {
      headers: { cookie },
    })
    if (page.status !== 200) throw new Error(`A page: ${page.status}`)
    await page.body?.cancel()
  }
}

/** The service with its sandbox and the embedded database, used evenly and weighed each minute. */
export const measureSoak = Effect.fnUntraced(function* (plan: SoakPlan, folder: string) {
  const service = yield* startServiceIn("test/bench/soak/soakedService.ts")({
    DATA_DIR: folder,
    ...plan.snapshots === undefined ? {} : { SOAK_SNAPSHOTS: plan.snapshots },
  })
  return yield* Effect.promise(async () => {
    const round = makeRound(service, await signIn(service.url, service.apiKey))
    const weights: Array<Weight> = []
    const begun = performance.now()
    const seconds = () => (performance.now() - begun) / 1_000
    let failed = 0
    let rounds = 0
    let underWay = 0
    for (let minute = 0; minute < plan.minutes;) {
      while (seconds() < (minute + plan.every / 60) * 60) {
        const wait = rounds / plan.roundsPerSecond - seconds()
        if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait * 1_000))
        // Someone who waits for an answer asks nothing meanwhile.
        if (underWay < 20) {
          underWay += 1
          void round(rounds).catch((cause) => {
            failed += 1
            if (failed < 10) console.error(cause)
          }).finally(() => underWay -= 1)
        }
        rounds += 1
      }
      minute += plan.every / 60
      const weight = await weigh(service, minute, rounds)
      weights.push(weight)
      const cells = Object.entries(weight).map(([name, value]) => `${name} ${value.toFixed(0)}`)
      console.error(cells.join("  "), `failed ${failed}`)
      const isNear = (moment: number) => Math.abs(minute - moment) < plan.every / 120
      if (plan.snapshots !== undefined && (isNear(plan.minutes / 3) || isNear(plan.minutes))) {
        const { external, heapTotal, heapUsed } = await signalled(service, "SIGWINCH", "collected")
        console.error(
          "collected",
          [heapUsed, heapTotal, external].map((bytes) => (bytes / megabyte).toFixed(0)),
        )
      }
    }
    const after = weights[Math.ceil(weights.length / 3) - 1]
    const growth = (weights.at(-1)?.resident ?? 0) / (after?.resident ?? 1)
    const soak: Soak = { failed, weights, growth: atMost(1.05, growth) }
    return soak
  })
})
