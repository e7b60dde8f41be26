import { Effect, Option, Result } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import type { ProviderErrorReason } from "../../domain/ProviderError.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { hear, hideSecrets, isOk, send, under } from "../upstream/transport.ts"
import type * as Transport from "../upstream/transport.ts"
import { answerReason, type Subject } from "./errors.ts"
import type { Family } from "./networks.ts"
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

/** The API at `url`; nothing is ever repeated. */
export const makeClient = (
  client: HttpClient.HttpClient,
  family: Family,
  { url }: Pick<Options, "url">,
): Client => {
  const hide = hideSecrets(url)
  const get = (path: string, query: Query = {}, subject: Option.Option<Subject> = Option.none()): Answered =>
    Effect.flatMap(
      send(
        client,
        family.endpoint,
        HttpClientRequest.get(under(url, `${family.path}${path}`), { urlParams: query, acceptJson: true }),
        hide,
      ),
      (answer) =>
        Effect.fromResult<Heard, ProviderErrorReason>(
          isOk(answer)
            ? Result.map(
              hear(family.endpoint, answer),
              (said) => ({ ...said, answeredAt: answer.answeredAt }),
            )
            : Result.fail(answerReason(family, answer, subject)),
        ),
    )
  return {
    inboundAddresses: get("/inbound_addresses"),
    pools: get("/pools"),
    lastBlock: get("/lastblock"),
    quote: (query, subject) => get("/quote/swap", query, Option.some(subject)),
    status: (hash) => get(`/tx/status/${encodeURIComponent(hash)}`),
  }
}
