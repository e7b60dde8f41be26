import { Effect, Schema } from "effect"
import { HttpClient, HttpClientRequest, type HttpMethod } from "effect/http"
import { ControlRefusal } from "#api/Sandbox.ts"
import { InvalidRequest, issueAbout } from "#domain/Issues.ts"
import { SandboxUnreachable } from "./problems.ts"

const decodeRefusal = Schema.decodeUnknownEffect(Schema.fromJsonString(ControlRefusal))

/** Fails with the issues that the sandbox found in a control, as a problem of our contract. */
const refused = (body: string) =>
  decodeRefusal(body).pipe(
    Effect.mapError(() => new SandboxUnreachable()),
    Effect.flatMap(({ message, errors }) =>
      Effect.fail(new InvalidRequest({ errors: errors ?? issueAbout("request", `was refused: ${message}`) }))
    ),
  )

/** What the sandbox answered to a control that it took. */
interface Controlled {
  readonly status: number
  readonly body: string
}

/** Sends a control to the sandbox; `text` is its body. Fails with the issues that the sandbox found in it. */
export const sendControl = Effect.fnUntraced(
  function* (method: HttpMethod.HttpMethod, url: URL, text: string) {
    const client = yield* HttpClient.HttpClient
    // As text: a URL's parameters would be taken out and put back one by one, each time over the whole of its query.
    const control = HttpClientRequest.make(method)(url.href)
    const outgoing = text === "" ? control : HttpClientRequest.bodyText(control, text, "application/json")
    const { body, status }: Controlled = yield* client.execute(outgoing).pipe(
      Effect.flatMap((response) => Effect.map(response.text, (body) => ({ status: response.status, body }))),
      Effect.mapError(() => new SandboxUnreachable()),
    )
    if (status >= 500) return yield* new SandboxUnreachable()
    return status >= 400 ? yield* refused(body) : { status, body }
  },
)
