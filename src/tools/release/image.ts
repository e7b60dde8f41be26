import { run } from "#infrastructure/platform/run.ts"

/*
 * The image: one layer with the unpacked program, a shell (dash), and the libraries of this system that both need. It is
 * for the processor that it is made on. The program is unpacked in it, because a container with a read-only root could
 * only unpack to memory.
 */

export const sha256 = async (file: string): Promise<string> => (await run("sha256sum", [file])).slice(0, 64)

/** The user of the image; only a number, as nothing there looks up names. */
const user = "65532"

/** The shell that the launcher runs in, and its place in the root. */
const shell = { here: "/bin/dash", there: "/bin/sh" }

/** Copies a file of this system into the root, as itself where it is a link. */
const copy = async (file: string, target: string): Promise<void> => {
  await Deno.mkdir(target.slice(0, target.lastIndexOf("/")), { recursive: true })
  await Deno.copyFile(await Deno.realPath(file), target)
}

const libraries = async (program: string): Promise<ReadonlyArray<string>> =>
  [...(await run("ldd", [program])).matchAll(/(\/\S+) \(0x/g)].flatMap(([, file]) => file ?? [])

/** Where in a binary its archive begins, by lines, and the line that starts the program. */
const headOf = async (binary: string) => {
  const file = await Deno.open(binary)
  const start = new Uint8Array(4096)
  await file.read(start)
  file.close()
  const head = new TextDecoder().decode(start)
  const [, line] = /tail -n \+(\d+)/.exec(head) ?? []
  const [exec] = /^exec "\$place\/deno".*$/m.exec(head) ?? []
  if (line === undefined || exec === undefined) throw new Error(`${binary} is no file that unpacks itself`)
  return { line, exec }
}

export const foldersOf = async (binary: string): Promise<ReadonlySet<string>> => {
  const { line } = await headOf(binary)
  const list = await run("sh", ["-c", `tail -n +${line} "$0" | tar -tzf -`, binary])
  return new Set([...list.matchAll(/^node_modules\/\.deno\/([^/\n]+)\//gm)].flatMap(([, name]) => name ?? []))
}

/** Makes the root file system in a folder, of a binary that unpacks itself; the files of this system that are in it. */
const makeRoot = async (binary: string, folder: string): Promise<ReadonlyArray<string>> => {
  const place = `${folder}/opt/swap-broker`
  for (const made of [place, `${folder}/usr/local/bin`, `${folder}/etc`]) {
    await Deno.mkdir(made, { recursive: true })
  }
  const { exec, line } = await headOf(binary)
  await run("sh", ["-c", `tail -n +${line} "$0" | tar -xzf - --no-same-owner -C "$1"`, binary, place])
  const needed = new Set([...await libraries(`${place}/deno`), ...await libraries(shell.here)])
  for (const one of needed) await copy(one, `${folder}${one}`)
  await copy(shell.here, `${folder}${shell.there}`)
  const script =
    `#!${shell.there}\nplace=/opt/swap-broker\nexport DENO_DIR=/tmp/deno DENO_NO_UPDATE_CHECK=1\n${exec}\n`
  await Deno.writeTextFile(`${folder}/usr/local/bin/swap-broker`, script, { mode: 0o755 })
  await Deno.writeTextFile(
    `${folder}/etc/passwd`,
    `swap-broker:x:${user}:${user}::/data:/usr/local/bin/swap-broker\n`,
  )
  for (const made of ["data", "tmp", "proc", "dev"]) await Deno.mkdir(`${folder}/${made}`)
  await run("chmod", ["-R", "go=u-w", folder])
  await run("chmod", ["1777", `${folder}/tmp`])
  return [...needed, shell.here]
}

const config = (architecture: string, layer: string) => ({
  architecture,
  os: "linux",
  config: {
    User: `${user}:${user}`,
    WorkingDir: "/data",
    Env: ["PATH=/usr/local/bin:/bin", "HOST=0.0.0.0", "PORT=8080", "DATA_DIR=/data", "LOG_FORMAT=json"],
    Entrypoint: ["/usr/local/bin/swap-broker"],
    Cmd: ["start"],
    ExposedPorts: { "8080/tcp": {} },
    Volumes: { "/data": {} },
    StopSignal: "SIGTERM",
    Healthcheck: {
      Test: ["CMD", "/usr/local/bin/swap-broker", "healthy"],
      Interval: 30e9,
      Timeout: 10e9,
      StartPeriod: 60e9,
    },
  },
  rootfs: { type: "layers", diff_ids: [`sha256:${layer}`] },
})

const same = ["--sort=name", "--mtime=@0", "--numeric-owner"]
const ofRoot = [...same, "--owner=0", "--group=0"]

/** Packs a root into the tar of an OCI image layout. */
const packImage = async (folder: string, file: string, architecture: string): Promise<void> => {
  const layout = await Deno.makeTempDir()
  try {
    const blobs = `${layout}/blobs/sha256`
    await Deno.mkdir(blobs, { recursive: true })
    const layer = `${blobs}/layer`
    await run("tar", ["-cf", layer, ...ofRoot, "--exclude=./data", "-C", folder, "."])
    await run("tar", ["-rf", layer, ...same, `--owner=${user}`, `--group=${user}`, "-C", folder, "./data"])
    const diff = await sha256(layer)
    await run("gzip", ["-n", "-6", layer])
    const named = async (blob: string, mediaType: string) => {
      const [hash, { size }] = [await sha256(blob), await Deno.stat(blob)]
      await Deno.rename(blob, `${blobs}/${hash}`)
      return { mediaType, digest: `sha256:${hash}`, size }
    }
    const json = async (content: unknown, kind: string) => {
      await Deno.writeTextFile(`${blobs}/json`, JSON.stringify(content))
      return named(`${blobs}/json`, `application/vnd.oci.image.${kind}+json`)
    }
    const layers = [await named(`${layer}.gz`, "application/vnd.oci.image.layer.v1.tar+gzip")]
    const made = await json(config(architecture, diff), "config.v1")
    const mediaType = "application/vnd.oci.image.manifest.v1+json"
    const manifest = await json({ schemaVersion: 2, mediaType, config: made, layers }, "manifest.v1")
    const index = { schemaVersion: 2, manifests: [{ ...manifest, platform: { os: "linux", architecture } }] }
    await Deno.writeTextFile(`${layout}/index.json`, JSON.stringify(index))
    await Deno.writeTextFile(`${layout}/oci-layout`, '{"imageLayoutVersion":"1.0.0"}')
    await run("tar", ["-cf", file, ...ofRoot, "-C", layout, "blobs", "index.json", "oci-layout"])
  } finally {
    await Deno.remove(layout, { recursive: true })
  }
}

/** Makes the image of a binary; the files of this system that are in it. */
export const makeImage = async (
  binary: string,
  file: string,
  architecture: string,
): Promise<ReadonlyArray<string>> => {
  const folder = await Deno.makeTempDir()
  try {
    const files = await makeRoot(binary, folder)
    await packImage(folder, file, architecture)
    return files
  } finally {
    await Deno.remove(folder, { recursive: true })
  }
}
