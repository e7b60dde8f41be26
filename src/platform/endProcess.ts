/**
 * Ends the process at once, with 1 and a line on standard error; nothing is finished before. For when something
 * that it cannot go on without has broken, and to use it once more might never come back.
 */
export const endProcess = (why: string): never => {
  console.error(`Stopped: ${why}`)
  Deno.exit(1)
}
