/** A value as JSON has it, with its members by name where it is an object or an array. */
const membersOf = (value: unknown): ReadonlyMap<string, unknown> | undefined =>
  typeof value === "object" && value !== null ? new Map(Object.entries(value)) : undefined

/** The fee types of version 1 that version 2 shows as `network` with a `purpose`. */
const renamedTypes: ReadonlySet<unknown> = new Set(["provider", "refund"])

/**
 * Where the new version shows something else than the old one, by path. What the new one adds is no difference, nor
 * are the types of fees that are shown as `network` now.
 */
export const differences = (old: unknown, fresh: unknown, path = ""): ReadonlyArray<string> => {
  const before = membersOf(old)
  const after = membersOf(fresh)
  if (before === undefined || after === undefined) {
    return Object.is(old, fresh)
      ? []
      : [`${path}: ${JSON.stringify(old)}, and ${JSON.stringify(fresh)} in the new version`]
  }
  return [...before].flatMap(([name, value]) => {
    const isRenamed = name === "type" && renamedTypes.has(value) && after.get("type") === "network" &&
      after.get("purpose") === value
    return isRenamed ? [] : differences(value, after.get(name), `${path}/${name}`)
  }).concat(
    Array.isArray(old) && before.size !== after.size
      ? [`${path}: ${before.size} and ${after.size} entries`]
      : [],
  )
}
