/** The service, with a look at how long its process is held up: a second listener (`BLOCKS_PORT`) tells it. */
import { start } from "#exports/app.ts"
import process from "node:process"

/** A time in which nothing else had its turn: since 1970, and how much of it the process computed, in milliseconds. */
interface Block {
  readonly begin: number
  readonly end: number
  readonly millis: number
}

const blocks: Array<Block> = []
const everyMillis = 2
const shortest = 8

const now = () => performance.timeOrigin + performance.now()
const computed = () => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1_000
}

let last = now()
let lastComputed = computed()
setInterval(() => {
  const [end, all] = [now(), computed()]
  // What other programs of the machine took is no block, and threads of the runtime may compute beside it.
  const millis = Math.min(end - last, all - lastComputed)
  if (millis >= shortest) blocks.push({ begin: last, end, millis })
  last = end
  lastComputed = all
}, everyMillis)

Deno.serve(
  { hostname: "127.0.0.1", port: Number(Deno.env.get("BLOCKS_PORT")), onListen: () => undefined },
  () => Response.json(blocks.splice(0)),
)

start()
