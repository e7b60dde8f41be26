import { configDefaults, defineConfig } from "vitest/config"
import { endOnSignals } from "./support/endOnSignals.ts"
import { jsx } from "./support/jsx.ts"
import { ownPackage } from "./support/ownPackage.ts"
import { SlowFirst } from "./support/slowFirst.ts"
import { textModules } from "./support/texts.ts"

/** Files of the long gate: what starts whole programs or browsers, kills, floods, or changes upstreams' answers. */
export const long = "test/**/*.long.test.ts"

endOnSignals()

/** The gate of each change: all files but those of the long gate. */
export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  plugins: [textModules, ownPackage],
  oxc: { jsx },
  test: {
    include: ["test/**/*.test.ts"],
    // A folder as somebody else has it, with its own way to run: test/outside/outside.long.test.ts runs it so.
    exclude: [...configDefaults.exclude, "test/outside/*/**", long],
    globalSetup: ["test/support/prepared/folder.ts", "test/support/runLimit.ts", "test/support/leftOut.ts"],
    setupFiles: ["test/support/strictComparison.ts"],
    reporters: ["default", "test/support/slowestFiles.ts"],
    // The threads of other runtimes are not complete in Deno; processes are.
    pool: "forks",
    // One more than a small machine has processors, as many tests wait for a timeout or for a process.
    maxWorkers: 3,
    // Most processes of tests end soon: compiling the engine of the embedded database once more, for speed, would
    // take as long as their whole start, and there are dozens of them.
    env: { V8_FLAGS_OF_PROCESSES: "--liftoff-only" },
    isolate: false,
    // To strip the types of a thousand modules anew would take a third of a run of the fast tests.
    fsModuleCache: true,
    sequence: { sequencer: SlowFirst },
    // Patience, and no measure of speed: on a busy machine all takes many times as long.
    hookTimeout: 300_000,
    testTimeout: 180_000,
  },
})
