import { readFile } from "node:fs/promises"
import type { Plugin } from "vitest/config"

const texts = new RegExp(`^${new URL("../../src/", import.meta.url).pathname}.*\\.(?:css|js|md|txt)$`)

/** Reads the texts that modules of src import (`with { type: "text" }`), as Deno does: nothing else there ends so. */
export const textModules: Plugin = {
  name: "text-modules",
  enforce: "pre",
  load: async (id) =>
    texts.test(id) ? `export default ${JSON.stringify(await readFile(id, "utf8"))}` : undefined,
}
