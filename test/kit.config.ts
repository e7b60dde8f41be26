import { defineConfig, type Plugin } from "vitest/config"
import manifest from "../deno.json" with { type: "json" }
import { endOnSignals } from "./support/endOnSignals.ts"
import { textModules } from "./support/texts.ts"

endOnSignals()

const checkout = new URL("..", import.meta.url).pathname

/** The folder with the provider and its tests: where the task was called, or its argument. */
const folder = Deno.env.get("KIT_FOLDER") ?? Deno.cwd()

const exported = new Map(
  Object.entries(manifest.exports).map(([name, path]) => [
    `${manifest.name}${name.slice(1)}`,
    new URL(`../${path}`, import.meta.url).pathname,
  ]),
)

/** Packages are those of this checkout, so that provider and kit have the same Effect. */
const packagesOfCheckout: Plugin = {
  name: "packages-of-the-checkout",
  enforce: "pre",
  resolveId(source, importer) {
    const own = exported.get(source)
    if (own !== undefined) return own
    const isBare = /^[@a-z]/i.test(source) && !source.includes(":")
    return isBare && importer?.startsWith(checkout) === false
      ? this.resolve(source, `${checkout}test/kit.config.ts`, { skipSelf: true })
      : undefined
  },
}

export default defineConfig({
  root: folder,
  plugins: [packagesOfCheckout, textModules],
  test: {
    include: ["**/*.test.ts"],
    setupFiles: [`${checkout}test/support/strictComparison.ts`],
    pool: "forks",
    isolate: false,
    testTimeout: 30_000,
  },
})
