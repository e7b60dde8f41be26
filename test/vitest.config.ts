import { defineConfig } from "vitest/config"
import { SlowFirst } from "./support/slowFirst.ts"

export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/prepared/folder.ts"],
    // The threads of other runtimes are not complete in Deno; processes are.
    pool: "forks",
    // Two more than a small machine has processors, as many tests wait for a timeout or for a process.
    maxWorkers: 4,
    isolate: false,
    sequence: { sequencer: SlowFirst },
    // Starting a database takes seconds where other work keeps the machine busy.
    hookTimeout: 60_000,
    testTimeout: 30_000,
  },
})
