import { Effect, type Scope } from "effect"

/** Where a relay leads to. */
export interface Target {
  readonly hostname: string
  readonly port: number
}

/** Something that stands before one or more servers and passes TCP connections on, byte for byte. */
export interface Relay {
  readonly port: number
  /** Cuts every connection there is; new ones are passed on. */
  readonly cut: Effect.Effect<void>
  /** From now on nothing comes through: connections are taken, and nobody answers on any. */
  readonly hang: Effect.Effect<void>
  /** From now on connections are refused, and those that there are are cut. */
  readonly refuse: Effect.Effect<void>
  /** All is well again. What was held back arrives. */
  readonly heal: Effect.Effect<void>
}

/** Cut off, on either side: nothing that a relay has to tell anybody. */
const ignore = () => undefined

const end = (connection: Deno.TcpConn): void => {
  try {
    connection.close()
  } catch {
    // It was closed by the other side.
  }
}

class TcpRelay {
  #listener: Deno.TcpListener
  #turn = 0
  #held = Promise.resolve()
  #release: () => void = ignore
  readonly #connections = new Set<Deno.TcpConn>()
  readonly #targets: () => ReadonlyArray<Target>
  readonly port: number

  constructor(targets: () => ReadonlyArray<Target>) {
    this.#targets = targets
    this.#listener = Deno.listen({ hostname: "127.0.0.1", port: 0 })
    this.port = this.#listener.addr.port
    this.#accept(this.#listener)
  }

  cut(): void {
    for (const connection of this.#connections) end(connection)
  }

  hang(): void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#held = promise
    this.#release = resolve
  }

  refuse(): void {
    this.#listener.close()
    this.cut()
  }

  heal(): void {
    this.#release()
    try {
      this.#listener = Deno.listen({ hostname: "127.0.0.1", port: this.port })
      this.#accept(this.#listener)
    } catch (error) {
      // It listens still.
      if (!(error instanceof Deno.errors.AddrInUse)) throw error
    }
  }

  async #accept(listener: Deno.TcpListener): Promise<void> {
    try {
      for await (const connection of listener) this.#pass(connection).catch(ignore)
    } catch {
      // It listens no more.
    }
  }

  /** To the next target in turn that takes connections. */
  async #connect(): Promise<Deno.TcpConn | undefined> {
    const targets = this.#targets()
    const first = this.#turn++
    for (let index = 0; index < targets.length; index++) {
      const target = targets[(first + index) % targets.length]
      if (target === undefined) continue
      try {
        return await Deno.connect(target)
      } catch {
        // The next one may.
      }
    }
  }

  async #pass(client: Deno.TcpConn): Promise<void> {
    this.#connections.add(client)
    await this.#held
    const server = await this.#connect()
    if (server === undefined) end(client)
    else {
      this.#connections.add(server)
      await Promise.all([this.#copy(client, server), this.#copy(server, client)])
      this.#connections.delete(server)
    }
    this.#connections.delete(client)
  }

  /** Where one side ends, in whatever way, so does the other. */
  async #copy(from: Deno.TcpConn, to: Deno.TcpConn): Promise<void> {
    const buffer = new Uint8Array(65_536)
    try {
      for (let count = await from.read(buffer); count !== null; count = await from.read(buffer)) {
        await this.#held
        for (let sent = 0; sent < count;) sent += await to.write(buffer.subarray(sent, count))
      }
    } catch {
      // Cut.
    }
    end(from)
    end(to)
  }
}

/**
 * Listens on a free port until the scope closes, and passes connections on to the targets that there are at the
 * time, one after the other, leaving out those that refuse them.
 */
export const startRelay = (targets: () => ReadonlyArray<Target>): Effect.Effect<Relay, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => new TcpRelay(targets)),
    (relay) =>
      Effect.sync(() => {
        relay.heal()
        relay.refuse()
      }),
  ).pipe(Effect.map((relay) => ({
    port: relay.port,
    cut: Effect.sync(() => relay.cut()),
    hang: Effect.sync(() => relay.hang()),
    refuse: Effect.sync(() => relay.refuse()),
    heal: Effect.sync(() => relay.heal()),
  })))
