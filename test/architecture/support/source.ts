import { importsOf } from "#test/support/imports.ts"

const root = new URL("../../../", import.meta.url).pathname

const isModule = (path: string): boolean => /\.tsx?$/.test(path)

/** A file of the repository, by its path below the repository's folder. */
export interface SourceFile {
  readonly path: string
  readonly text: string
  readonly lines: number
  /** The files that it imports, also dynamically, by the same kind of path. */
  readonly imports: ReadonlyArray<string>
}

const read = (path: string): SourceFile => {
  const text = Deno.readTextFileSync(root + path)
  const imports = isModule(path) ? importsOf(root + path, text).map((found) => found.slice(root.length)) : []
  return { path, text, lines: text.split("\n").length - 1, imports }
}

/** The paths of all files below a folder, in the order of their names. */
const pathsBelow = (folder: string): ReadonlyArray<string> =>
  [...Deno.readDirSync(root + folder)]
    .flatMap(({ name, isDirectory }) => isDirectory ? pathsBelow(`${folder}/${name}`) : [`${folder}/${name}`])
    .toSorted()

const filesBelow = (folder: string): ReadonlyArray<SourceFile> => pathsBelow(folder).map(read)

const all = [".github", "src", "test", "migrations"].flatMap(filesBelow)

/** The modules of the service. */
export const modules = all.filter(({ path }) => path.startsWith("src/") && isModule(path))

/** All modules of the repository, with tests and migrations. */
export const modulesAndTests = all.filter(({ path }) => isModule(path))

/** The documents of the repository, the one at the top among them. */
export const documents = [read("README.md"), ...all.filter(({ path }) => path.endsWith(".md"))]

/** The document with this path, if there is one. */
export const documentAt = (wanted: string): SourceFile | undefined =>
  documents.find(({ path }) => path === wanted)

/** Whether the repository has a file with this path: a document, a picture, a module. */
export const hasFile = (wanted: string): boolean =>
  documentAt(wanted) !== undefined || all.some(({ path }) => path === wanted)

/** Every file of the repository with a text, the document at the top among them. */
export const readable = [read("README.md"), ...all.filter(({ path }) => /\.(?:tsx?|md|js|txt)$/.test(path))]
