import { Schema } from "effect"
import { root, run } from "#infrastructure/platform/run.ts"
import { version } from "#infrastructure/platform/version.ts"
import { unpackingHead } from "./unpacking.ts"

/*
 * `deno task compile [compiled|unpacking] [FILE]`: makes the one binary. "compiled" is the work of `deno compile`, which
 * fetches the runtime of compiled programs once. Where that cannot be had, "unpacking" makes a file that holds this Deno
 * and unpacks itself. Without a word it is the first, or else the second.
 */

const entry = "src/tools/binary/main.ts"

/** A file that is read while the program runs, of which `deno compile` knows nothing. */
const image = "src/infrastructure/store/database/empty.tar.br"

const exists = (place: URL): Promise<boolean> => Deno.lstat(place).then(() => true, () => false)

const deno = (...args: ReadonlyArray<string>) => run(Deno.execPath(), args)

/** The options of V8 are those of the task `start`. */
const v8Options = async (): Promise<string> => {
  const [found] = /--v8-flags=\S+/.exec(await Deno.readTextFile(new URL("deno.json", root))) ?? []
  if (found === undefined) throw new Error("The task start in deno.json has no --v8-flags")
  return found
}

/** Nobody is asked for more, and no module comes from elsewhere: Deno would do both by itself. */
const permissions = ["-P=binary", "--no-prompt", "--deny-import"]

/** What `deno compile` says where it cannot fetch that runtime. */
const runtimeAway = "Setting up base binary"

/** A binary of `deno compile`, with the packages that the program reaches and no others. */
const compiled = async (file: string): Promise<void> => {
  await deno(
    "compile",
    "--quiet",
    "--no-check",
    "--node-modules-dir=none",
    "--exclude-unused-npm",
    ...permissions,
    await v8Options(),
    `--include=${image}`,
    `--output=${file}`,
    entry,
  )
}

/** What `deno info` says of a program: its modules, and the packages that the project has for any of its programs. */
const Info = Schema.fromJsonString(Schema.Struct({
  modules: Schema.Array(Schema.Struct({ npmPackage: Schema.optionalKey(Schema.String) })),
  npmPackages: Schema.Record(
    Schema.String,
    Schema.Struct({
      name: Schema.String,
      dependencies: Schema.Array(Schema.String),
      localPath: Schema.optionalKey(Schema.String),
    }),
  ),
}))

/** The folders of the packages that the program reaches, as `node_modules` holds them, and the links to them. */
const packageFolders = async (): Promise<ReadonlyArray<string>> => {
  const { modules, npmPackages } = Schema.decodeUnknownSync(Info)(
    // Deno names the folders of packages only where it may install some.
    await deno("info", "--node-modules-dir=auto", "--json", entry),
  )
  const reached = new Set(modules.flatMap(({ npmPackage }) => npmPackage === undefined ? [] : [npmPackage]))
  // A set goes through what is added to it meanwhile, too.
  for (const id of reached) npmPackages[id]?.dependencies.forEach((other) => reached.add(other))
  const packages = [...reached].flatMap((id) => npmPackages[id] ?? [])
  const inRoot = (path: string): string => path.slice(root.pathname.length)
  const folders = packages.flatMap(({ localPath, name }) =>
    localPath === undefined ? [] : [inRoot(localPath).slice(0, -`/node_modules/${name}`.length)]
  )
  const links = await Promise.all(packages.map(async ({ name }) => {
    const link = `node_modules/${name}`
    return await exists(new URL(link, root)) ? [link] : []
  }))
  return [...folders, ...links.flat()]
}

/** What nobody runs of the packages. The texts of `src` are modules, and come along. */
const leftOut = ["map", "d.ts", "d.cts", "d.mts", "md"].map((ending) => `--exclude=node_modules/*.${ending}`)

const hashOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex().slice(0, 16)

/** A file that unpacks itself, for the system that it is made on, or that of the Deno that `COMPILE_RUNTIME` names. */
const unpacking = async (file: string): Promise<void> => {
  const runtime = await Deno.realPath(Deno.env.get("COMPILE_RUNTIME") ?? Deno.execPath())
  const [name = "deno"] = runtime.split("/").slice(-1)
  const archive = await Deno.makeTempFile()
  try {
    await run("tar", [
      "-czf",
      archive,
      ...leftOut,
      "deno.json",
      "src",
      "migrations",
      ...await packageFolders(),
      `--directory=${runtime.slice(0, -name.length)}`,
      `--transform=s|^${name}$|deno|`,
      name,
    ])
    const content = await Deno.readFile(archive)
    const options = [
      "--quiet",
      "--no-prompt",
      "--no-lock",
      "--node-modules-dir=manual",
      ...permissions,
      await v8Options(),
    ]
    const head = new TextEncoder().encode(unpackingHead({ version, hash: await hashOf(content), options }))
    await Deno.writeFile(file, new Blob([head, content]).stream(), { mode: 0o755 })
  } finally {
    await Deno.remove(archive)
  }
}

const made = async (kind: string, file: string): Promise<string> => {
  if (kind === "unpacking") {
    await unpacking(file)
    return "a file that unpacks itself at its first start"
  }
  try {
    await compiled(file)
    return "compiled"
  } catch (cause) {
    if (kind === "compiled" || !`${cause}`.includes(runtimeAway)) throw cause
    const [why = ""] = /error sending request.*/.exec(`${cause}`) ?? []
    console.error(`Not compiled, as the runtime of compiled programs cannot be had here. ${why}`)
    return made("unpacking", file)
  }
}

const [first = "", second] = Deno.args
const isKind = first === "compiled" || first === "unpacking"
const file = (isKind ? second : first) || "swap-broker"
const how = await made(isKind ? first : "", file)
const { size } = await Deno.stat(new URL(file, root))
console.log(`${file}: ${Math.round(size / 1e6)} MB, ${how}`)
