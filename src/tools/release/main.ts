import { Schema } from "effect"
import { root, run } from "#infrastructure/platform/run.ts"
import { version } from "#infrastructure/platform/version.ts"
import { Lock, named, type Package, refused, sbom, type SystemPackage, unknownOf } from "./sbom.ts"
import { foldersOf, makeImage, sha256 } from "./image.ts"
import { notesOf, refusal } from "./plan.ts"

/* `deno task release FOLDER [--tag TAG] [--rehearsal]`: writes all files of a release into an empty folder. */

const architectures = [
  { name: "x64", oci: "amd64", here: "x86_64" },
  { name: "arm64", oci: "arm64", here: "aarch64" },
] as const

const Licensed = Schema.fromJsonString(Schema.Struct({ license: Schema.String }))

const packagesOf = async (binary: string): Promise<ReadonlyArray<Package>> => {
  const folders = await foldersOf(binary)
  const lock = Schema.decodeUnknownSync(Lock)(await Deno.readTextFile(new URL("deno.lock", root)))
  const shipped = Object.entries(lock.npm).flatMap(([key, { integrity }]) => {
    const { name, version } = named(key)
    const folder = `${name.replace("/", "+")}@${version}`
    return folders.has(folder) ? [{ name, version, integrity, folder }] : []
  })
  const unnamed = [...folders].filter((folder) => !shipped.some((one) => one.folder === folder))
  if (unnamed.length > 0) fail(`deno.lock does not name what the binary holds: ${unnamed.join(", ")}`)
  return Promise.all(shipped.map(async ({ folder, ...one }) => {
    const text = await Deno.readTextFile(
      new URL(`node_modules/.deno/${folder}/node_modules/${one.name}/package.json`, root),
    )
    return { ...one, licence: Schema.decodeUnknownSync(Licensed)(text).license }
  }))
}

/** The packages that files of this system are of; a package may know its files below `/usr` as well. */
const systemPackagesOf = async (files: ReadonlyArray<string>): Promise<ReadonlyArray<SystemPackage>> => {
  const [, distribution = "debian"] = /^ID=(\S+)$/m.exec(await Deno.readTextFile("/etc/os-release")) ?? []
  const lines = await Promise.all(
    files.map((file) =>
      run("dpkg-query", ["-S", file]).catch(() => run("dpkg-query", ["-S", `/usr${file}`])).catch(() =>
        fail(`No package of this system has ${file}, which would go into the image.`)
      )
    ),
  )
  const names = new Set(lines.map((line) => line.split(": ", 1)[0] ?? ""))
  return Promise.all(
    [...names].toSorted().map(async (of) => {
      const text = await run("dpkg-query", ["-W", "-f", "${Package} ${Version} ${Architecture}", of])
      const [name = "", version = "", architecture = ""] = text.split(" ")
      return { name, version, architecture, distribution }
    }),
  )
}

/** The Deno of another processor, as npm has it. */
const fetchedDeno = async (name: string, folder: string): Promise<string> => {
  const of = `@deno/linux-${name}-glibc@${Deno.version.deno}`
  const file = (await run("npm", ["pack", "--silent", "--pack-destination", folder, of])).trim()
  await run("tar", ["-xzf", `${folder}/${file}`, "-C", folder])
  return `${folder}/package/deno`
}

const compile = (file: string, runtime: string) =>
  run(Deno.execPath(), ["task", "-q", "compile", "unpacking", file], { COMPILE_RUNTIME: runtime })

const fail = (why: string): never => {
  console.error(why)
  Deno.exit(2)
}

const isEmpty = async (folder: string): Promise<boolean> => {
  await Deno.mkdir(folder, { recursive: true })
  return (await Array.fromAsync(Deno.readDir(folder))).length === 0
}

const [given, ...options] = Deno.args
const folder = given ?? fail("Name the folder that the release is written into: deno task release FOLDER")
const tag = options.includes("--tag") ? options[options.indexOf("--tag") + 1] ?? "" : undefined
const changelog = await Deno.readTextFile(new URL("src/api/CHANGELOG.md", root))
const changes = options.includes("--rehearsal") ? "" : await run("git", ["status", "--porcelain"])
const why = refusal({ version, tag, changelog, changes })
if (why !== undefined) fail(why)
if (!await isEmpty(folder)) fail(`${folder} is not empty.`)
const out = await Deno.realPath(folder)

await Deno.writeTextFile(`${out}/NOTES.txt`, `${notesOf(changelog, version)}\n`)

for (const { here, name, oci } of architectures) {
  const binary = `${out}/swap-broker-linux-${name}`
  if (here === Deno.build.arch) {
    await compile(binary, Deno.execPath())
    const packages = await packagesOf(binary)
    const bad = refused(packages)
    if (bad.length > 0) fail(`These may not be shipped, by their licences: ${bad.join(", ")}`)
    const system = await systemPackagesOf(
      await makeImage(binary, `${out}/swap-broker-image-${name}.tar`, oci),
    )
    const unknown = unknownOf(system)
    if (unknown.length > 0) {
      fail(`No licence is known of ${unknown.join(", ")}, which the image has files of.`)
    }
    const content = sbom(version, { packages, system, deno: Deno.version.deno })
    await Deno.writeTextFile(`${out}/sbom.json`, content)
  } else if (!options.includes("--here")) {
    const fetched = await Deno.makeTempDir()
    await compile(binary, await fetchedDeno(name, fetched)).finally(() =>
      Deno.remove(fetched, { recursive: true })
    )
  }
}

const clients = await Deno.makeTempDir()
await run(Deno.execPath(), ["task", "-q", "client", clients])
await run("tar", ["-czf", `${out}/swap-broker-clients.tar.gz`, "-C", clients, "."])
await Deno.remove(clients, { recursive: true })

const files = (await Array.fromAsync(Deno.readDir(out), (file) => file.name)).toSorted()
const sums: Array<string> = []
for (const file of files) {
  sums.push(`${await sha256(`${out}/${file}`)}  ${file}\n`)
  console.log(`${file}: ${(await Deno.stat(`${out}/${file}`)).size} bytes`)
}
await Deno.writeTextFile(`${out}/SHA256SUMS`, sums.join(""))
