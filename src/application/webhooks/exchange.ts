import { Effect, Option } from "effect"
import { Buffer } from "node:buffer"
import { type IncomingMessage, request as plainRequest, type RequestOptions } from "node:http"
import { request as secureRequest } from "node:https"
import { isIP } from "node:net"
import type { Attempt, AttemptFailure } from "#domain/accounts/Webhook.ts"
import { parseRetryAfter } from "#infrastructure/platform/httpTime.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { hostOf, portOf } from "./destination.ts"

/** The outcome of an attempt, without its time, and the wait that the receiver asked for. */
export interface Outcome extends Pick<Attempt, "status" | "failure" | "excerpt"> {
  readonly retryAfterSeconds?: number
}

/** A message to an address that was checked. */
interface Exchange {
  readonly url: URL
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly trusted?: string
}

/** The most bytes of an answer that are read, and the time for them once the status is there. */
const mostBytes = 2_048
const readMillis = 1_000

/** The most characters of an answer that are kept. */
const longestExcerpt = 500

const controls = /\p{Cc}+/gu

/** The beginning of an answer on one line; empty where it has no text. */
const excerptOf = (chunks: ReadonlyArray<Uint8Array>): string => {
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, mostBytes))
  return text.replaceAll(controls, " ").trim().slice(0, longestExcerpt).toWellFormed()
}

const noConnection = ["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "ETIMEDOUT"]

const wrongCertificate = /CERT|SELF_SIGNED|UNABLE_TO_|TLS|SSL|EPROTO|ISSUER/

const failureOf = (error: Error & { readonly code?: unknown }): AttemptFailure => {
  const code = `${error.code ?? ""}`
  if (noConnection.includes(code)) return "unreachable"
  return wrongCertificate.test(code) || /certificate/i.test(error.message)
    ? "certificate_invalid"
    : "answer_broken"
}

/** Reads the beginning of an answer's body, within `readMillis` however slow it is; the rest is never read. */
const beginningOf = (answer: IncomingMessage, done: (excerpt: string) => void): void => {
  const chunks: Array<Uint8Array> = []
  let length = 0
  let timer: ReturnType<typeof setTimeout> | undefined = undefined
  const finish = () => {
    clearTimeout(timer)
    answer.destroy()
    done(excerptOf(chunks))
  }
  timer = setTimeout(finish, readMillis)
  answer.on("data", (chunk: Uint8Array) => {
    chunks.push(chunk)
    length += chunk.length
    if (length >= mostBytes) finish()
  })
  answer.once("end", finish)
  answer.once("error", finish)
}

const busy: ReadonlyArray<number> = [429, 503]

/** The seconds that a receiver which is busy asks to be left alone for. */
const waitOf = ({ headers, statusCode = 0 }: IncomingMessage): Pick<Outcome, "retryAfterSeconds"> =>
  optionalMembers(
    busy.includes(statusCode)
      ? Option.getOrUndefined(parseRetryAfter(headers["retry-after"], Date.now()))
      : undefined,
    (retryAfterSeconds) => ({ retryAfterSeconds }),
  )

/** The connection goes to the address; `Host` has the name, and the certificate has to match it. */
const optionsOf = ({ url, address, headers, body, trusted }: Exchange): RequestOptions => {
  const host = hostOf(url)
  return {
    method: "POST",
    host: address,
    port: portOf(url),
    path: `${url.pathname}${url.search}`,
    headers: {
      ...headers,
      host: url.host,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "user-agent": "swap-broker",
      connection: "close",
    },
    agent: false,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...defined({ ca: trusted }),
  }
}

/** Sends a message once, to exactly this address, and reads the beginning of the answer. */
export const exchange = (message: Exchange): Effect.Effect<Outcome> =>
  Effect.callback<Outcome>((resume) => {
    const send = message.url.protocol === "https:" ? secureRequest : plainRequest
    const request = send(optionsOf(message), (answer) => {
      const { statusCode: status } = answer
      if (status === undefined) return
      beginningOf(answer, (excerpt) => {
        resume(Effect.succeed({ status, ...(excerpt === "" ? {} : { excerpt }), ...waitOf(answer) }))
      })
    })
    request.on("error", (error) => resume(Effect.succeed({ failure: failureOf(error) })))
    request.end(message.body)
    return Effect.sync(() => request.destroy())
  })
