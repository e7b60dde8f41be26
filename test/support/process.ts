import config from "../../deno.json" with { type: "json" }
import { Data, Duration, Effect, type Scope } from "effect"
import { fileArguments } from "#infrastructure/config/fileAccess.ts"

const root = new URL("../..", import.meta.url).pathname

const main = "src/main.ts"

/** The program that the task `start` ends with, so that what is tested and measured is what operators run. */
const [, variable = "", value = "", startCommand = ""] = / && (\w+)=(\w+) deno (.*?) "--allow-read=/
  .exec(config.tasks.start.command) ?? []
const startArguments = startCommand.split(" ")
const serviceArguments = (
  path: string,
  environment: Environment,
) => [...startArguments, ...fileArguments("service", environment), path]
/** The same within a program that needs every permission. */
const permittedArguments = (
  path: string,
) => [...startArguments.map((argument) => argument.startsWith("-P=") ? "-A" : argument), path]

/** What a process cannot do without; a setting of whoever runs the tests must not reach it. */
const kept = ["PATH", "HOME", "DENO_DIR", "TMPDIR"]

const inherited = (): Readonly<Record<string, string>> =>
  Object.fromEntries(kept.flatMap((name) => {
    const value = Deno.env.get(name)
    return value === undefined ? [] : [[name, value]]
  }))

/** How processes of the suite compile; programs that measure leave that to the runtime. */
export const compiling = (): Readonly<Record<string, string>> => {
  const flags = Deno.env.get("V8_FLAGS_OF_PROCESSES")
  return flags === undefined ? {} : { DENO_V8_FLAGS: flags }
}

const keyOfTests = "test-key-of-the-default-account-0123456789"

/** On a free port with nothing kept, and with a key that is known. */
const defaults = {
  PORT: "0",
  DATA_DIR: "memory",
  DRAIN_DELAY: "0 millis",
  BOOTSTRAP_API_KEY: keyOfTests,
  LOG_FORMAT: "json",
  // So high that neither floods nor benchmarks reach one.
  RATE_LIMIT: "10000000",
  RATE_LIMIT_SWAP: "10000000",
  OPEN_CHANNELS_MOST: "1000000",
  CHAINFLIP_QUOTES_PER_MINUTE: "0",
  RELAY_QUOTES_PER_MINUTE: "0",
  THORCHAIN_REQUESTS_PER_MINUTE: "0",
  MAYA_REQUESTS_PER_MINUTE: "0",
  // One account is all there is.
  BULKHEAD_SHARE: "1",
}

/** Settings by name. */
export type Environment = Readonly<Record<string, string>>

/** A process that was started, serving or not. */
export interface StartedProcess {
  readonly pid: number
  /** What it has written until now, both streams. */
  readonly output: () => string
  /** Sends a signal; nothing when it has ended already. */
  readonly kill: (signal: Deno.Signal) => Effect.Effect<void>
  /** The same to all processes of its group, where it has one of its own. */
  readonly killGroup: (signal: Deno.Signal) => Effect.Effect<void>
  /** Waits until it has ended and all of its output is read. */
  readonly ended: Effect.Effect<Deno.CommandStatus>
}

/** A process that listens. */
export interface ListeningProcess extends StartedProcess {
  readonly url: URL
}

/** A service that listens. */
export interface RunningService extends ListeningProcess {
  /** API key of its first account. */
  readonly apiKey: string
}

/** The process ended, or took too long, before it said that it listens. */
export class StartFailed extends Data.TaggedError("StartFailed")<{ readonly output: string }> {
  override get message(): string {
    return `The process did not start:\n${this.output}`
  }
}

/** Of the service and of the sandbox. Whole only with what follows it: output comes in pieces. */
const saysWhereItListens = /(?:Listening on |SANDBOX_URL=)(http:\/\/[^\s,"]+)[\s,"]/

/** No measure of a start: on a busy machine it takes many times the few seconds of others. */
const startPatience = Duration.minutes(3)

interface Supervised extends StartedProcess {
  /** Where it listens, when it does; nothing when it has ended instead. */
  readonly listening: Promise<string | undefined>
}

interface Spawning {
  /** Deno, unless it is another one. */
  readonly program?: string
  /** Gives it a process group of its own. */
  readonly detached?: boolean
  /** The checkout in which it runs, unless it is this. */
  readonly checkout?: string
  /** Gives it the settings alone: no path, no home, nothing of this process. */
  readonly bare?: boolean
}

const supervise = (
  args: ReadonlyArray<string>,
  environment: Environment,
  { program = Deno.execPath(), detached = false, checkout = root, bare = false }: Spawning = {},
): Supervised => {
  const child = new Deno.Command(program, {
    args: [...args],
    detached,
    cwd: checkout,
    clearEnv: true,
    env: bare ? { ...environment } : { ...inherited(), [variable]: value, ...compiling(), ...environment },
    stdout: "piped",
    stderr: "piped",
  }).spawn()
  const listening = Promise.withResolvers<string | undefined>()
  let output = ""
  let listens = false
  const read = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      output += text
      // Searching all of it for each piece would take most of the time where there is much output.
      if (listens) continue
      const url = saysWhereItListens.exec(output)?.[1]
      if (url === undefined) continue
      listens = true
      listening.resolve(url)
    }
  }
  let running = true
  const exit = child.status.then((status) => {
    running = false
    return status
  })
  // A process ends some turns of the event loop before its status is there: a signal in between is nothing.
  const unlessEnded = (send: () => void) =>
    Effect.promise(async () => {
      if (!running) return
      try {
        send()
      } catch (thrown) {
        if (!(thrown instanceof TypeError || thrown instanceof Deno.errors.NotFound)) throw thrown
        await exit
      }
    })
  const ended = Promise.all([exit, read(child.stdout), read(child.stderr)]).then(([status]) => {
    listening.resolve(undefined)
    return status
  })
  return {
    pid: child.pid,
    output: () => output,
    kill: (signal) => unlessEnded(() => child.kill(signal)),
    killGroup: (signal) => unlessEnded(() => Deno.kill(-child.pid, signal)),
    ended: Effect.promise(() => ended),
    listening: listening.promise,
  }
}

/** Killed, if it still runs, when the scope closes. */
const supervised = (args: ReadonlyArray<string>, environment: Environment, spawning?: Spawning) =>
  Effect.acquireRelease(
    Effect.sync(() => supervise(args, environment, spawning)),
    ({ ended, kill, killGroup }) =>
      Effect.andThen(spawning?.detached === true ? killGroup("SIGKILL") : kill("SIGKILL"), ended),
  )

const listening = (
  args: ReadonlyArray<string>,
  environment: Environment,
  spawning?: Spawning,
): Effect.Effect<ListeningProcess, StartFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const process = yield* supervised(args, environment, spawning)
    const url = yield* Effect.timeout(Effect.promise(() => process.listening), startPatience).pipe(
      Effect.catchTag("TimeoutError", () => Effect.undefined),
    )
    if (url === undefined) return yield* new StartFailed({ output: process.output() })
    return { ...process, url: new URL(url) }
  })

/**
 * Starts the real service as a process of its own, on a free port and in memory unless `environment` says
 * otherwise. It is killed, if it still runs, when the scope closes.
 */
export const spawnService = (
  environment: Environment = {},
): Effect.Effect<StartedProcess, never, Scope.Scope> =>
  supervised(serviceArguments(main, { ...defaults, ...environment }), { ...defaults, ...environment })

/** The same, once it listens; `path` is of a program that is the service in another composition. */
export const startService = (
  environment: Environment = {},
  path: string = main,
): Effect.Effect<RunningService, StartFailed, Scope.Scope> =>
  Effect.map(
    listening(serviceArguments(path, { ...defaults, ...environment }), { ...defaults, ...environment }),
    (process) => ({ ...process, apiKey: environment.BOOTSTRAP_API_KEY ?? keyOfTests }),
  )

/**
 * The service as the task `start`, in a process group of its own, as a shell or a supervisor starts it; of this
 * checkout or of another.
 */
export const startTask = (
  environment: Environment,
  checkout: string = root,
): Effect.Effect<RunningService, StartFailed, Scope.Scope> =>
  Effect.map(
    listening(["task", "--quiet", "start"], { ...defaults, ...environment }, { detached: true, checkout }),
    (process) => ({ ...process, apiKey: keyOfTests }),
  )

/** The same within another program of this repository, which has every permission. */
export const startServiceIn =
  (path: string) =>
  (environment: Environment = {}): Effect.Effect<RunningService, StartFailed, Scope.Scope> =>
    Effect.map(
      listening(permittedArguments(path), { ...defaults, ...environment }),
      (process) => ({ ...process, apiKey: environment.BOOTSTRAP_API_KEY ?? keyOfTests }),
    )

/** Starts the operator's command line, as in the task `cli`, with these settings and no others. */
export const cliProcess = (
  environment: Environment,
  args: ReadonlyArray<string>,
): Effect.Effect<StartedProcess, never, Scope.Scope> =>
  supervised(["run", "--quiet", "-P=cli", "src/cli.ts", ...args], environment)

/** Starts the service from a program outside the repository, with the packages of this checkout. */
export const startOutside = (
  path: string,
  environment: Environment,
): Effect.Effect<RunningService, StartFailed, Scope.Scope> =>
  Effect.map(
    listening(["run", "--quiet", "-A", "--config", `${root}deno.json`, path], {
      ...defaults,
      ...environment,
    }),
    (process) => ({ ...process, apiKey: keyOfTests }),
  )

/** Runs a program outside the repository to its end, with these settings and no others. */
export const runOutside = (
  path: string,
  environment: Environment,
  args: ReadonlyArray<string>,
): Effect.Effect<StartedProcess, never, Scope.Scope> =>
  supervised(["run", "--quiet", "-A", "--config", `${root}deno.json`, path, ...args], environment)

/** Runs a task of the checkout to its end, with no settings. */
export const runTask = (
  task: string,
  words: ReadonlyArray<string>,
): Effect.Effect<StartedProcess, never, Scope.Scope> => supervised(["task", "--quiet", task, ...words], {})

/** Runs the conformance kit over a folder outside the repository, as its owner does there. */
export const kitProcess = (folder: string): Effect.Effect<StartedProcess, never, Scope.Scope> =>
  supervised(["task", "--quiet", "--config", `${root}deno.json`, "kit"], {}, { checkout: folder })

/** A file that can be executed, in a folder and with these settings alone. */
export interface Executable {
  readonly file: string
  readonly folder: string
  readonly environment: Environment
}

/** Runs a file with these words, as on a machine that has nothing but it. */
export const runFile = (
  { environment, file, folder }: Executable,
  words: ReadonlyArray<string>,
): Effect.Effect<StartedProcess, never, Scope.Scope> =>
  supervised(words, environment, { program: file, checkout: folder, bare: true })

/** The same, once it says where it listens. */
export const startFile = (
  { environment, file, folder }: Executable,
  words: ReadonlyArray<string>,
): Effect.Effect<ListeningProcess, StartFailed, Scope.Scope> =>
  listening(words, environment, { program: file, checkout: folder, bare: true })

/** The program of the one binary with these words, as the binary runs it. */
export const binaryProgram = (
  words: ReadonlyArray<string>,
  environment: Environment,
): Effect.Effect<StartedProcess, never, Scope.Scope> =>
  supervised(["run", "--quiet", "-P=binary", "src/tools/binary/main.ts", ...words], environment)

/** Starts another program of this repository that says where it listens, with every permission. */
export const startProgram = (
  path: string,
  environment: Environment,
): Effect.Effect<ListeningProcess, StartFailed, Scope.Scope> =>
  listening(["run", "--quiet", "-A", path], environment)

/** The same, which may have so many files open at most. */
export const startWithFewFiles = (
  most: number,
  path: string,
): Effect.Effect<ListeningProcess, StartFailed, Scope.Scope> =>
  listening(["-c", `ulimit -n ${most}; exec "$0" run --quiet -A "$1"`, Deno.execPath(), path], {}, {
    program: "sh",
  })
