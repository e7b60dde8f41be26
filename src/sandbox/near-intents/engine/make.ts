import { EventQueue } from "../../engine/EventQueue.ts"
import type { Network } from "../../engine/State.ts"
import type { Intents } from "./State.ts"

/** The orders of a network that begins now; its chains and prices are theirs. */
export const make = (network: Network): Intents => ({
  network,
  time: network.time,
  events: new EventQueue(),
  orders: new Map(),
  plannedTraps: [],
  transactionCount: 0,
})
