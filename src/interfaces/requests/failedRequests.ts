import { Context, Effect, Option, Predicate, SchemaAST } from "effect"
import { type HttpApiEndpoint, OpenApi } from "effect/http-api"
import { HttpRouter, HttpServerRequest } from "effect/http"
import type { RequestErrors } from "#application/accounts/RequestErrors.ts"
import { idempotencyKeyHeader, NamesOfOpening } from "#api/Idempotency.ts"
import type { AccountId } from "#domain/accounts/Account.ts"
import { encodeNames, openNames } from "./rpcNames.ts"
import { providerTitle } from "#providers/Contacts.ts"
import { findAssetId } from "#domain/chains/Asset.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"

/** What a failed request is counted as, and what its problem says. */
export interface Failed {
  /** The failure by its name in the code, or the error of JSON-RPC by its number. */
  readonly kind: string
  readonly status: number
  readonly code?: string | undefined
  /** The names of the parameters at fault, as the caller wrote them. */
  readonly parameters: ReadonlyArray<string>
  readonly detail: string
  /** The provider that failed, by its title: it stands for the words of its upstream. */
  readonly provider?: string | undefined
}

/** A defect of ours. */
export const unexpected: Failed = { kind: "Unexpected", status: 500, parameters: [], detail: "" }

/** Counts the failure of a request whose account is known; requests of nobody are not counted. */
export const NoteFailure = Context.Reference<(failed: Failed) => Effect.Effect<void>>(
  "swap-broker/requests/NoteFailure",
  { defaultValue: () => () => Effect.void },
)

/** The name that stands for all names that the contract does not have: a caller makes them up. */
const otherName = "(other)"

/** Names that are in no schema: of the whole body, of the key, of the header, of a minimum (decision 15). */
const commonNames: ReadonlyArray<string> = [
  "body",
  "apiKey",
  idempotencyKeyHeader,
  "minimalAmount",
  "minimalAmountNative",
]

export const membersOf = (schema: unknown): ReadonlyArray<string> =>
  Predicate.hasProperty(schema, "ast") && SchemaAST.isAST(schema.ast) && SchemaAST.isObjects(schema.ast)
    ? schema.ast.propertySignatures.map(({ name }) => String(name))
    : []

const namesOf = ({ annotations, payload, query }: HttpApiEndpoint.Top): ReadonlySet<string> => {
  const bodies = [...payload.values()].flatMap((body) => "schemas" in body ? [...body.schemas] : [])
  return new Set([
    ...commonNames,
    ...openNames.values(),
    ...encodeNames.values(),
    ...Option.getOrElse(Context.getOption(annotations, NamesOfOpening), () => []),
    ...[query, ...bodies].flatMap(membersOf),
  ])
}

const knownNames = new WeakMap<HttpApiEndpoint.Top, ReadonlySet<string>>()

/** `namesOf`, once for each endpoint. */
const contractNames = (endpoint: HttpApiEndpoint.Top): ReadonlySet<string> => {
  const known = knownNames.get(endpoint) ?? namesOf(endpoint)
  knownNames.set(endpoint, known)
  return known
}

/** Texts and numbers of a JSON body. An open text ends with the body, or each of its quotes would be tried, for seconds. */
const jsonParts = /"((?:[^"\\]|\\.)*)(?:"|\\?$)|-?\d[\d.eE+-]*/gs

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** What the caller of this request made up: values of path, query, body and key, and unknown names; but no provider's. */
const madeUp = Effect.fnUntraced(function* (known: ReadonlySet<string>) {
  const request = yield* Effect.serviceOption(HttpServerRequest.HttpServerRequest)
  const route = yield* Effect.serviceOption(HttpRouter.RouteContext)
  if (Option.isNone(request) || Option.isNone(route)) return []
  const { headers, text, url } = request.value
  const body = yield* Effect.orElseSucceed(text, () => "")
  return [
    ...Object.values(route.value.params).map((value) => decoded(value ?? "")),
    ...[...new URL(url, "http://localhost").searchParams].flat(),
    ...[...body.matchAll(jsonParts)].map(([whole, inside]) => inside ?? whole),
    headers[idempotencyKeyHeader.toLowerCase()] ?? "",
  ].filter((text) => !known.has(text) && providerTitle(text) === text)
})

/** Counts failures of requests to an endpoint for the account that sends them. */
export const noteFor = (
  errors: RequestErrors["Service"],
  account: AccountId,
  endpoint: HttpApiEndpoint.Top,
) =>
({ kind, status, code, parameters, detail, provider }: Failed): Effect.Effect<void> => {
  const known = contractNames(endpoint)
  const failed = {
    account,
    endpoint: Context.getOption(endpoint.annotations, OpenApi.Identifier).pipe(
      Option.getOrElse(() => endpoint.identifier),
    ),
    status,
    ...defined({ code }),
    kind,
    parameters: [...new Set(parameters.map((name) => known.has(name) ? name : otherName))].toSorted(),
  }
  const example = provider === undefined
    ? Effect.map(madeUp(known), (values) => redactValues(detail, values))
    : Effect.succeed(`Provider: ${provider}`)
  return errors.note(failed, example)
}

/** The longest text that is kept, and the length from which on no word of ours is. */
const longestText = 300
const longestWord = 20

/** Where a value was. */
const gap = "…"

/** Text in quotes is somebody else's. */
const quoted = /"[^"]*"|“[^”]*”|`[^`]*`/g

const word = /^[a-zA-Z]+(?:['’-][a-zA-Z]+)*$/
/** A short number, as in "at most 995"; amounts, ids and addresses are longer or mixed with letters. */
const shortNumber = /^\d{1,4}$/
const edges = /^([(]*)(.*?)([.,:;!?)]*)$/s

/** Words this short are in nearly every value, and say nothing of it. */
const shortest = 3

const isOurs = (token: string, given: string): boolean => {
  if (findAssetId(token) !== undefined) return true
  if (shortNumber.test(token)) return !given.includes(token)
  if (!word.test(token) || token.length > longestWord) return false
  return token.length <= shortest || !given.includes(token.toLowerCase())
}

/** A problem's sentence without the request's values and anything like an address, amount, ID or secret. */
export const redactValues = (sentence: string, values: ReadonlyArray<string>): string => {
  const given = values.join("\n").toLowerCase()
  return sentence.slice(0, longestText).replace(quoted, gap).split(/\s+/).map((token) => {
    const [, before = "", inner = "", after = ""] = edges.exec(token) ?? []
    return inner === "" || inner === gap || isOurs(inner, given) ? token : `${before}${gap}${after}`
  }).join(" ").replace(/…(?: …)+/g, gap)
}
