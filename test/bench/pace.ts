import { type Answer, Connection } from "./Connection.ts"
import type { Target } from "./load.ts"

/** An answer, and when. */
export interface TimedAnswer {
  /** When it was asked for, as of `performance.now()`. */
  readonly begin: number
  /** Until it was there. */
  readonly millis: number
  readonly answer: Answer
}

/** A target, and who is told of its answers. */
export interface Watched {
  readonly target: Target
  readonly take: (answer: TimedAnswer) => void
}

/** As many connections as there are requests under way at once. */
const makeConnections = (url: URL) => {
  const idle: Array<Connection> = []
  const opened: Array<Connection> = []
  const open = async () => {
    const connection = await Connection.open(url)
    opened.push(connection)
    return connection
  }
  return {
    answerTo: async (request: Uint8Array): Promise<Answer> => {
      const connection = idle.pop() ?? await open()
      const answer = await connection.answerTo(request)
      idle.push(connection)
      return answer
    },
    close: () => opened.forEach((connection) => connection.close()),
  }
}

/** Asks one target again and again, without waiting for answers until the end. */
const makeAsker = ({ target: { requests, url }, take }: Watched) => {
  const connections = makeConnections(url)
  const underWay = new Set<Promise<void>>()
  let asked = 0
  const askOnce = async () => {
    const request = requests[asked++ % requests.length]
    if (request === undefined) throw new Error("There is nothing to ask")
    const begin = performance.now()
    const answer = await connections.answerTo(request)
    take({ begin, millis: performance.now() - begin, answer })
  }
  return {
    ask: () => {
      const answered = askOnce()
      underWay.add(answered)
      // One that failed stays, for `end` to fail with it.
      answered.then(() => underWay.delete(answered), () => undefined)
    },
    end: async () => {
      await Promise.all(underWay)
      connections.close()
    },
  }
}

/** Milliseconds. When this process itself was held up for longer, what it missed would be asked all at once. */
const mostCaughtUp = 50

/**
 * Asks the targets by turns, each so many times a second, whether or not answers have come: a late answer
 * delays none of the next requests, and whatever else the machine does meets all targets alike.
 */
export const pace = async (
  watched: ReadonlyArray<Watched>,
  requestsPerSecond: number,
  isOver: () => boolean,
): Promise<void> => {
  const askers = watched.map(makeAsker)
  const millisBetween = 1_000 / requestsPerSecond / askers.length
  let due = performance.now()
  for (let turn = 0; !isOver(); turn++) {
    askers[turn % askers.length]?.ask()
    due = Math.max(due + millisBetween, performance.now() - mostCaughtUp)
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
  }
  for (const { end } of askers) await end()
}
