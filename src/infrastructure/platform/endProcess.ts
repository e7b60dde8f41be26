import { lastLine } from "./logging.ts"

/**
 * Ends the process at once, with code 1 and a line on standard error, without finishing anything. Used when something
 * essential has broken and another use of it might never return.
 */
export const endProcess = (why: string): never => {
  console.error(lastLine(`Stopped: ${why}`))
  Deno.exit(1)
}
