import process from "node:process"

/** The exit codes of a run that is stopped, by its signal: 128 and the signal's number. */
const codes = { SIGINT: 130, SIGTERM: 143 } as const

/**
 * Lets a run that is stopped end without a word. Vitest ends it, with the signal's number as Node hands it over; Deno
 * hands over the name alone, so that Vitest would fail over a code that is no number. A code that is set, it keeps.
 */
export const endOnSignals = (): void => {
  for (const [signal, code] of Object.entries(codes)) {
    process.prependListener(signal, () => {
      process.exitCode ??= code
    })
  }
}
