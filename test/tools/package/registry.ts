import { Effect } from "effect"
import config from "../../../deno.json" with { type: "json" }
import { serve } from "#infrastructure/platform/serve.ts"

/*
 * A registry for one package, as `JSR_URL` names one to Deno: it keeps what `deno publish` uploads, with the specifiers
 * that it has rewritten, and gives it to `deno run jsr:…`.
 */

const { exports, name, version } = config
const place = `/${name}/${version}`

/** The files of a folder by their paths below it. */
const filesIn = async (
  folder: string,
  below = "",
): Promise<Readonly<Record<string, Uint8Array<ArrayBuffer>>>> => {
  const files: Record<string, Uint8Array<ArrayBuffer>> = {}
  for await (const { isDirectory, name } of Deno.readDir(`${folder}${below}`)) {
    const path = `${below}/${name}`
    if (isDirectory) Object.assign(files, await filesIn(folder, path))
    else {
      // The archive gives nobody leave to read.
      await Deno.chmod(`${folder}${path}`, 0o600)
      files[path] = await Deno.readFile(`${folder}${path}`)
    }
  }
  return files
}

/** What is in a gzipped archive, unpacked into an empty folder. */
const unpacked = async (archive: ArrayBuffer, folder: string) => {
  await Deno.writeFile(`${folder}.tar.gz`, new Uint8Array(archive))
  const args = ["-xzf", `${folder}.tar.gz`, "-C", folder]
  const { success } = await new Deno.Command("tar", { args }).output()
  if (!success) throw new Error("The archive of the package cannot be unpacked")
  return filesIn(folder)
}

/** The entry of each file, which Deno compares with what it is given. */
const manifestOf = async (files: Readonly<Record<string, Uint8Array<ArrayBuffer>>>) =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(files).map(async ([path, bytes]) => {
        const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex()
        return [path, { size: bytes.length, checksum: `sha256-${hash}` }] as const
      }),
    ),
  )

const types: Readonly<Record<string, string>> = {
  ts: "text/typescript",
  tsx: "text/tsx",
  json: "application/json",
}

/** The registry on a port of this machine; `folder` is an empty one of its own. */
export const startRegistry = (folder: string) =>
  Effect.gen(function* () {
    let files: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {}
    const answer = async (request: Request): Promise<Response> => {
      const { pathname } = new URL(request.url)
      if (request.method === "POST") {
        files = await unpacked(await request.arrayBuffer(), folder)
        return Response.json({ id: "1", status: "success" })
      }
      if (pathname === `/${name}/meta.json`) return Response.json({ versions: { [version]: {} } })
      if (pathname === `${place}_meta.json`) {
        return Response.json({ manifest: await manifestOf(files), exports })
      }
      const path = pathname.slice(place.length)
      const bytes = pathname.startsWith(`${place}/`) ? files[path] : undefined
      if (bytes !== undefined) {
        const type = types[path.split(".").at(-1) ?? ""] ?? "application/octet-stream"
        return new Response(bytes, { headers: { "content-type": type } })
      }
      // The scope and the package are there, this version is not.
      if (pathname.startsWith("/api/") && !pathname.endsWith(`/versions/${version}`)) return Response.json({})
      return Response.json({ code: "notFound", message: "not here" }, { status: 404 })
    }
    const { href } = yield* serve({ hostname: "127.0.0.1", port: 0, handler: answer })
    return { url: href, paths: () => Object.keys(files).map((path) => path.slice(1)).toSorted() }
  })
