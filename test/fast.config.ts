import { globSync } from "node:fs"
import { startsSomething } from "./support/startsSomething.ts"
import all from "./vitest.config.ts"

const root = new URL("..", import.meta.url).pathname

/** For the inner loop: what needs no process, socket or database. */
export default {
  ...all,
  test: {
    ...all.test,
    exclude: [
      ...(all.test?.exclude ?? []),
      ...globSync("test/**/*.test.ts", { cwd: root }).filter((path) => startsSomething(root + path)),
    ],
  },
}
