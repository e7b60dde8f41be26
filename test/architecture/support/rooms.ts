import { documentAt } from "./source.ts"

/** A row of a table: a wing of `src/README.md`, or a room of a wing's own README. */
export interface Room {
  /** A folder or file below `src`; a room is a folder of its wing (`providers/guard`), or all folders there (`providers/*`). */
  readonly name: string
  /** The rows below it that it may import, by their names. */
  readonly mayImport: ReadonlyArray<string>
}

const words = (cell: string): ReadonlyArray<string> =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word)

/** The rows of a table of a document, the topmost first; a row can have several names. */
const rowsOf = (document: string, table: string): ReadonlyArray<Room> =>
  (documentAt(document)?.text ?? "").split(`<!-- ${table} -->`).at(1)?.split(`<!-- /${table} -->`).at(0)
    ?.split("\n")
    .flatMap((line) => {
      const cells = line.split("|")
      return words(cells[1] ?? "").map((name) => ({ name, mayImport: words(cells.at(-2) ?? "") }))
    }) ?? []

/** The wings of src, the topmost first, as `src/README.md` lists them. */
export const wings: ReadonlyArray<Room> = rowsOf("src/README.md", "wings")

const inWing = (wing: string) => (room: string): string => room === "." ? wing : `${wing}/${room}`

/** The rooms of each wing that has some, the topmost first, as the wing's README lists them. */
export const roomsOf = (wing: string): ReadonlyArray<Room> =>
  rowsOf(`src/${wing}/README.md`, "rooms").map(({ mayImport, name }) => ({
    name: inWing(wing)(name),
    mayImport: mayImport.map(inWing(wing)),
  }))

const roomsByWing = new Map(wings.map(({ name }) => [name, roomsOf(name)]))

export const rooms: ReadonlyArray<Room> = [...roomsByWing.values()].flat()

const fits = (name: string, path: string): boolean =>
  name.endsWith("/*")
    ? path.startsWith(name.slice(0, -1)) && path.slice(name.length - 1).includes("/")
    : path === name || path.startsWith(`${name}/`)

const depth = (name: string): number => name.split("/").length + (name.endsWith("*") ? -0.5 : 0)

const belowSrc = (path: string): string => path.slice("src/".length)

/** The wing of a file of src. Undefined where the table has none. */
export const wingOf = (path: string): Room | undefined => wings.find(({ name }) => fits(name, belowSrc(path)))

/** The room of a file of src: the innermost that it lies in. Undefined where its wing's table has none. */
export const roomOf = (path: string): Room | undefined =>
  rooms.filter(({ name }) => fits(name, belowSrc(path)))
    .toSorted((one, other) => depth(other.name) - depth(one.name))[0]

/** The folder of a room of the kind `providers/*` that a file lies in: no two of them know each other. */
const placeIn = (room: Room, path: string): string =>
  room.name.endsWith("/*") ? path.split("/").slice(0, room.name.split("/").length + 1).join("/") : room.name

const isInside = (inner: Room, outer: Room): boolean => inner.name.startsWith(`${outer.name}/`)

const mayImportRoom = (from: Room, fromPath: string, to: Room, toPath: string): boolean =>
  from === to
    ? placeIn(from, fromPath) === placeIn(to, toPath)
    : isInside(from, to) || isInside(to, from) || from.mayImport.includes(to.name)

/** Whether a file of src may import another one, by the tables of wings and of rooms. */
export const mayImport = (fromPath: string, toPath: string): boolean => {
  const [fromWing, toWing] = [wingOf(fromPath), wingOf(toPath)]
  if (fromWing !== toWing) return fromWing?.mayImport.some((name) => fits(name, belowSrc(toPath))) ?? false
  const [from, to] = [roomOf(fromPath), roomOf(toPath)]
  return from === undefined || to === undefined || mayImportRoom(from, fromPath, to, toPath)
}
