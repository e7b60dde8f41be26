import { configDefaults } from "vitest/config"
import all, { long } from "./vitest.config.ts"

/** The long gate: the files that `vitest.config.ts` leaves out. */
export default {
  ...all,
  test: { ...all.test, include: [long], exclude: [...configDefaults.exclude] },
}
