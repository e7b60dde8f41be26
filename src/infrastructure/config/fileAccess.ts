import { fileVariable, given, type Variables } from "./given.ts"
import settingsPage from "./settings.md" with { type: "text" }
import tuningPage from "./tuning.md" with { type: "text" }

/** The settings that decide which files a process uses. */
const fileSettings = [
  "CATALOGUE_FILE",
  "CREDENTIALS_DIRECTORY",
  "DATA_DIR",
  "DATABASE_URL",
  "MODE",
  "SANDBOX_URL",
] as const
type FileSettings = Readonly<Partial<Record<typeof fileSettings[number], string>>>

/** The texts of those settings. What is wrong with one the program itself will say. */
const textsIn = (variables: Variables): FileSettings =>
  Object.fromEntries(fileSettings.flatMap((name) => {
    const text = given(name, variables)
    return typeof text === "string" ? [[name, text]] : []
  }))

/** Names of variables with the file of a setting, from the pages: to load all settings takes longer than the rest of a start. */
const nameOfFile = new RegExp(
  `^(?:${
    [...`${settingsPage}${tuningPage}`.matchAll(/^\| `(\w+(?:<CHAIN>)?)` \|/gm)]
      .map(([, name = ""]) => fileVariable(name.replace("<CHAIN>", "\\w+"))).join("|")
  })$`,
)

const valueFiles = (variables: Variables): ReadonlyArray<string> =>
  Object.entries(variables).flatMap(([name, path]) => path?.trim() && nameOfFile.test(name) ? path : [])

/** Programs that may keep something in `DATA_DIR`. */
export type Program = "service" | "sandbox"

/** The files that a process may read and write: lists of paths, as Deno's permissions take them. */
export interface FileAccess {
  readonly read: string
  readonly write: string
}

/** The folders that the embedded database loads its program and libraries from. */
const code = ["./node_modules", "./src", "./migrations"]

/** A path for an empty list, which Deno does not accept. */
export const noFiles = Deno.build.os === "windows" ? "NUL" : "/dev/null"

const listOf = (paths: ReadonlyArray<string>): string =>
  paths.length === 0 ? noFiles : paths.map((path) => path.replaceAll(",", ",,")).join(",")

/** The parameters of a Postgres URL that name files. */
const fileParameters = ["sslrootcert", "sslcert", "sslkey"]

const certificates = ({ DATABASE_URL = "" }: FileSettings): ReadonlyArray<string> =>
  URL.canParse(DATABASE_URL)
    ? fileParameters.flatMap((name) => new URL(DATABASE_URL).searchParams.get(name) || [])
    : []

/** Whether the networks are simulated in the process itself. */
const simulates = (program: Program, { MODE, SANDBOX_URL }: FileSettings): boolean =>
  program === "sandbox" || (MODE !== "live" && !SANDBOX_URL)

/** The files a program needs with these settings: embedded data in `DATA_DIR`, certificates, settings. */
export const fileAccess = (program: Program, variables: Variables): FileAccess => {
  const settings = textsIn(variables)
  const isEmbedded = program === "service" && !settings.DATABASE_URL
  const folder = settings.DATA_DIR || "./data"
  const isKept = folder !== "memory" && (isEmbedded || simulates(program, settings))
  const kept = isKept ? [folder] : []
  const read = isEmbedded ? code : program === "service" ? certificates(settings) : []
  const credentials = settings.CREDENTIALS_DIRECTORY ? [settings.CREDENTIALS_DIRECTORY] : []
  const catalogue = settings.CATALOGUE_FILE ? [settings.CATALOGUE_FILE] : []
  return {
    read: listOf([...read, ...credentials, ...valueFiles(variables), ...catalogue, ...kept]),
    write: listOf(kept),
  }
}

/** The arguments that give a program its files, before its name. */
export const fileArguments = (program: Program, variables: Variables): ReadonlyArray<string> => {
  const { read, write } = fileAccess(program, variables)
  return [`--allow-read=${read}`, `--allow-write=${write}`]
}

/*
 * As a program, prints the files that a program may read or write, for its task: permissions are fixed when a program
 * starts, and DATA_DIR can be anywhere. The service reads its log's terminal itself, so it runs behind no pipe.
 */
if (import.meta.main) {
  const [program, way] = Deno.args
  if ((program !== "service" && program !== "sandbox") || (way !== "read" && way !== "write")) {
    console.error("Usage: fileAccess.ts service|sandbox read|write")
    Deno.exit(2)
  }
  console.log(fileAccess(program, Deno.env.toObject())[way])
}
