import { Context, Effect, Fiber, Option, Predicate, Result, type SchemaAST } from "effect"
import type { HttpClientRequest } from "effect/http"
import type { MalformedBody, ProviderErrorReason } from "#domain/ProviderError.ts"

/** The way to a value in a body, from its root. */
export type Path = ReadonlyArray<string | number>

/** A value that does not fit the schema of its place. */
export interface Misfit {
  readonly path: Path
  /** `expected …, got …`, without anything long or secret of the value. */
  readonly detail: string
}

/** A value of a body that a provider has just read. */
export interface Reading {
  readonly schema: SchemaAST.AST
  /** Where the value stands in its body. */
  readonly at: Path
  readonly value: unknown
  /** All of them; none where the value was read. */
  readonly misfits: ReadonlyArray<Misfit>
}

/** Somebody who watches what upstreams answer, and how providers read it. */
export interface Witness {
  /** A call was answered, as `GET /v0/tokens` or with the name of a JSON-RPC method. */
  readonly answered: (call: string) => void
  /** Called by the fiber that got the answer. */
  readonly read: (reading: Reading) => void
  /** What is no reason to refuse the last answer, and tells that it is another than it was: `path: expected …, got …`. */
  readonly doubted: (detail: string) => void
}

/** The witness of this fiber's calls: rehearsals and API checks have one, calls for clients have none. */
export const CurrentWitness = Context.Reference<Witness | undefined>(
  "swap-broker/providers/upstream/witness/CurrentWitness",
  { defaultValue: () => undefined },
)

/** A check that refuses nothing and would cost every call: it is made where somebody watches, who is told of its fault. */
export const onlyWitnessed = (check: () => Result.Result<unknown, MalformedBody>): void => {
  const witness = currentWitness()
  if (witness === undefined) return
  const checked = check()
  if (Result.isFailure(checked)) witness.doubted(checked.failure.detail)
}

/** Whether the upstream is to be asked where an earlier answer is kept: a witness has to see what it says now. */
export const AsksAnew = Context.Reference<boolean>("swap-broker/providers/upstream/witness/AsksAnew", {
  defaultValue: () => false,
})

/**
 * Who is told how a quote came out of the version of its call that replaces the one in use: of a failure the reason. Only
 * rehearsals have one; a provider whose upstream has such a version asks for a quote of it then, too.
 */
export const NextVersion = Context.Reference<
  ((call: string, failure: ProviderErrorReason | undefined) => void) | undefined
>("swap-broker/providers/upstream/witness/NextVersion", { defaultValue: () => undefined })

/** What is kept, or for whom asks anew the answer to the question itself. */
export const unlessAnew = <A, E, R, E2, R2>(
  kept: Effect.Effect<A, E, R>,
  question: Effect.Effect<A, E2, R2>,
): Effect.Effect<A, E | E2, R | R2> =>
  Effect.flatMap(AsksAnew, (isAnew): Effect.Effect<A, E | E2, R | R2> => isAnew ? question : kept)

/** Whether the record that a status is asked with is made up, but for the name of the swap: the operator named no more. */
export const RecordIsMadeUp = Context.Reference<boolean>(
  "swap-broker/providers/upstream/witness/RecordIsMadeUp",
  { defaultValue: () => false },
)

/** Compares a status with the record that it was asked with: where there is one. */
export const againstRecord = <E, R>(comparison: Effect.Effect<void, E, R>): Effect.Effect<void, E, R> =>
  Effect.flatMap(RecordIsMadeUp, (isMadeUp) => isMadeUp ? Effect.void : comparison)

/** The witness of the fiber that is running: schemas are decoded in plain functions. */
export const currentWitness = (): Witness | undefined => Fiber.getCurrent()?.getRef(CurrentWitness)

/** No call of ours is longer. */
const longestCall = 20_000

/** The method of a JSON-RPC call; none for any other request. */
const rpcMethod = ({ body }: HttpClientRequest.HttpClientRequest): Option.Option<string> => {
  if (body._tag !== "Uint8Array" || body.body.byteLength > longestCall) return Option.none()
  const parsed = Result.try((): unknown => JSON.parse(new TextDecoder().decode(body.body)))
  if (Result.isFailure(parsed) || !Predicate.hasProperty(parsed.success, "method")) return Option.none()
  const { method } = parsed.success
  return Predicate.isString(method) ? Option.some(method) : Option.none()
}

/** A part of a path that names one thing, such as a transaction. A version is none. */
const isName = (part: string): boolean => part.length >= 24 || (/[0-9]/.test(part) && !/^v[0-9]$/.test(part))

/** The call of a request, the same for every call of its kind. Parts of the path that are ids, or keys, are left out. */
export const callOf = (request: HttpClientRequest.HttpClientRequest): string =>
  Option.getOrElse(rpcMethod(request), () => {
    const { pathname } = new URL(request.url)
    return `${request.method} ${pathname.split("/").map((part) => isName(part) ? "…" : part).join("/")}`
  })
