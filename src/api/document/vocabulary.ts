import wordsByName from "./words.json" with { type: "json" }

/**
 * The descriptions of members that many bodies have, and of those that are the domain's own: a name means the same
 * everywhere. `Component.name` is for one component alone. They apply where a schema has no description of its own.
 */
const words: Readonly<Record<string, string>> = wordsByName

/** Members that are twins of another one, by the endings of their names. */
const twins: ReadonlyArray<readonly [ending: string, description: (base: string) => string]> = [
  ["Native", (base) => `\`${base}\` in the smallest unit of its asset.`],
  ["Date", (base) => `The same instant as \`${base}\`, in ISO 8601 with offset.`],
  ["BlockIndex", (base) => `State-chain block and index of \`${base}At\`, as \`<block>-<index>\`.`],
]

const ofTwin = (name: string): string | undefined => {
  const [ending, description] = twins.find(([ending]) => name.endsWith(ending)) ?? []
  return ending === undefined ? undefined : description?.(name.slice(0, -ending.length))
}

/** The description of a component's member, if its name has one. */
export const descriptionOf = (component: string | undefined, name: string): string | undefined =>
  words[`${component}.${name}`] ?? words[name] ?? ofTwin(name)
