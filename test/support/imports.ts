import { aliased } from "./ownPackage.ts"

const statement = /^(?:import\b[^"'`;=]*?|export\b[^"'`;=]*?\bfrom\s*)"([^"]+)"|\bimport\(\s*"([^"]+)"/gm

/** The files of the repository that a module names in its imports and re-exports, also in dynamic ones. */
export const importsOf = (path: string, text = Deno.readTextFileSync(path)): ReadonlyArray<string> =>
  [...text.matchAll(statement)]
    .map(([, named, dynamic]) => named ?? dynamic ?? "")
    .flatMap((specifier) =>
      specifier.startsWith(".") ? new URL(specifier, `file://${path}`).pathname : aliased(specifier) ?? []
    )
