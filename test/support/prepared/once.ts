import { inject } from "vitest"

declare module "vitest" {
  interface ProvidedContext {
    /** What `folder.ts` makes. */
    readonly preparedFolder: string
  }
}

const exists = (path: string): Promise<boolean> => Deno.stat(path).then(() => true, () => false)

/** The folder of the run, for what its files make once and share. */
export const runFolder = (): string => inject("preparedFolder")

/**
 * Something that the files of a run share: made at its place by the first process that needs it, while others
 * that need it wait. Whatever of it a failed attempt left is not taken for the whole.
 */
export const once = (name: string, make: (place: string) => Promise<void>): () => Promise<string> => {
  const prepare = async (): Promise<string> => {
    const place = `${runFolder()}/${name}`
    using lock = await Deno.open(`${place}.lock`, { create: true, write: true })
    await lock.lock(true)
    if (await exists(place)) return place
    const unfinished = await Deno.makeTempDir({ dir: runFolder() })
    await make(`${unfinished}/${name}`)
    await Deno.rename(`${unfinished}/${name}`, place)
    return place
  }
  let prepared: Promise<string> | undefined
  return () => prepared ??= prepare()
}
