import { Effect, Option, Result } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import type { ProviderErrorReason } from "../../domain/ProviderError.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { hear, hideSecrets, isOk, send, under } from "../upstream/transport.ts"
import type * as Transport from "../upstream/transport.ts"
import { answerReason, type Subject } from "./errors.ts"
import type { Family } from "./networks.ts"
import { makeAsk, type Saying } from "./hosts.ts"
import type { Options } from "./settings.ts"

/** A parsed body and the upstream's time. */
export interface Heard extends Transport.Heard {
  readonly answeredAt: EpochMillis
}

type Query = Readonly<Record<string, string>>
type Answered = Effect.Effect<Heard, ProviderErrorReason>

/** The REST API of a node (thorchain/wire.md 1). Every call only reads. */
export interface Client {
  readonly inboundAddresses: Answered
  readonly pools: Answered
  readonly lastBlock: Answered
  /** What an amount would come to. */
  readonly quote: (query: Query, subject: Subject) => Answered
  /** Stages of a transaction, which is written in capitals and without 0x. */
  readonly status: (hash: string) => Answered
}

/** A fault of the host itself, which another host need not have. */
const isOfHost = (status: number, { _tag }: ProviderErrorReason): boolean =>
  status >= 500 && (_tag === "Unreachable" || _tag === "UpstreamFailed")

/** The API at `url`, or at the second URL where the first fails. No host is asked twice in a call. */
export const makeClient = (
  client: HttpClient.HttpClient,
  family: Family,
  { secondUrl, url }: Pick<Options, "secondUrl" | "url">,
): Client => {
  const sayer = (
    url: URL,
    endpoint: string,
  ) => {
    const hide = hideSecrets(url)
    return (path: string, query: Query, subject: Option.Option<Subject>): Saying<Heard> =>
      Effect.gen(function* () {
        const request = HttpClientRequest.get(under(url, `${family.path}${path}`), {
          urlParams: query,
          acceptJson: true,
        })
        const answer = yield* send(client, endpoint, request, hide)
        if (isOk(answer)) {
          const said = yield* Effect.fromResult(hear(endpoint, answer))
          return Result.succeed({ ...said, answeredAt: answer.answeredAt })
        }
        const reason = answerReason(endpoint, answer, subject)
        return isOfHost(answer.status, reason) ? yield* Effect.fail(reason) : Result.fail(reason)
      })
  }
  const ask = makeAsk(
    family.endpoint,
    sayer(url, family.endpoint),
    Option.map(secondUrl, (url) => sayer(url, `second ${family.endpoint}`)),
  )
  const get = (path: string, query: Query = {}, subject: Option.Option<Subject> = Option.none()): Answered =>
    ask((say) => say(path, query, subject))
  return {
    inboundAddresses: get("/inbound_addresses"),
    pools: get("/pools"),
    lastBlock: get("/lastblock"),
    quote: (query, subject) => get("/quote/swap", query, Option.some(subject)),
    status: (hash) => get(`/tx/status/${encodeURIComponent(hash)}`),
  }
}
