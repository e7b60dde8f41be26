import type { StartedProcess } from "../support/process.ts"

const everyMillis = 1_000

/** Megabytes that a process has of the machine at present. */
export const residentMegabytes = ({ pid }: Pick<StartedProcess, "pid">): number => {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`)
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]
  if (kilobytes === undefined) throw new Error(`The process ${pid} has no memory`)
  return Number(kilobytes) / 1_024
}

/** Looks every second at what a process has of the machine. */
export const watchMemory = (process: Pick<StartedProcess, "pid">) => {
  let most = residentMegabytes(process)
  const timer = setInterval(() => {
    most = Math.max(most, residentMegabytes(process))
  }, everyMillis)
  return {
    /** The most until now. */
    most: () => most,
    stop: () => clearInterval(timer),
  }
}

/** Ticks of the clock in which Linux counts. */
const ticksPerSecond = 100

/** Seconds that a process has computed until now. */
export const computedSeconds = ({ pid }: Pick<StartedProcess, "pid">): number => {
  const text = Deno.readTextFileSync(`/proc/${pid}/stat`)
  // After the name, which can have any character, the 12th and 13th: in the program, and for it in the system.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}
