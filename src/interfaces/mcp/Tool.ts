import { Context, Effect, Layer, Option, Predicate, Schema } from "effect"
import { McpSchema, McpServer } from "effect/ai"
import { authorise } from "../requests/authorise.ts"
import { RequestErrors } from "#application/accounts/RequestErrors.ts"
import { CurrentAccount } from "#api/Authorization.ts"
import type { Scope } from "#domain/accounts/Key.ts"
import { Unexpected } from "../requests/problems.ts"
import { logFailure, traceId } from "../requests/failedRequests.ts"
import { OnBehalfOf } from "#infrastructure/platform/Bulkhead.ts"
import { type Agent, currentAgent } from "./authenticateAgent.ts"
import { type Json, jsonSchemaOf, toJson, toMembers } from "./json.ts"
import { listed, type ListedSchemas } from "./listing.ts"
import { encodeRefusal, type Refusal, refusalOf, type ToolFailure } from "./refusals.ts"
import { minimumKeyLength } from "#application/accounts/ApiKey.ts"
import { combineIssues, hasIssues, InvalidRequest, issueAbout, type Issues } from "#domain/Issues.ts"
import { withoutExponent } from "#domain/money/Decimal.ts"
import { type RawParameters, readerOf } from "../requests/parameterIssues.ts"
import { meansTag, nearMiss, tagRefusal } from "../requests/nearNames.ts"
import { relativeTime } from "#domain/durationText.ts"
import { EpochMillis, toIsoDate } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"

/** A text beside a time, by the ending of its name. */
const texts = { Date: (at: number) => toIsoDate(EpochMillis.make(at)), Relative: relativeTime } as const

type Ending = keyof typeof texts

/** What stands beside a time, and whether it is over: then it is never told to come, though a network's clock may be ahead. */
interface Beside {
  readonly endings: ReadonlyArray<Ending>
  readonly isOver: boolean
}

const whole: Beside = { endings: ["Date", "Relative"], isOver: false }

/** The members of answers that are times: those of REST in milliseconds of the epoch, our own in ISO 8601. */
const timeLabels: ReadonlyMap<string, Beside> = new Map([
  ["expiresAt", whole],
  ["expectedBy", whole],
  ["since", { ...whole, isOver: true }],
  // The sandbox's clock, which runs ahead of ours.
  ["timeMillis", { endings: ["Date"], isOver: false }],
  ["depositUntil", { endings: ["Relative"], isOver: false }],
  ["openedAt", { endings: ["Relative"], isOver: true }],
  ["changedAt", { endings: ["Relative"], isOver: true }],
  ["at", { endings: ["Relative"], isOver: true }],
])

const instantOf = (value: Json): Option.Option<EpochMillis> =>
  Option.flatMap(
    Option.liftPredicate(Predicate.isNumber)(Predicate.isString(value) ? Date.parse(value) : value),
    EpochMillis.makeOption,
  )

const textsBeside = (name: string, value: Json, now: EpochMillis): ReadonlyArray<readonly [string, Json]> => {
  const beside = timeLabels.get(name)
  const at = instantOf(value)
  if (beside === undefined || Option.isNone(at)) return []
  const { endings, isOver } = beside
  const told = (ending: Ending) =>
    texts[ending](ending === "Relative" && isOver ? Math.min(at.value, now) : at.value, now)
  return endings.map((ending) => [`${name}${ending}`, told(ending)])
}

/** The member of answers that is what REST answers, and stays so. */
const ofRest = "full"

type Members = { readonly [name: string]: Json }

const membersWithTexts = (json: Members, now: EpochMillis): Members =>
  Object.fromEntries(
    Object.entries(json).flatMap(([name, value]) => [
      [name, name === ofRest ? value : withTexts(value, now)] as const,
      ...textsBeside(name, value, now),
    ]),
  )

const withTexts = (json: Json, now: EpochMillis): Json => {
  if (Array.isArray(json)) return json.map((one) => withTexts(one, now))
  return Predicate.isObject(json) ? membersWithTexts(json, now) : json
}

/** An answer with its times readable beside them, as of now: an answer that is kept has none of these texts yet. */
export const withReadableTimes = (body: Members): Effect.Effect<Members> =>
  Effect.map(currentMillis, (now) => membersWithTexts(body, now))

/** The answer of a tool: its body, and what a client shows beside it. */
export interface ToolAnswer {
  readonly body: { readonly [name: string]: Json }
  readonly shown?: ReadonlyArray<McpSchema.ContentBlock>
}

/** What a call does to money, as hints for clients that ask before they call. */
export type Effects = "reads" | "prepares" | "opens" | "simulates"

const hints = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  // Another call gives another confirmation, and nothing comes of either by itself.
  prepares: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  opens: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  simulates: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
} as const satisfies Readonly<Record<Effects, unknown>>

/** The services that a function of a tool asks, besides those of each call. */
export type Asks<F extends (...given: ReadonlyArray<never>) => Effect.Effect<unknown, unknown, unknown>> =
  Exclude<Effect.Services<ReturnType<F>>, CurrentAccount | McpSchema.McpRequestContext>

/** A tool. `R` are the services that it asks. */
export interface Tool<R> {
  /** Named as clients call it. */
  readonly name: string
  readonly title: string
  /** What it does, for a model: when to call it, and what comes next. */
  readonly description: string
  /** The scope that a key needs for it. Without it the tool is not there for that key. */
  readonly scope: Scope
  readonly effects: Effects
  readonly input: Schema.Constraint
  readonly output: Schema.Constraint
  readonly perform: (given: unknown) => Effect.Effect<
    ToolAnswer | McpSchema.InputRequired,
    ToolFailure,
    R | CurrentAccount | McpSchema.McpRequestContext
  >
}

/** How much a tool tells: little, so that the model's memory lasts, or everything that REST tells. */
export const Detail = Schema.Literals(["slim", "full"]).annotate({
  description: "full: all that REST answers, too.",
  message: "must be slim or full",
})

/** A body of the contract as REST returns it. Tools name its endpoint only, which keeps listings small. */
export const bodyOf = (endpoint: string) =>
  Schema.Record(Schema.String, Schema.Unknown).annotate({ description: `${endpoint} of /openapi.json.` })

/** Makes the writer of a tool's answers by the schema of its output; members that it does not have are left out. */
export const answerBy = <A>(
  schema: Schema.Codec<A, unknown>,
  tidied: (json: Json) => Json = (json) => json,
) => {
  const encode = Schema.encodeSync(schema)
  return (body: A): ToolAnswer => ({ body: toMembers(tidied(toJson(encode(body)))) })
}

const textOf = (text: string): McpSchema.ContentBlock => McpSchema.TextContent.make({ text })

const completed = Effect.fnUntraced(function* (answer: ToolAnswer | McpSchema.InputRequired) {
  if (answer instanceof McpSchema.InputRequired) return answer
  const { body, shown = [] } = answer
  const content = yield* withReadableTimes(body)
  return new McpSchema.CallToolResult({
    content: [textOf(JSON.stringify(content)), ...shown],
    structuredContent: content,
    isError: false,
  })
})

/** Makes the count of a tool's refused calls for their accounts, by the names of its arguments and without values. */
const refusalNotes = (
  errors: RequestErrors["Service"],
  { input, name }: Pick<Tool<never>, "input" | "name">,
) => {
  const { properties } = { properties: {}, ...jsonSchemaOf(input) }
  const known = new Set(Object.keys({ ...properties }))
  return ({ caller }: Agent, kind: string, { errors: issues = {}, status }: Refusal) => {
    const parameters = Object.keys(issues).map((parameter) => known.has(parameter) ? parameter : "(other)")
    return errors.note({
      account: caller.id,
      endpoint: `mcp ${name}`,
      status,
      kind,
      parameters: [...new Set(parameters)].toSorted(),
    }, Effect.succeed(""))
  }
}

/** Registers a tool: for keys with its scope, each call on behalf of its account. */
const register = <R>(tool: Tool<R>, schemas: ListedSchemas) =>
  Effect.gen(function* () {
    const server = yield* McpServer.McpServer
    const note = refusalNotes(yield* RequestErrors, tool)
    const services = yield* Effect.context<R>()

    const refused = Effect.fnUntraced(function* (failure: ToolFailure, agent: Agent) {
      const refusal = refusalOf(failure, yield* traceId)
      if (refusal.status >= 500 && failure._tag !== "NotConfirmed" && failure._tag !== "Refused") {
        yield* logFailure(failure)
      }
      yield* note(agent, failure._tag, refusal)
      // A state of a question that is not ours is the client's fault, about which a model can do nothing.
      if (failure._tag === "NotConfirmed" && failure.reason === "unasked") {
        return yield* new McpSchema.InvalidParams({ message: `${refusal.detail}. ${refusal.nextStep}` })
      }
      const content = yield* withReadableTimes(toMembers(encodeRefusal(refusal)))
      return new McpSchema.CallToolResult({ content: [textOf(JSON.stringify(content))], isError: true })
    })

    const handle = (given: unknown) =>
      Effect.flatMap(currentAgent, (agent) =>
        Effect.gen(function* () {
          const denied = authorise(agent.caller, { scopes: [tool.scope], origin: undefined })
          if (denied !== undefined) return yield* denied
          return yield* tool.perform(given)
        }).pipe(
          Effect.flatMap(completed),
          Effect.provideContext(services),
          Effect.provideService(CurrentAccount, agent.caller),
          Effect.provideService(OnBehalfOf, agent.caller.id),
          Effect.catchDefect((defect) =>
            Effect.andThen(
              Effect.logError("Internal error in an MCP tool", defect),
              Effect.fail(new Unexpected()),
            )
          ),
          Effect.catch((failure) => refused(failure, agent)),
        ))

    yield* server.addTool({
      tool: new McpSchema.Tool({
        name: tool.name,
        title: tool.title,
        description: tool.description,
        ...schemas,
        annotations: hints[tool.effects],
      }),
      annotations: Context.empty(),
      services: yield* Effect.context<never>(),
      handle,
    })
  })

/** Shows registrations to keys that have a scope. */
export const forScope = (scope: Scope) =>
  McpServer.visibility(() => Effect.map(currentAgent, ({ caller }) => caller.scopes.includes(scope)))

export const toolsLayer = <R>(tools: ReadonlyArray<Tool<R>>) =>
  listed(tools).map(({ schemas, tool }) =>
    Layer.effectDiscard(register(tool, schemas)).pipe(Layer.provide(forScope(tool.scope).layer))
  ).reduce((before, next) => Layer.provideMerge(next, before), Layer.empty)

/** The digits up to which a double prints every decimal as it was written. */
const exactDigits = 15

/** The most unknown names that are repeated. */
const mostNames = 20

/** The most characters of a name that is repeated because there is more to say of it. */
const longestNear = 64

const which = (names: ReadonlyArray<string>): string => `of this tool, which takes ${names.join(", ")}`

/** An issue of a name that the tool does not have. A name that is long enough to be an API key is not repeated. */
const unknownName = (name: string, names: ReadonlyArray<string>): Issues => {
  const hint = meansTag(name) ? tagRefusal(name) : nearMiss(name, names)
  const isRepeated = name.length < (hint === undefined ? minimumKeyLength : longestNear)
  return issueAbout(
    isRepeated ? name : `(a name of ${name.length} characters, too long to repeat)`,
    hint ?? (isRepeated ? "is no argument of this tool" : `is no argument ${which(names)}`),
  )
}

/** The issues of all names that the tool does not have. Those that are not repeated are counted. */
const unknownNames = (unknown: ReadonlyArray<string>, names: ReadonlyArray<string>): Issues => {
  const left = unknown.length - mostNames
  return combineIssues([
    ...unknown.slice(0, mostNames).map((name) => unknownName(name, names)),
    ...(left > 0 ? [issueAbout(`(${left} further)`, `are no arguments ${which(names)}`)] : []),
  ])
}

/** A number as the text that stands for it in the contract; none where digits may have been lost on the way. */
const textOfNumber = (number: number): string | undefined => {
  const text = withoutExponent(`${number}`)
  const digits = text.replace(/[-.]/g, "").replace(/^0+/, "").length
  return Number.isSafeInteger(number) || digits <= exactDigits ? text : undefined
}

interface Read {
  readonly raw: RawParameters
  readonly issues: Issues
}

/**
 * Makes the reader of a tool's arguments: as they came, each as text, or all issues of their names and digits; null is
 * absent. Unknown names are refused: one may be a limit.
 */
export const rawReader = (names: ReadonlyArray<string>) => (given: unknown): Read => {
  const members = Predicate.isObject(given) ? Object.entries(given).filter(([, value]) => value !== null) : []
  const unknown = members.map(([name]) => name).filter((name) => !names.includes(name))
  const inexact = members.flatMap(([name, value]) =>
    Predicate.isNumber(value) && textOfNumber(value) === undefined ? [name] : []
  )
  return {
    raw: Object.fromEntries(
      members.filter(([name]) => names.includes(name) && !inexact.includes(name)).map(([name, value]) => [
        name,
        Predicate.isNumber(value) ? textOfNumber(value) : value,
      ]),
    ),
    issues: combineIssues([
      unknownNames(unknown, names),
      ...inexact.map((name) =>
        issueAbout(name, "has more digits than a JSON number keeps; write it as text")
      ),
    ]),
  }
}

/** The schemas of arguments, none of which needs a service to be read. */
type Fields = Readonly<Record<string, Schema.Codec<unknown, unknown>>>

/** Makes the reader of the arguments of a schema, which fails with everything that is wrong with them. */
export const argumentsReader = <F extends Fields>(schema: Schema.Struct<F>) => {
  const reader = readerOf(schema)
  const parametersOf = rawReader(Object.keys(schema.fields))
  return (given: unknown) => {
    const { issues, raw } = parametersOf(given)
    const whole = reader.whole(raw)
    if (Option.isSome(whole) && !hasIssues(issues)) return Effect.succeed(whole.value)
    const misread = Option.isSome(whole) ? [] : [reader.part(raw).issues]
    return Effect.fail(new InvalidRequest({ errors: combineIssues([issues, ...misread]) }))
  }
}
