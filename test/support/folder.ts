import { Effect, type Scope } from "effect"

/** An empty folder that is gone when the scope closes. */
export const temporaryFolder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() => Deno.makeTempDir({ prefix: "swap-broker-" })),
  (folder) => Effect.promise(() => Deno.remove(folder, { recursive: true })),
)

const copy = async (from: string, to: string): Promise<void> => {
  for await (const { isDirectory, name } of Deno.readDir(from)) {
    if (!isDirectory) await Deno.copyFile(`${from}/${name}`, `${to}/${name}`)
    else {
      await Deno.mkdir(`${to}/${name}`)
      await copy(`${from}/${name}`, `${to}/${name}`)
    }
  }
}

/** A temporary folder with all that is in another. */
export const copyOf = Effect.fnUntraced(function* (folder: string) {
  const target = yield* temporaryFolder
  yield* Effect.promise(() => copy(folder, target))
  return target
})
