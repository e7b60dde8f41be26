import { Effect, Schema } from "effect"
import type { RunningService } from "#test/support/process.ts"

/** A request, whose answer has to be one of these to count as success. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly key: string
  readonly body?: unknown
}

/** An answer, and how long it took. */
export interface Taken {
  readonly status: number
  readonly millis: number
  readonly text: string
}

export const ask = async (service: RunningService, { body, key, method, path }: Asked): Promise<Taken> => {
  const begin = performance.now()
  const answer = await fetch(new URL(path, service.url), {
    method,
    headers: { "content-type": "application/json", "x-api-key": key },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, millis: performance.now() - begin, text }
}

const Issued = Schema.fromJsonString(Schema.Struct({ key: Schema.String }))
const readIssued = Schema.decodeUnknownSync(Issued)
const Opened = Schema.fromJsonString(Schema.Struct({ id: Schema.Int }))
const readOpened = Schema.decodeUnknownSync(Opened)

/** The text of an answer that has to be a success. */
export const expecting = async (service: RunningService, asked: Asked): Promise<string> => {
  const { status, text } = await ask(service, asked)
  if (status >= 300) throw new Error(`${asked.method} ${asked.path}: ${status} ${text}`)
  return text
}

/** An account with so many keys. */
export const newAccount = (service: RunningService, name: string, keys: number) =>
  Effect.promise(async () => {
    const operate = (path: string, body: unknown) =>
      expecting(service, { method: "POST", path: `/operator${path}`, key: service.apiKey, body })
    await operate("/accounts", { name })
    const issued: Array<string> = []
    for (let count = 0; count < keys; count++) {
      issued.push(readIssued(await operate(`/accounts/${name}/keys`, {})).key)
    }
    return issued
  })

/** A key of each, of which there is at least one. */
export const firstOf = (keys: ReadonlyArray<string>): string => {
  const [key] = keys
  if (key === undefined) throw new Error("The account has no key")
  return key
}

const evm = "0x1111111111111111111111111111111111111111"
const bitcoin = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"

export const opening = (key: string): Asked => ({
  method: "POST",
  path: "/swap",
  key,
  body: {
    sourceAsset: "eth.eth",
    destinationAsset: "btc.btc",
    destinationAddress: bitcoin,
    refundAddress: evm,
  },
})

export const payload = (key: string): Asked => ({
  method: "POST",
  path: "/tx-payload/evm",
  key,
  body: {
    sourceAsset: "eth.eth",
    destinationAsset: "usdc.arb",
    amount: "1",
    destinationAddress: evm,
    refundAddress: evm,
  },
})

/** Opens so many channels; their ids. */
export const openChannels = (service: RunningService, key: string, count: number) =>
  Effect.promise(async () => {
    const ids: Array<number> = []
    for (let opened = 0; opened < count; opened += 4) {
      const texts = await Promise.all([1, 2, 3, 4].map(() => expecting(service, opening(key))))
      ids.push(...texts.map((text) => readOpened(text).id))
    }
    return ids
  })

/** Has a payload encoded, so that the account's hashes are looked for. */
export const encodePayload = (service: RunningService, key: string) =>
  Effect.promise(() => expecting(service, payload(key)))
