import { Predicate } from "effect"

/** An object of the document: what it has stands in no type, as the library's own types do not know what we add. */
export type Members = Readonly<Record<string, unknown>>

/** An object's members, each changed. */
export const mapMembers = (object: unknown, change: (member: unknown, name: string) => unknown): unknown =>
  Predicate.isObject(object)
    ? Object.fromEntries(Object.entries(object).map(([name, member]) => [name, change(member, name)]))
    : object

/** Every operation of the paths, changed. */
export const mapOperations = (
  paths: unknown,
  change: (operation: Members, path: string, method: string) => Members,
): unknown =>
  mapMembers(
    paths,
    (operations, path) =>
      mapMembers(
        operations,
        (operation, method) => Predicate.isObject(operation) ? change(operation, path, method) : operation,
      ),
  )
