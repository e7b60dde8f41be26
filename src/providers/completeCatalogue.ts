import { Effect, Option, Result, Schema, SchemaIssue } from "effect"
import { readOnly, SettingsWrong } from "#infrastructure/config/read.ts"
import { optionalSetting } from "#infrastructure/config/Setting.ts"
import { JsonText, repeatedMembers } from "#domain/JsonText.ts"
import { addRows, CatalogueRows } from "#domain/chains/catalogue/Catalogue.ts"
import { ProviderDefinitions } from "./mod.ts"

/** The file of the operator's rows. Its content is read by `completeCatalogue`, before any other setting. */
export const catalogueFile = optionalSetting({
  name: "CATALOGUE_FILE",
  unset: "the chains and assets of this build and of its providers",
  schema: Schema.NonEmptyString,
  expected: "the path of a file",
  meaning:
    "JSON file of further `chains` and `assets` (`domain/chains/catalogue/README.md`), read at the start. Keep each " +
    "asset in it while there are records of it, or the service does not start",
})

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const readRows = Schema.decodeUnknownResult(Schema.fromJsonString(CatalogueRows), {
  errors: "all",
  onExcessProperty: "error",
})

/** Every fault of a file's content, each with its place in the file. */
const faultsIn = (text: string): Result.Result<CatalogueRows, ReadonlyArray<string>> =>
  Result.flatMap(wellFormed(text), (rows) => {
    const twice = repeatedMembers(JsonText.make(text))
    return twice.length === 0 ? Result.succeed(rows) : Result.fail(
      twice.map((path) => `${path}: stands twice, and only one of the two would count`),
    )
  })

const wellFormed = (text: string): Result.Result<CatalogueRows, ReadonlyArray<string>> =>
  Result.mapError(
    readRows(text),
    ({ issue }) =>
      format(issue).issues.map(({ message, path = [] }) =>
        path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`
      ),
  )

const said = (whose: string, faults: ReadonlyArray<string>): ReadonlyArray<string> =>
  faults.map((fault) => `${whose}: ${fault}`)

/** The faults of the operator's rows, which are added where there are none. */
const operatorsFaults = Effect.fnUntraced(function* (path: string) {
  const text = yield* Effect.tryPromise({
    try: () => Deno.readTextFile(path),
    catch: (cause) => new SettingsWrong({ issues: [`CATALOGUE_FILE cannot be read: ${cause}`] }),
  })
  const faults = Result.match(faultsIn(text), {
    onFailure: (faults) => faults,
    onSuccess: (rows) => addRows(rows, "CATALOGUE_FILE"),
  })
  return said("CATALOGUE_FILE", faults)
})

/** Adds the rows of providers and `CATALOGUE_FILE`, before any part reads the list. Contradictions stop the start. */
export const completeCatalogue: Effect.Effect<void, SettingsWrong> = Effect.gen(function* () {
  const ofProviders = (yield* ProviderDefinitions).flatMap((definition) => {
    const whose = `the provider ${definition.name}`
    return said(whose, addRows(definition, whose))
  })
  const path = yield* readOnly(catalogueFile)
  const issues = [...ofProviders, ...(Option.isSome(path) ? yield* operatorsFaults(path.value) : [])]
  if (issues.length > 0) return yield* new SettingsWrong({ issues })
})
