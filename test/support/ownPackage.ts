import type { Plugin } from "vitest/config"
import manifest from "../../deno.json" with { type: "json" }

const checkout = new URL("../../", import.meta.url)

const pathOf = (place: string): string => new URL(place, checkout).pathname

const exported = new Map(
  Object.entries(manifest.exports).map(([name, path]) => [`${manifest.name}${name.slice(1)}`, pathOf(path)]),
)

/** The names of our own modules in the imports of deno.json, the longest first, as that is the one which holds. */
const aliases = Object.entries(manifest.imports)
  .filter(([name]) => name.startsWith("#"))
  .map(([name, path]) => ({ name, path: pathOf(path) }))
  .toSorted((one, other) => other.name.length - one.name.length)

/** The file of one of our own modules that is named as in deno.json (`#domain/Asset.ts`). */
export const aliased = (specifier: string): string | undefined => {
  const found = aliases.find(({ name }) =>
    name.endsWith("/") ? specifier.startsWith(name) : specifier === name
  )
  return found && `${found.path}${specifier.slice(found.name.length)}`
}

/** Finds our own modules by their names in deno.json (`exports`, `imports`), as Deno does. */
export const ownPackage: Plugin = {
  name: "own-package",
  enforce: "pre",
  resolveId: (source, importer) =>
    exported.get(source) ?? (importer?.startsWith(checkout.pathname) ? aliased(source) : undefined),
}
