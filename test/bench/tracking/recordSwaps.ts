import { Effect } from "effect"
import { byId, deposit, openByPost, type Opened, travel } from "#test/durability/client.ts"
import { plans } from "#test/durability/swaps.ts"
import { type RunningService, startService } from "#test/support/process.ts"
import { startNetworks } from "../chaos/stage.ts"
import type { Place } from "../place.ts"
import type { SwapBodies } from "./SwapBodies.ts"

const [plan] = plans

/** Of the simulated world, at a time. */
const stepSeconds = 6
const mostSteps = 200

const prefixOf = ({ issuedBlock, network }: Opened): string => `${issuedBlock}-${network}-`

const bodyOf = (networks: URL, opened: Opened) =>
  Effect.promise(async () => {
    const id = `${prefixOf(opened)}${opened.channelId}`
    const answer = await fetch(new URL(`/chainflip/backend/v2/swaps/${id}`, networks))
    if (!answer.ok) throw new Error(`The simulated network answered ${answer.status}`)
    return await answer.text()
  })

/** Lets time go by until the service says that a swap has come so far. */
const comesTo = Effect.fnUntraced(function* (service: RunningService, id: number, state: string) {
  for (let step = 0; step < mostSteps; step++) {
    if ((yield* byId(service, id)).status.state === state) return
    yield* travel(service, stepSeconds)
  }
  return yield* Effect.die(new Error(`The swap was never ${state}`))
})

/** Two swaps that a service keeps in a place, and what was said of them. */
export interface RecordedSwaps {
  readonly waitingId: number
  readonly movingId: number
  readonly bodies: SwapBodies
}

/** Takes one swap through the simulated networks as far as `swapping`, and leaves another waiting. */
export const recordSwaps = Effect.fnUntraced(function* (place: Place) {
  const networks = yield* startNetworks
  const service = yield* startService({
    ...place.settings,
    PROVIDERS: "chainflip",
    SANDBOX_URL: networks.url.origin,
  })
  const waiting = yield* openByPost(service, plan.parameters)
  const moving = yield* openByPost(service, plan.parameters)
  yield* byId(service, waiting.id)
  const waitingBody = yield* bodyOf(networks.url, waiting)
  yield* deposit(service, moving.address, plan.amount)
  yield* comesTo(service, moving.id, "receiving")
  const receiving = yield* bodyOf(networks.url, moving)
  yield* comesTo(service, moving.id, "swapping")
  const swapping = yield* bodyOf(networks.url, moving)
  yield* service.kill("SIGTERM")
  yield* service.ended
  const recorded: RecordedSwaps = {
    waitingId: waiting.id,
    movingId: moving.id,
    bodies: { channelPrefix: prefixOf(waiting), waiting: waitingBody, receiving, swapping },
  }
  return recorded
}, Effect.scoped)
