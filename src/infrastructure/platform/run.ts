export const root = new URL("../../../", import.meta.url)

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** What a program prints that runs in the root of the project; its complaint is the failure where it fails. */
export const run = async (command: string, args: ReadonlyArray<string>, env: Record<string, string> = {}) => {
  const options = { args: [...args], cwd: root, env: { NO_COLOR: "1", ...env } }
  const { code, stderr, stdout } = await new Deno.Command(command, options).output()
  if (code !== 0) throw new Error(text(stderr).trim() || `${command} ended with ${code}`)
  return text(stdout)
}
