/** The root of the project. */
export const root = new URL("../../", import.meta.url).pathname

/** What a program prints; its complaint is the failure where it fails. */
export const run = async (
  command: string,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const options = { args: [...args], cwd: root, env: { NO_COLOR: "1", ...env } }
  const { code, stderr, stdout } = await new Deno.Command(command, options).output()
  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
  if (code !== 0) throw new Error(text(stderr).trim() || `${command} ended with ${code}`)
  return text(stdout)
}

export const sha256 = async (file: string): Promise<string> => (await run("sha256sum", [file])).slice(0, 64)
