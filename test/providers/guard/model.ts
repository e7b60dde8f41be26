import {
  attemptMillis,
  type Command,
  type Fate,
  type Group,
  limitSeconds,
  smallIdleMillis,
} from "./commands.ts"

/**
 * What the guard should do, written down a second time and as naively as possible: plain numbers in
 * milliseconds, no effects, and nothing of the guard's own.
 */
const rules = {
  quote: {
    bulkhead: 3,
    attempt: 3_000,
    retries: 1,
    deadline: 5_000,
    slow: 2_500,
    trips: (failures: ReadonlyArray<boolean>) => {
      const last = failures.slice(-6)
      return last.length >= 4 && last.filter(Boolean).length * 2 >= last.length
    },
  },
  open: {
    bulkhead: 2,
    attempt: 10_000,
    retries: 0,
    deadline: 65_000,
    slow: Infinity,
    trips: (failures: ReadonlyArray<boolean>) => failures.length >= 3 && failures.slice(-3).every(Boolean),
  },
}

const firstOpening = 5_000
const longestOpening = 15_000
const longestHint = 25_000

type Health = "well" | "ill" | "unknown"

interface Result {
  readonly answer: string
  readonly health: Health
  /** What the upstream asks to wait. */
  readonly hint?: number
  readonly again?: boolean
}

const unreachable: Result = { answer: "Unreachable", health: "ill", again: true }
const answered: Result = { answer: "answered", health: "well" }
const timedOut: Result = { answer: "TimedOut", health: "ill" }

/** The result of the n-th attempt. */
const resultOf = (fate: Fate, attempt: number): Result =>
  ({
    answer: answered,
    refuse: { answer: "InsufficientLiquidity", health: "well" },
    fail: { answer: "UpstreamFailed", health: "ill" },
    limit: { answer: "RateLimited", health: "ill", hint: limitSeconds * 1_000 },
    cut: unreachable,
    "cut, come back in 1 s": { ...unreachable, hint: 1_000 },
    "cut, then answer": attempt === 1 ? unreachable : answered,
    hang: timedOut,
    break: { answer: "ProviderDefect", health: "ill" },
  } as const satisfies Record<Fate, Result>)[fate]

interface Circuit {
  state: "Closed" | "Open" | "HalfOpen"
  /** Results of calls that were let in before the last turn of the circuit do not count. */
  readonly epoch: object
  readonly failures: Array<boolean>
  readonly openings: number
  readonly openUntil: number
  readonly lastOpening: number
  readonly closedAt: number
  probing: boolean
  lastUsed: number
}

const newCircuit = (now: number): Circuit => ({
  state: "Closed",
  epoch: {},
  failures: [],
  openings: 0,
  openUntil: 0,
  lastOpening: 0,
  closedAt: now,
  probing: false,
  lastUsed: now,
})

interface Call {
  readonly group: Group
  readonly fate: Fate
  readonly takes: number
  readonly began: number
  readonly epoch: object
  /** Openings of the circuit when the call was let in. */
  readonly openings: number
  attempt: number
  next: { readonly at: number; readonly then: () => void } | undefined
}

/** What the circuit of a group and its calls look like from outside. */
export interface GroupModel {
  readonly state: Circuit["state"]
  readonly remaining: number
  readonly probing: boolean
  readonly openings: number
  readonly calls: Readonly<Record<string, number>>
}

/** The naive model of the guard of one provider; `chance` is what every random number comes to. */
export const makeModel = (chance: number) => {
  let now = 0
  let attempts = 0
  const answers: Array<string> = []
  const running = new Map<number, Call>()
  const circuits = { quote: newCircuit(0), open: newCircuit(0) }
  const noCalls = { succeeded: 0, refused: 0, failed: 0, cancelled: 0, rejected: 0 }
  const counts = { quote: { ...noCalls }, open: { ...noCalls } }

  const circuitOf = (group: Group): Circuit => {
    const circuit = circuits[group]
    const used = Math.max(circuit.lastUsed, circuit.state === "Open" ? circuit.openUntil : 0)
    if (!circuit.probing && now - used >= smallIdleMillis) circuits[group] = newCircuit(now)
    return circuits[group]
  }

  const open = (group: Group, openings: number, hint: number): void => {
    const regular = Math.min(firstOpening * 2 ** openings, longestOpening) * (0.8 + 0.4 * chance)
    const lasts = Math.max(Math.round(regular), Math.min(hint, longestHint))
    circuits[group] = {
      ...newCircuit(now),
      state: "Open",
      openings: circuits[group].openings + 1,
      openUntil: now + lasts,
      lastOpening: lasts,
    }
  }

  const close = (group: Group): void => {
    const { openings, lastOpening } = circuits[group]
    circuits[group] = { ...newCircuit(now), openings, lastOpening }
  }

  const learn = (call: Call, health: Health, hint: number): void => {
    const circuit = circuitOf(call.group)
    if (circuit.epoch !== call.epoch) return
    circuit.lastUsed = now
    if (circuit.state === "HalfOpen") {
      circuit.probing = false
      if (health === "ill") open(call.group, call.openings, hint)
      if (health === "well") close(call.group)
      return
    }
    if (health === "unknown") return
    circuit.failures.push(health === "ill")
    if (rules[call.group].trips(circuit.failures)) open(call.group, call.openings, hint)
  }

  const end = (id: number, call: Call, result: Result): void => {
    running.delete(id)
    answers[id] = result.answer
    const slow = now - call.began > rules[call.group].slow
    const health = result.health === "well" && slow ? "ill" : result.health
    if (health === "ill") counts[call.group].failed += 1
    else if (health === "unknown") counts[call.group].cancelled += 1
    else if (result.answer === "answered") counts[call.group].succeeded += 1
    else counts[call.group].refused += 1
    learn(call, health, result.hint ?? 0)
  }

  const pauseAfter = ({ hint }: Result): number => hint ?? Math.floor(chance * 951) + 50

  const endAttempt = (id: number, call: Call, result: Result): void => {
    const { retries, attempt, deadline } = rules[call.group]
    const pause = pauseAfter(result)
    const inTime = now - call.began + pause + attempt <= deadline
    if (result.again === true && call.attempt <= retries && inTime) {
      call.next = { at: now + pause, then: () => beginAttempt(id, call) }
    } else end(id, call, result)
  }

  const beginAttempt = (id: number, call: Call): void => {
    attempts += 1
    call.attempt += 1
    const allowed = rules[call.group].attempt
    const result = call.takes < allowed ? resultOf(call.fate, call.attempt) : timedOut
    const takes = result === timedOut ? allowed : call.takes
    if (takes === 0) endAttempt(id, call, result)
    else call.next = { at: now + takes, then: () => endAttempt(id, call, result) }
  }

  /** Seconds to wait, or the circuit that the call is let in by. */
  const admit = (group: Group): number | Circuit => {
    const busy = [...running.values()].filter((call) => call.group === group).length
    if (busy >= rules[group].bulkhead) return 1
    const circuit = circuitOf(group)
    if (circuit.state === "Open" && now < circuit.openUntil) {
      return Math.max(1, (circuit.openUntil - now) / 1_000)
    }
    if (circuit.probing) return 1
    const isProbe = circuit.state !== "Closed"
    const forgets = circuit.state === "Closed" && now >= circuit.closedAt + circuit.lastOpening
    circuits[group] = {
      ...circuit,
      state: isProbe ? "HalfOpen" : "Closed",
      epoch: isProbe ? {} : circuit.epoch,
      openings: forgets ? 0 : circuit.openings,
      probing: isProbe,
      lastUsed: now,
    }
    return circuits[group]
  }

  const ask = (group: Group, fate: Fate, millis: number): void => {
    const id = answers.length
    const admitted = admit(group)
    if (typeof admitted === "number") {
      counts[group].rejected += 1
      answers.push(`not called for ${admitted} s`)
      return
    }
    answers.push("under way")
    const { epoch, openings } = admitted
    const takes = fate === "hang" ? Infinity : attemptMillis(millis, id)
    const call: Call = { group, fate, takes, began: now, epoch, openings, attempt: 0, next: undefined }
    running.set(id, call)
    beginAttempt(id, call)
  }

  const pass = (until: number): void => {
    const due = [...running.values()].flatMap(({ next }) =>
      next !== undefined && next.at <= until ? [next] : []
    )
    const [first] = due.sort((one, other) => one.at - other.at)
    if (first === undefined) {
      now = until
      return
    }
    now = first.at
    first.then()
    pass(until)
  }

  const cancel = (nth: number): void => {
    const found = [...running][nth]
    if (found !== undefined) end(found[0], found[1], { answer: "cancelled", health: "unknown" })
  }

  const run = (command: Command): void => {
    if (command._tag === "Pass") pass(now + command.millis)
    else if (command._tag === "Cancel") cancel(command.call)
    else for (let nth = 0; nth < command.count; nth++) ask(command.group, command.fate, command.millis)
  }

  const view = (group: Group): GroupModel => {
    const { state, openUntil, probing, openings } = circuitOf(group)
    const isClosed = state === "Closed"
    return {
      state,
      remaining: state === "Open" ? Math.max(0, openUntil - now) : 0,
      probing,
      openings: isClosed ? 0 : openings,
      calls: counts[group],
    }
  }

  return { run, view, answers: () => answers, attempts: () => attempts }
}
