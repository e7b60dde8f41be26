import type { StartedProcess } from "#test/support/process.ts"

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

/** Process group and resident megabytes of whatever runs on this machine. */
const running = function* (): Generator<{ readonly group: number; readonly megabytes: number }> {
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue
    try {
      const text = Deno.readTextFileSync(`/proc/${name}/stat`)
      const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
      yield { group: Number(fields[2]), megabytes: residentMegabytes({ pid: Number(name) }) }
    } catch {
      // A process that has ended in the meantime holds nothing.
    }
  }
}

/** The most that one process of a group holds: a task is its runner and the program that it runs. */
export const groupMegabytes = ({ pid }: Pick<StartedProcess, "pid">): number =>
  Math.max(...running().filter(({ group }) => group === pid).map(({ megabytes }) => megabytes))
