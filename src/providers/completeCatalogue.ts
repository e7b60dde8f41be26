import { Effect, Option, Result, Schema, SchemaIssue } from "effect"
import { readOnly, SettingsWrong } from "../config/read.ts"
import { optionalSetting } from "../config/Setting.ts"
import { addRows, CatalogueRows } from "../domain/catalogue/Catalogue.ts"
import { ProviderDefinitions } from "./mod.ts"

/** The file of the operator's rows. Its content is read by `completeCatalogue`, before any other setting. */
export const catalogueFile = optionalSetting({
  name: "CATALOGUE_FILE",
  unset: "the chains and assets of this build and of its providers",
  schema: Schema.NonEmptyString,
  expected: "the path of a file",
  meaning:
    "JSON file of further `chains` and `assets`, each a row by its name (`domain/catalogue/README.md`): read once, at the " +
    "start. A row stays there as long as there are records of its asset: else the service does not start",
})

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const readRows = Schema.decodeUnknownResult(Schema.fromJsonString(CatalogueRows), {
  errors: "all",
  onExcessProperty: "error",
})

/** Every fault of a file's content, each with its place in the file. */
const faultsIn = (text: string): Result.Result<CatalogueRows, ReadonlyArray<string>> =>
  Result.mapError(
    readRows(text),
    ({ issue }) =>
      format(issue).issues.map(({ message, path = [] }) =>
        path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`
      ),
  )

const refuse = (whose: string, faults: ReadonlyArray<string>): Effect.Effect<void, SettingsWrong> =>
  faults.length === 0
    ? Effect.void
    : Effect.fail(new SettingsWrong({ issues: faults.map((fault) => `${whose}: ${fault}`) }))

const operatorsRows = Effect.fnUntraced(function* (path: string) {
  const text = yield* Effect.tryPromise({
    try: () => Deno.readTextFile(path),
    catch: (cause) => new SettingsWrong({ issues: [`CATALOGUE_FILE cannot be read: ${cause}`] }),
  })
  const rows = faultsIn(text)
  if (Result.isFailure(rows)) return yield* refuse("CATALOGUE_FILE", rows.failure)
  yield* refuse("CATALOGUE_FILE", addRows(rows.success))
})

/**
 * Completes the catalogue with the rows of the providers and those of `CATALOGUE_FILE`. A program does so before it loads
 * any part that reads the whole list, such as the contract. A row that contradicts another stops the start, with every
 * fault named.
 */
export const completeCatalogue: Effect.Effect<void, SettingsWrong> = Effect.gen(function* () {
  for (const definition of yield* ProviderDefinitions) {
    yield* refuse(`The provider ${definition.name}`, addRows(definition))
  }
  const path = yield* readOnly(catalogueFile)
  if (Option.isSome(path)) yield* operatorsRows(path.value)
})
