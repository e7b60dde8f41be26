import long from "./long.config.ts"

/**
 * Both gates in one run, as CI has them: while whole programs are waited for, others compute. Memory ends the number of
 * processes: one that has had a fifth of the files holds one to two gigabytes.
 */
export default {
  ...long,
  test: {
    ...long.test,
    include: ["test/**/*.test.ts"],
    exclude: [...long.test.exclude, "test/outside/*/**"],
    maxWorkers: 5,
  },
}
