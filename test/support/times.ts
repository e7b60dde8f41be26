/** The document that says how long each folder of tests takes. */
export const timesPlace = new URL("../times.md", import.meta.url)

/** A file of tests, its path below `test/`. */
interface Timed {
  readonly path: string
  readonly tests: number
  readonly seconds: number
}

/** Folders of rooms, each with a time of its own. */
const wings: ReadonlyArray<string> = ["application", "infrastructure", "interfaces", "tools"]

/** The folder of tests that a path below `test/` lies in: in some wings a room, else the topmost one. */
export const folderOf = (path: string): string => {
  const [wing = "", room = ""] = path.split("/")
  return wings.includes(wing) ? `${wing}/${room}` : wing
}

const sum = (files: ReadonlyArray<Timed>, of: "tests" | "seconds"): number =>
  files.reduce((total, file) => total + file[of], 0)

const cells = (files: ReadonlyArray<Timed>): string =>
  files.length === 0 ? " | " : `${sum(files, "tests")} | ${sum(files, "seconds").toFixed(1)}`

/** The document: a row a folder, the slowest first, with its tests and seconds in each gate. */
export const timesOf = (gate: ReadonlyArray<Timed>, long: ReadonlyArray<Timed>): string => {
  const folders = [...new Set([...gate, ...long].map(({ path }) => folderOf(path)))].map((folder) => {
    const [own, ownLong] = [gate, long].map((files) => files.filter((file) => folderOf(file.path) === folder))
    return { folder, gate: own ?? [], long: ownLong ?? [] }
  })
  const secondsOf = (row: typeof folders[number]) => sum(row.gate, "seconds") + sum(row.long, "seconds")
  return [
    "# How long the tests take",
    "",
    "The seconds of all files of a folder, added up, on two quiet cores; up to three files run at a time.",
    "`deno task times` wrote it.",
    "",
    "| folder | tests | seconds | long tests | seconds |",
    "|---|---|---|---|---|",
    ...folders.toSorted((one, other) => secondsOf(other) - secondsOf(one)).map((row) =>
      `| \`${row.folder}/\` | ${cells(row.gate)} | ${cells(row.long)} |`
    ),
    `| all | ${cells(gate)} | ${cells(long)} |`,
    "",
  ].join("\n")
}
