import { documentAt } from "./source.ts"

/** A row of the table of rooms in `src/README.md`. */
export interface Room {
  /** A folder of src, one of its files, or all folders of a folder (`providers/*`). */
  readonly name: string
  /** All names of a row are one room that lies in several places. */
  readonly row: string
  readonly mayImport: ReadonlyArray<string>
}

const words = (cell: string): ReadonlyArray<string> =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word)

const row = (line: string): ReadonlyArray<Room> => {
  const [, names = "", , mayImport = ""] = line.split("|")
  return words(names).map((name) => ({ name, row: names, mayImport: words(mayImport) }))
}

/** The rooms of src, the topmost first, as `src/README.md` lists them: which it is for, and which it may import. */
export const rooms: ReadonlyArray<Room> = (documentAt("src/README.md")?.text ?? "")
  .split("<!-- rooms -->").at(1)?.split("<!-- /rooms -->").at(0)?.split("\n").flatMap(row) ?? []

const fits = (name: string, path: string): boolean =>
  name.endsWith("/*")
    ? path.startsWith(name.slice(0, -1)) && path.slice(name.length - 1).includes("/")
    : path === name || path.startsWith(`${name}/`)

const depth = (name: string): number => name.split("/").length + (name.endsWith("*") ? -0.5 : 0)

/** The room of a file of src: the innermost that it lies in. Undefined where the table has none. */
export const roomOf = (path: string): Room | undefined => {
  const below = path.slice("src/".length)
  return rooms.filter(({ name }) => fits(name, below))
    .toSorted((one, other) => depth(other.name) - depth(one.name))[0]
}

/** The folder of a room of the kind `providers/*` that a file lies in: no two of them know each other. */
const placeIn = (room: Room, path: string): string =>
  room.name.endsWith("/*") ? path.split("/").slice(0, room.name.split("/").length + 1).join("/") : room.name

const isInside = (inner: Room, outer: Room): boolean => inner.name.startsWith(`${outer.name}/`)

/** Whether a file of one room may import a file of another one. */
export const mayImport = (from: Room, fromPath: string, to: Room, toPath: string): boolean =>
  from === to
    ? placeIn(from, fromPath) === placeIn(to, toPath)
    : from.row === to.row || isInside(from, to) || isInside(to, from) || from.mayImport.includes(to.name)
