import type { Plugin } from "vitest/config"
import manifest from "../../deno.json" with { type: "json" }

const checkout = new URL("../../", import.meta.url)

const exported = new Map(
  Object.entries(manifest.exports).map(([name, path]) => [
    `${manifest.name}${name.slice(1)}`,
    new URL(path, checkout).pathname,
  ]),
)

/** Finds the modules of `exports` in deno.json by their names, as Deno does. */
export const ownPackage: Plugin = {
  name: "own-package",
  enforce: "pre",
  resolveId: (source) => exported.get(source),
}
