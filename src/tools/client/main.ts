import { npmName, type Package, packages } from "./packages.ts"

/* `deno task client FOLDER`: writes the clients for integrators into folders there, a package each. */

const write = async (folder: string, files: Package): Promise<void> => {
  await Deno.mkdir(folder, { recursive: true })
  for (const [path, text] of Object.entries(files)) await Deno.writeTextFile(`${folder}/${path}`, text)
}

/** Compiles the one file for runtimes and type checkers that read no TypeScript. */
const compile = async (folder: string): Promise<void> => {
  const args = ["transpile", "--no-config", "--declaration", "--outdir", ".", `${npmName}.ts`]
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: folder,
    env: { NO_COLOR: "1" },
  }).output()
  if (code !== 0) throw new Error(new TextDecoder().decode(stderr))
  const declarations = `${folder}/${npmName}.d.ts`
  // Its first line names the folder of this machine.
  const text = (await Deno.readTextFile(declarations)).replace(/^\/\/\/ <amd-module .*\n/, "")
  await Deno.writeTextFile(declarations, text)
}

const [folder] = Deno.args
if (folder === undefined) {
  console.error("Name the folder that the clients are written into: deno task client FOLDER")
  Deno.exit(2)
}
const { python, typescript } = packages()
await write(`${folder}/typescript`, typescript)
await compile(`${folder}/typescript`)
await write(`${folder}/python`, python)
console.log(`${folder}/typescript: a package for npm\n${folder}/python: a package for pip`)
