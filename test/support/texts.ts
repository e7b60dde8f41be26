import { readFile } from "node:fs/promises"
import type { Plugin } from "vitest/config"

/** Reads texts that modules import (`with { type: "text" }`) as Deno does. */
export const texts: Plugin = {
  name: "texts",
  enforce: "pre",
  load: async (id) =>
    /\.(?:md|txt)$/.test(id) ? `export default ${JSON.stringify(await readFile(id, "utf8"))}` : undefined,
}
