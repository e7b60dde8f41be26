import { stripVTControlCharacters } from "node:util"
/** What a command did on a terminal on which nobody answers. */
export interface Shown {
  readonly code: number
  /** All that the terminal showed, its colours and movements left out. */
  readonly text: string
  readonly seconds: number
}

/** What a person sends to stop what runs. */
const controlC = new Uint8Array([3])

/**
 * Runs a command on a terminal of its own, with the program `script`. Nothing is typed but, once the terminal shows
 * `until`, Ctrl-C. A command that takes longer than `patience` in seconds, as one that asks does, is killed.
 */
export const onTerminal = async (
  command: string,
  { cwd, env, patience, until }: {
    readonly cwd: string
    readonly env: Readonly<Record<string, string>>
    readonly patience: number
    readonly until?: string
  },
): Promise<Shown> => {
  const began = performance.now()
  const child = new Deno.Command("script", {
    args: ["-qefc", `exec ${command}`, "/dev/null"],
    cwd,
    env: { ...env, TERM: "xterm" },
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn()
  const typed = child.stdin.getWriter()
  const timer = setTimeout(() => child.kill("SIGKILL"), patience * 1_000)
  let text = ""
  let isStopped = false
  for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += piece
    if (until === undefined || isStopped || !text.includes(until)) continue
    isStopped = true
    await typed.write(controlC)
  }
  const { code } = await child.status
  clearTimeout(timer)
  await typed.close().catch(() => undefined)
  return {
    code,
    text: stripVTControlCharacters(text).replaceAll("\r", ""),
    seconds: (performance.now() - began) / 1_000,
  }
}

/** Whether this system has the program that makes terminals, as util-linux has it. */
export const hasTerminals = (): boolean => {
  try {
    return new Deno.Command("script", { args: ["--version"], stdout: "null", stderr: "null" }).outputSync()
      .success
  } catch {
    return false
  }
}
