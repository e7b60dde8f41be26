/** What a process holds of the machine's. */
export interface Footprint {
  /** Sockets among them. */
  readonly openFiles: number
  readonly residentMegabytes: number
}

export const footprint = async (pid: number): Promise<Footprint> => {
  const status = await Deno.readTextFile(`/proc/${pid}/status`)
  const kilobytes = /^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1]
  if (kilobytes === undefined) throw new Error(`The process ${pid} has ended`)
  return {
    openFiles: (await Array.fromAsync(Deno.readDir(`/proc/${pid}/fd`))).length,
    residentMegabytes: Number(kilobytes) / 1_024,
  }
}
