import { readFile } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import type { Plugin } from "vitest/config"
import { aliased } from "./ownPackage.ts"

const folder = new URL("../../src/", import.meta.url).pathname
const texts = /\.(?:css|html|js|md|txt)$/

/** A name that does not end as a style sheet does: vitest would read those by itself, as empty ones. */
const named = /^\0text:(.*):$/

/** Reads the texts that modules of src import (`with { type: "text" }`), as Deno does: nothing else there ends so. */
export const textModules: Plugin = {
  name: "text-modules",
  enforce: "pre",
  resolveId: (source, importer) => {
    if (importer === undefined || !texts.test(source)) return undefined
    const path = source.startsWith(".") ? resolve(dirname(importer), source) : aliased(source) ?? ""
    return path.startsWith(folder) ? `\0text:${path}:` : undefined
  },
  load: async (id) => {
    const [, path] = named.exec(id) ?? []
    return path === undefined ? undefined : `export default ${JSON.stringify(await readFile(path, "utf8"))}`
  },
}
