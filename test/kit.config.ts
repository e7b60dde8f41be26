import { defineConfig, type Plugin } from "vitest/config"
import { endOnSignals } from "./support/endOnSignals.ts"
import { ownPackage } from "./support/ownPackage.ts"
import { textModules } from "./support/texts.ts"
import { jsx } from "./support/jsx.ts"

endOnSignals()

const checkout = new URL("..", import.meta.url).pathname

/** The folder with the provider and its tests: where the task was called, or its argument. */
const folder = Deno.env.get("KIT_FOLDER") ?? Deno.cwd()

/** Packages are those of this checkout, so that provider and kit have the same Effect. */
const packagesOfCheckout: Plugin = {
  name: "packages-of-the-checkout",
  enforce: "pre",
  resolveId(source, importer) {
    const isBare = /^[@a-z]/i.test(source) && !source.includes(":")
    return isBare && importer?.startsWith(checkout) === false
      ? this.resolve(source, `${checkout}test/kit.config.ts`, { skipSelf: true })
      : undefined
  },
}

export default defineConfig({
  root: folder,
  plugins: [textModules, ownPackage, packagesOfCheckout],
  oxc: { jsx },
  test: {
    include: ["**/*.test.ts"],
    setupFiles: [`${checkout}test/support/strictComparison.ts`],
    pool: "forks",
    isolate: false,
    testTimeout: 30_000,
  },
})
