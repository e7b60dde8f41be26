import { resolve } from "node:path"
import { Schema } from "effect"
import { ProviderName } from "#domain/ProviderName.ts"
import { everySetting } from "#settings.ts"

/* `deno task provider NAME FOLDER`: writes the first files of a provider, which are those of the one example. */

const checkout = new URL("../../../", import.meta.url).pathname
const example = `${checkout}test/conformance/example`

/** The entries of a folder; none where there is no such folder. */
const entriesOf = (folder: string): ReadonlyArray<Deno.DirEntry> => {
  try {
    return [...Deno.readDirSync(folder)]
  } catch (fault) {
    if (fault instanceof Deno.errors.NotFound) return []
    throw fault
  }
}

const [name = "", named = ""] = Deno.args
const folder = named === "" ? "" : resolve(Deno.env.get("INIT_CWD") ?? Deno.cwd(), named)

/** What the names of its settings begin with. */
const prefix = name.toUpperCase().replaceAll("-", "_")

/** Why nothing is written; undefined where nothing stands against it. */
const fault = (): string | undefined => {
  if (name === "" || folder === "") {
    return "Say how the provider is called, and where: deno task provider NAME FOLDER"
  }
  if (!Schema.is(ProviderName)(name)) {
    return `${name} is no neutral name: use lower-case letters, digits and hyphens, with a letter first`
  }
  const taken = everySetting.variables.find((setting) => setting.name.startsWith(`${prefix}_`))
  if (taken !== undefined) return `The name ${name} is taken: ${taken.name} is a setting of this build`
  if (`${folder}/`.startsWith(checkout)) return `${folder} is in this checkout: name a folder outside of it`
  return entriesOf(folder).length === 0 ? undefined : `${folder} is not empty`
}

const refusal = fault()
if (refusal !== undefined) {
  console.error(refusal)
  Deno.exit(2)
}

const title = name.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")

const renamed = (text: string): string =>
  text.replaceAll("example", name).replaceAll("EXAMPLE", prefix).replaceAll("Example", title)

await Deno.mkdir(folder, { recursive: true })
for (const file of entriesOf(example).filter(({ isFile }) => isFile)) {
  const text = await Deno.readTextFile(`${example}/${file.name}`)
  await Deno.writeTextFile(`${folder}/${renamed(file.name)}`, renamed(text))
}
const config = `--config ${checkout}deno.json`
console.log(`${folder} has the provider ${name}, and an upstream that is made up. In it:

deno task ${config} kit                  # its types and tests, with the conformance kit
deno run -A ${config} upstream.ts        # its upstream, on http://127.0.0.1:4100
${prefix}_URL=http://127.0.0.1:4100 ${prefix}_KEY=a-key deno run -A ${config} main.ts   # a service with it

Next: make wire.ts and exchange.ts those of the real upstream. ${checkout}src/providers/README.md goes through it.`)
