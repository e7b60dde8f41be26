import { Clock, Context, Effect, Layer, Result, Schema, type Scope, Semaphore } from "effect"
import { EpochMillis } from "#domain/Time.ts"
import * as Network from "./engine/Network.ts"
import * as Networks from "./simulatedNetworks.ts"
import { syncFolder } from "#infrastructure/platform/onDisk.ts"

export interface WorldOptions {
  /** The seed of every address, hash and price path. */
  readonly seed: string
  /** Simulated seconds for each real second; at 0 only time travel moves time. */
  readonly speed: number
  /** The simulated time of the first start; absent: its real time. */
  readonly genesis?: EpochMillis
  /** The folder of the event log; `memory` keeps nothing. */
  readonly dataDir: string
}

/** The options that the sandbox was created with. With the entries they determine everything else. */
const Header = Schema.Struct({
  log: Schema.Literal("swap-broker sandbox"),
  version: Schema.Int,
  seed: Schema.String,
  genesis: EpochMillis,
})
type Header = typeof Header.Type

/** The speed from a moment on: simulated = `simulated` + (real now − `real`) × `speed`; 0 stands still. */
const Anchor = Schema.Struct({
  real: EpochMillis,
  simulated: EpochMillis,
  /** Simulated seconds for each real second. */
  speed: Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)),
})
type Anchor = typeof Anchor.Type

/** Simulated time runs from a new anchor: at a start, and after time travel. */
const ClockSet = Schema.TaggedStruct("ClockSet", { anchor: Anchor })

/** A command that the simulated networks accepted, at its simulated time. */
const CommandAccepted = Schema.TaggedStruct("CommandAccepted", {
  time: EpochMillis,
  command: Networks.WorldCommand,
})

const Entry = Schema.Union([ClockSet, CommandAccepted])
type Entry = typeof Entry.Type

/** The memory of the sandbox: NDJSON, a header and then the entries in order. */
interface EventLog {
  readonly header: Header
  readonly entries: ReadonlyArray<Entry>
  /** Adds an entry in the order of calls; waits until it is on the disk. Waiting entries share one write. */
  readonly record: (entry: Entry) => Effect.Effect<void, UnusableLog>
}

/** The version of new logs, raised with new entries. Older ones are read; figures of version 1 can differ slightly. */
export const logVersion = 4

export const logPath = (dataDir: string): string => `${dataDir}/sandbox.ndjson`

/** Opens or creates the log of a folder; `memory` keeps nothing. A torn last line is dropped with a warning. */
const openEventLog = (
  options: { readonly dataDir: string; readonly header: Header; readonly genesisFixed: boolean },
): Effect.Effect<EventLog, CorruptLog | ForeignLog | LockedLog | UnusableLog, Scope.Scope> =>
  options.dataDir === "memory"
    ? Effect.succeed({ header: options.header, entries: [], record: () => Effect.void })
    : openFile(options)

const openFile = Effect.fnUntraced(function* (
  options: { readonly dataDir: string; readonly header: Header; readonly genesisFixed: boolean },
) {
  const path = logPath(options.dataDir)
  const usable = <A>(attempt: () => Promise<A>): Effect.Effect<A, UnusableLog> =>
    Effect.tryPromise({ try: attempt, catch: (cause) => new UnusableLog({ path, cause }) })

  yield* usable(() => Deno.mkdir(options.dataDir, { recursive: true }))
  const file = yield* Effect.acquireRelease(
    usable(() => Deno.open(path, { read: true, write: true, create: true })),
    (file) => Effect.sync(() => file.close()),
  )
  if (!(yield* usable(() => file.tryLock(true)))) return yield* new LockedLog({ path })

  const content = yield* usable(() => readAll(file))
  const found = yield* parse(path, content)
  if (found.tornBytes > 0) {
    yield* Effect.logWarning(`Dropped an incomplete last entry of ${path} (${found.tornBytes} bytes)`)
  }
  const end = new TextEncoder().encode(found.kept).byteLength
  yield* usable(() => file.truncate(end))
  yield* usable(() => file.seek(end, Deno.SeekMode.Start))

  const write = makeWriter(file, usable)
  if (found.header === undefined) {
    yield* write(encodeHeader(options.header))
    // Without it a power cut could remove the new file, including its synced entries.
    yield* usable(() => syncFolder(options.dataDir))
  } else yield* refuseForeign(path, found.header, options)
  const log: EventLog = {
    header: found.header ?? options.header,
    entries: found.entries,
    record: (entry) => write(encodeEntry(entry)),
  }
  return log
})

/** One write and datasync for all waiting lines. After a failure nothing is written: a gap could not be replayed. */
const makeWriter = (
  file: Deno.FsFile,
  usable: <A>(attempt: () => Promise<A>) => Effect.Effect<A, UnusableLog>,
) => {
  const turn = Semaphore.makeUnsafe(1)
  let waiting: Array<string> = []
  let taken = 0
  let written = 0
  let broken: UnusableLog | undefined
  const flush = Effect.gen(function* () {
    if (broken !== undefined) return yield* broken
    const lines = waiting
    waiting = []
    yield* usable(() => writeAll(file, new TextEncoder().encode(lines.join(""))))
    yield* usable(() => file.syncData())
    written += lines.length
  }).pipe(Effect.tapError((failure) => Effect.sync(() => broken = failure)))
  return (line: string): Effect.Effect<void, UnusableLog> => {
    waiting.push(`${line}\n`)
    const position = ++taken
    return turn.withPermit(Effect.suspend(() => written >= position ? Effect.void : flush))
  }
}

const writeAll = async (file: Deno.FsFile, bytes: Uint8Array): Promise<void> => {
  for (let offset = 0; offset < bytes.byteLength;) offset += await file.write(bytes.subarray(offset))
}

const readAll = async (file: Deno.FsFile): Promise<string> => {
  const bytes = new Uint8Array((await file.stat()).size)
  for (let offset = 0; offset < bytes.byteLength;) {
    const count = await file.read(bytes.subarray(offset))
    if (count === null) break
    offset += count
  }
  return new TextDecoder().decode(bytes)
}

const HeaderLine = Schema.fromJsonString(Schema.toCodecJson(Header))
const EntryLine = Schema.fromJsonString(Schema.toCodecJson(Entry))
const encodeHeader = Schema.encodeSync(HeaderLine)
const encodeEntry = Schema.encodeSync(EntryLine)
const decodeHeader = Schema.decodeUnknownResult(HeaderLine)
const decodeEntry = Schema.decodeUnknownResult(EntryLine)

/** Only a terminated line is complete; a terminated line that cannot be read is damage, not a torn write. */
const parse = Effect.fnUntraced(function* (path: string, content: string) {
  const kept = content.slice(0, content.lastIndexOf("\n") + 1)
  const tornBytes = new TextEncoder().encode(content.slice(kept.length)).byteLength
  const [first, ...rest] = kept.split("\n").slice(0, -1)
  const entries: Array<Entry> = []
  if (first === undefined) return { header: undefined, entries, kept, tornBytes }
  const header = decodeHeader(first)
  if (Result.isFailure(header)) {
    return yield* new CorruptLog({ path, line: 1, reason: header.failure.message })
  }
  for (const [index, line] of rest.entries()) {
    const entry = decodeEntry(line)
    if (Result.isFailure(entry)) {
      return yield* new CorruptLog({ path, line: index + 2, reason: entry.failure.message })
    }
    entries.push(entry.success)
  }
  return { header: header.success, entries, kept, tornBytes }
})

const refuseForeign = (
  path: string,
  found: Header,
  options: { readonly header: Header; readonly genesisFixed: boolean },
): Effect.Effect<void, ForeignLog> => {
  const members = ["version", "seed", ...(options.genesisFixed ? ["genesis" as const] : [])] as const
  const member = members.find((name) =>
    name === "version" ? found.version > options.header.version : found[name] !== options.header[name]
  )
  return member === undefined ? Effect.void : Effect.fail(
    new ForeignLog({ path, member, found: `${found[member]}`, wanted: `${options.header[member]}` }),
  )
}

const path = { path: Schema.String }

export class CorruptLog extends Schema.TaggedError<CorruptLog>()("CorruptLog", {
  ...path,
  line: Schema.Int,
  reason: Schema.String,
}) {
  override get message(): string {
    return `Line ${this.line} of the sandbox's log ${this.path} cannot be read: ${this.reason}. ` +
      "Restore the file, or delete it to start an empty sandbox"
  }
}

/** The log belongs to a sandbox with another seed or genesis, or of a later version. */
export class ForeignLog extends Schema.TaggedError<ForeignLog>()("ForeignLog", {
  ...path,
  member: Schema.Literals(["version", "seed", "genesis"]),
  found: Schema.String,
  wanted: Schema.String,
}) {
  override get message(): string {
    return `The sandbox's log ${this.path} has ${this.member} "${this.found}", but "${this.wanted}" is wanted. ` +
      "Start with the settings that it was made with, use another DATA_DIR, or delete the file"
  }
}

export class LockedLog extends Schema.TaggedError<LockedLog>()("LockedLog", path) {
  override get message(): string {
    return `The sandbox's log ${this.path} is in use by another process. Stop that one, or use another DATA_DIR`
  }
}

export class UnusableLog extends Schema.TaggedError<UnusableLog>()("UnusableLog", {
  ...path,
  cause: Schema.Defect(),
}) {
  override get message(): string {
    return `The sandbox's log ${this.path} cannot be used: ${this.cause}. Check that DATA_DIR can be written to`
  }
}

/** The simulated networks, advanced to now before each use. A command's outcome waits for its log entry. */
export class World extends Context.Service<World>()("swap-broker/sandbox/World", {
  make: Effect.fnUntraced(function* (options: WorldOptions) {
    const real = yield* realNow
    const log = yield* openEventLog({
      dataDir: options.dataDir,
      header: {
        log: "swap-broker sandbox",
        version: logVersion,
        seed: options.seed,
        genesis: options.genesis ?? real,
      },
      genesisFixed: options.genesis !== undefined,
    })
    const { anchor: last, networks } = yield* replay(options, log)

    // The time since the last start counts, as a real network goes on while its clients are away.
    let anchor: Anchor = last === undefined
      ? { real, simulated: log.header.genesis, speed: options.speed }
      : changeSpeed(last, real, options.speed)
    yield* log.record({ _tag: "ClockSet", anchor })

    const advanceTo = (real: EpochMillis): EpochMillis => {
      Networks.advance(networks, simulatedAt(anchor, real))
      return Network.time(networks.network).time
    }

    return {
      seed: log.header.seed,
      speed: options.speed,
      read: <A>(look: (networks: Networks.SimulatedNetworks) => A) =>
        Effect.map(realNow, (real) => {
          advanceTo(real)
          return look(networks)
        }),
      /**
       * Carries out a command in the network that it is for; one that is refused has changed nothing. No other request
       * can come between a command and its entry: both happen in one synchronous step.
       */
      perform: <Tag extends Networks.WorldCommand["_tag"]>(command: Networks.CommandOf<Tag>) =>
        Effect.flatMap(realNow, (real) => {
          const time = advanceTo(real)
          const outcome = Networks.perform(networks, command)
          const kept = outcome._tag === "Failure"
            ? Effect.void
            : log.record({ _tag: "CommandAccepted", time, command })
          return Effect.as(kept, outcome)
        }),
      /** Time travel: everything that is due within `millis` happens. Returns the new simulated time. */
      travel: (millis: number) =>
        Effect.flatMap(realNow, (real) => {
          anchor = travel(anchor, real, millis)
          return Effect.as(log.record({ _tag: "ClockSet", anchor }), advanceTo(real))
        }),
    }
  }),
}) {
  static readonly layer = (options: WorldOptions) => Layer.effect(this, this.make(options))
  static readonly read = <A>(
    look: (networks: Networks.SimulatedNetworks) => A,
  ): Effect.Effect<A, never, World> => Effect.flatMap(World, (world) => world.read(look))
  static readonly perform = <Tag extends Networks.WorldCommand["_tag"]>(
    command: Networks.CommandOf<Tag>,
  ): Effect.Effect<Networks.Outcomes[Tag], UnusableLog, World> =>
    Effect.flatMap(World, (world) => world.perform(command))
}

/** The simulated time at a real time. A real clock that was set back stops simulated time, but never turns it back. */
const simulatedAt = (anchor: Anchor, real: number): EpochMillis =>
  EpochMillis.make(anchor.simulated + Math.max(0, Math.floor((real - anchor.real) * anchor.speed)))

const travel = (anchor: Anchor, real: EpochMillis, millis: number): Anchor => ({
  real,
  simulated: EpochMillis.make(simulatedAt(anchor, real) + millis),
  speed: anchor.speed,
})

/** Another speed of simulated time from now on; the time until now has passed at the old speed. */
const changeSpeed = (anchor: Anchor, real: EpochMillis, speed: number): Anchor => ({
  real,
  simulated: simulatedAt(anchor, real),
  speed,
})

const realNow: Effect.Effect<EpochMillis> = Effect.map(
  Clock.currentTimeMillis,
  (millis) => EpochMillis.make(Math.floor(millis)),
)

const replay = Effect.fnUntraced(function* (options: WorldOptions, log: EventLog) {
  const networks = Networks.make({ seed: log.header.seed, time: log.header.genesis })
  let anchor: Anchor | undefined
  for (const [index, entry] of log.entries.entries()) {
    if (entry._tag === "ClockSet") {
      anchor = entry.anchor
      continue
    }
    Networks.advance(networks, entry.time)
    const outcome = Networks.perform(networks, entry.command)
    if (outcome._tag === "Failure") {
      return yield* new CorruptLog({
        path: logPath(options.dataDir),
        line: index + 2,
        reason: `the network refuses the command again: ${outcome.failure._tag}`,
      })
    }
  }
  return { anchor, networks }
})
