/** Runs the tests of a provider that lives in another folder, with the conformance kit of this checkout. */
const [named] = Deno.args
const called = Deno.env.get("INIT_CWD") ?? Deno.cwd()
const folder = named === undefined ? called : new URL(named, `file://${called}/`).pathname

const { code } = await new Deno.Command(Deno.execPath(), {
  args: ["run", "-A", "npm:vitest", "run", "--config", new URL("./kit.config.ts", import.meta.url).pathname],
  cwd: new URL("..", import.meta.url).pathname,
  env: { KIT_FOLDER: folder },
}).spawn().status
Deno.exit(code)
