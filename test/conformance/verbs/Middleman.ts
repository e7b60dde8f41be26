import { Effect, Option, Schema, type Scope } from "effect"
import { HttpClient, type HttpClientRequest, HttpClientResponse } from "effect/http"
import type { Provider } from "#providers/Provider.ts"
import { callOf } from "#providers/upstream/witness.ts"

/** The values of an answer without its structure, by where they stand: `#0 POST /v1/orders /recipient`. */
export type Values = ReadonlyMap<string, Schema.Json>

const JsonText = Schema.fromJsonString(Schema.Json)
const readJson = Schema.decodeOption(JsonText)
/** The same JSON with each value as `change` makes it. */
const mapValues = (
  json: Schema.Json,
  path: string,
  change: (path: string, value: Schema.Json) => Schema.Json,
): Schema.Json => {
  if (Array.isArray(json)) {
    return json.map((item: Schema.Json, index) => mapValues(item, `${path}/${index}`, change))
  }
  if (typeof json !== "object" || json === null) return change(path, json)
  return Object.fromEntries(
    Object.entries(json).map(([name, item]) => [name, mapValues(item, `${path}/${name}`, change)]),
  )
}

/** Somebody between a provider and its upstream, who reads what is answered, and writes it otherwise. */
export interface Middleman {
  /** Does something while answers are read, with the values at these places said otherwise; gives all that were said. */
  readonly during: <A, E, R>(doing: Effect.Effect<A, E, R>, lie?: Values) => Effect.Effect<
    { readonly done: A; readonly said: Values },
    E,
    R
  >
  readonly between: <E, R>(
    provider: Effect.Effect<Provider, E, R | Scope.Scope>,
  ) => Effect.Effect<Provider, E, R | Scope.Scope>
}

export const makeMiddleman = (): Middleman => {
  let present: { readonly said: Map<string, Schema.Json>; readonly lie: Values } | undefined
  const calls = new Map<string, number>()

  const passOn = (request: HttpClientRequest.HttpClientRequest, text: string): string => {
    const json = readJson(text)
    if (present === undefined || Option.isNone(json)) return text
    const name = callOf(request)
    const number = calls.get(name) ?? 0
    calls.set(name, number + 1)
    const { lie, said } = present
    return JSON.stringify(mapValues(json.value, `#${number} ${name} `, (path, value) => {
      said.set(path, value)
      return lie.get(path) ?? value
    }))
  }

  const through = (client: HttpClient.HttpClient): HttpClient.HttpClient =>
    HttpClient.transform(
      client,
      (response, request) =>
        Effect.flatMap(response, (answer) =>
          present === undefined
            ? Effect.succeed(answer)
            : Effect.map(answer.text, (text) =>
              HttpClientResponse.fromWeb(
                request,
                new Response(passOn(request, text), {
                  status: answer.status,
                  headers: { ...answer.headers },
                }),
              ))),
    )

  return {
    during: (doing, lie = new Map()) =>
      Effect.suspend(() => {
        const said = new Map<string, Schema.Json>()
        calls.clear()
        present = { said, lie }
        return Effect.map(doing, (done) => ({ done, said }))
      }).pipe(Effect.ensuring(Effect.sync(() => present = undefined))),
    between: (provider) =>
      Effect.flatMap(
        Effect.serviceOption(HttpClient.HttpClient),
        Option.match({
          onNone: () => provider,
          onSome: (client) => Effect.provideService(provider, HttpClient.HttpClient, through(client)),
        }),
      ),
  }
}
