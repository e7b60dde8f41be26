import { lastLine } from "./logging.ts"

/** Ends the process at once with code 1 and a line, where something essential broke and may hang. */
export const endProcess = (why: string): never => {
  console.error(lastLine(`Stopped: ${why}`))
  Deno.exit(1)
}
