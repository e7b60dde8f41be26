import { Context, Effect, Option, Schema } from "effect"
import { Command, type Param } from "effect/cli"
import { OpenApi } from "effect/http-api"
import { CommandFailed } from "./failures.ts"
import { answerTo, asWritten, type Endpoint, type Given, readAs } from "./OperatorClient.ts"
import { type Columns, print, prints, table } from "./output.ts"

/** Shows an answer, given as its JSON, to people. */
export type View = (text: string) => Effect.Effect<string, CommandFailed>

export const view = <A>(schema: Schema.Decoder<A>, show: (body: A) => string): View => {
  const read = readAs(schema)
  return (text) => Effect.map(read(text), show)
}

/** A table of an answer, be it a list or one item; `none` stands for an empty list. */
export const rows = <A>(schema: Schema.Decoder<A>, columns: Columns<A>, none = ""): View =>
  view(Schema.ArrayEnsure(schema), (all) => all.length === 0 ? none : table(columns, all))

/** Asks for an act and prints the answer: to people by its view, to scripts as it came. */
export const perform = Effect.fnUntraced(
  function* (endpoint: Endpoint, given: Given, shows: View, most?: number) {
    const text = yield* answerTo(endpoint, given, most)
    yield* print(yield* asWritten(text), yield* shows(text))
  },
)

export const answers = (...endpoints: ReadonlyArray<Endpoint>) =>
  prints(
    endpoints.map(({ method, path }) => `\`${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}\``).join(" or "),
  )

/** A command that only holds others. */
export const group = <const Commands extends ReadonlyArray<Command.Command.SubcommandEntry>>(
  name: string,
  about: string,
  commands: Commands,
) => Command.make(name).pipe(Command.withDescription(about), Command.withSubcommands(commands))

type Part<S extends Schema.Top> = [S] extends [never] ? unknown : S["Type"]

/** The members of an endpoint's requests, wherever they travel. */
type Members<E extends Endpoint> =
  & Part<E["~Params"]>
  & Part<E["~Query"]>
  & Part<E["~Payload"]>
  & Part<E["~Headers"]>

type MemberName<E extends Endpoint> = keyof Members<E> & string

/** How an act of the contract is typed, and how its answer is shown. */
interface Typed<E extends Endpoint> {
  /** The arguments and flags, by the members of the request that they stand for. */
  readonly takes?: { readonly [Name in MemberName<E>]?: Param.Any }
  /** Members that every request has. */
  readonly always?: Partial<Members<E>>
  readonly shows: View
  /** What it does, where the contract's own summary is not all. */
  readonly about?: string
  readonly examples?: ReadonlyArray<string>
  /** What to say where none of the flags is given, if one has to be. */
  readonly nothing?: string
}

const valueOf = (flag: unknown): unknown => Option.isOption(flag) ? Option.getOrUndefined(flag) : flag

export const givenOf = (flags: Readonly<Record<string, unknown>>): Given =>
  Object.fromEntries(
    Object.entries(flags)
      .map(([name, flag]) => [name, valueOf(flag)] as const)
      .filter(([, value]) => value !== undefined),
  )

/** The command for an act of the contract. A list that has no limit is read to its end. */
export const act = <E extends Endpoint>(name: string, endpoint: E, typed: Typed<E>) => {
  const { about, always = {}, examples = [], nothing, shows } = typed
  const takes: Readonly<Record<string, Param.Any>> = { ...typed.takes }
  const isOptional = (name: string) => takes[name]?.kind === "flag"
  return Command.make(
    name,
    takes,
    Effect.fnUntraced(function* (flags) {
      const given = givenOf(flags)
      if (nothing !== undefined && !Object.keys(given).some(isOptional)) {
        return yield* new CommandFailed({ kind: "usage", detail: nothing })
      }
      const { limit } = given
      yield* perform(endpoint, { ...always, ...given }, shows, typeof limit === "number" ? limit : undefined)
    }),
  ).pipe(
    Command.withDescription(
      about ?? Option.getOrElse(Context.getOption(endpoint.annotations, OpenApi.Summary), () => ""),
    ),
    Command.withExamples(examples.map((command) => ({ command }))),
    answers(endpoint),
  )
}
