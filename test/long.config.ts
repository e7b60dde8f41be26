import { configDefaults } from "vitest/config"
import all, { long } from "./vitest.config.ts"

/**
 * The long gate: the files that `vitest.config.ts` leaves out. No test has a limit of its own, as some are campaigns on
 * demand: `runLimit.ts` ends a run that hangs, and says where.
 */
export default {
  ...all,
  test: {
    ...all.test,
    include: [long],
    exclude: [...configDefaults.exclude],
    testTimeout: 3_600_000,
    hookTimeout: 3_600_000,
  },
}
