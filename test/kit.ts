/**
 * Runs the tests of a provider that lives in another folder, with the conformance kit of this checkout. Types come
 * first: that the fixtures have an answer to every question is a matter of types, which the tests run without.
 */
const [named] = Deno.args
const called = Deno.env.get("INIT_CWD") ?? Deno.cwd()
const folder = named === undefined ? called : new URL(named, `file://${called}/`).pathname
const here = (path: string): string => new URL(path, import.meta.url).pathname

/** The modules below a folder, without those of packages and tools. */
const modulesBelow = (folder: string): ReadonlyArray<string> =>
  [...Deno.readDirSync(folder)].flatMap(({ isDirectory, name }) => {
    const path = `${folder}/${name}`
    if (name === "node_modules" || name.startsWith(".")) return []
    return isDirectory ? modulesBelow(path) : name.endsWith(".ts") ? [path] : []
  })

/** Runs Deno, and ends with its code where that fails. */
const run = async (cwd: string, ...args: ReadonlyArray<string>): Promise<void> => {
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd,
    env: { KIT_FOLDER: folder },
  })
    .spawn().status
  if (code !== 0) Deno.exit(code)
}

const modules = modulesBelow(folder.replace(/\/$/, ""))
if (!modules.some((path) => path.endsWith(".test.ts"))) {
  console.error(
    `No tests in ${folder}: name the file that calls suite(…) so that it ends with .test.ts, such as mine.test.ts`,
  )
  Deno.exit(1)
}
await run(folder, "check", "--quiet", "--config", here("../deno.json"), ...modules)
await run(here(".."), "run", "-A", "npm:vitest", "run", "--config", here("./kit.config.ts"))
