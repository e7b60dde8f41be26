import { Effect, Layer } from "effect"
import { emptyDatabase, FirstImage } from "#infrastructure/store/database/EmbeddedDatabase.ts"
import { unpack } from "#infrastructure/store/database/archive.ts"
import { copyOf, folderInMemory } from "../folder.ts"
import { once } from "./once.ts"

let read: Promise<Blob> | undefined

/** The image that new databases begin as, read once. */
export const preparedImage = Effect.promise(() => read ??= emptyDatabase())

/** Embedded databases that are made with this begin as copies of the prepared one. */
export const preparedDatabases = Layer.effect(FirstImage, preparedImage)

const makeFolder = async (place: string): Promise<void> => {
  await Deno.mkdir(place)
  await unpack((await Effect.runPromise(preparedImage)).stream(), `${place}/database`)
}

const folder = once("folder", makeFolder)

/** A folder for `DATA_DIR`, gone when the scope closes, as a service leaves it that was not used. */
export const preparedFolder = Effect.flatMap(Effect.promise(folder), copyOf)

/** The same in memory, for a service in the process of the tests. */
export const preparedFolderInMemory = Effect.flatMap(
  Effect.promise(folder),
  (prepared) => copyOf(prepared, folderInMemory),
)
