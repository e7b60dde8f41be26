import type { RunningService } from "#test/support/process.ts"
import { Connection, wireForm } from "../Connection.ts"
import { quoteUrl } from "../quoteUrl.ts"

const everyMillis = 50

/** What was answered to others, and how fast. */
export interface Others {
  /** Milliseconds. */
  readonly latencies: ReadonlyArray<number>
  readonly notAnswered: number
}

/** Asks by turns whether the service lives, and for a quote, until it is stopped. */
export const watchOthers = async ({ apiKey, url }: RunningService) => {
  const connection = await Connection.open(url)
  const requests = [wireForm(new URL("/livez", url)), wireForm(quoteUrl(url, "1"), apiKey)]
  const latencies: Array<number> = []
  let notAnswered = 0
  let goesOn = true

  const ask = async (request: Uint8Array) => {
    const begin = performance.now()
    const { status } = await connection.answerTo(request)
    latencies.push(performance.now() - begin)
    if (status !== 200) notAnswered += 1
  }
  const work = (async () => {
    while (goesOn) {
      for (const request of requests) await ask(request)
      await new Promise((resolve) => setTimeout(resolve, everyMillis))
    }
  })()
  return {
    stop: async (): Promise<Others> => {
      goesOn = false
      await work
      connection.close()
      return { latencies, notAnswered }
    },
  }
}
