import { PGlite } from "@electric-sql/pglite"
import { Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { FirstImage, startInMemory } from "../../../src/store/database/EmbeddedDatabase.ts"
import { migrate } from "../../../src/store/database/migrate.ts"
import { embeddedClient } from "../../../src/store/database/Sql.ts"
import { copyOf, folderInMemory } from "../folder.ts"
import { once } from "./once.ts"

/** Without the patterns of new databases, as nobody makes one there, an image has a third of the files. */
const shorten = [
  "UPDATE pg_database SET datistemplate = false",
  "DROP DATABASE template0",
  "DROP DATABASE template1",
  "CHECKPOINT",
]

/** A new embedded database takes seconds to make; a copy of one takes a fraction of that. */
const makeImage = (place: string): Promise<void> =>
  Effect.gen(function* () {
    const database = yield* startInMemory
    const client = yield* embeddedClient(database)
    yield* Effect.provideService(migrate, SqlClient.SqlClient, client)
    yield* Effect.forEach(shorten, (statement) => Effect.promise(() => database.exec(statement)))
    const image = yield* Effect.promise(() => database.dumpDataDir("none"))
    yield* Effect.promise(() => Deno.writeFile(place, image.stream()))
  }).pipe(Effect.scoped, Effect.provide(Reactivity.layer), Effect.runPromise)

const imageFile = once("image.tar", makeImage)

let read: Promise<Blob> | undefined

const readImage = async (): Promise<Blob> => new Blob([await Deno.readFile(await imageFile())])

/** The image of an embedded database that has its tables, and nothing in them. */
export const preparedImage = Effect.promise(() => read ??= readImage())

/** Embedded databases that are made with this begin as copies of the prepared one. */
export const preparedDatabases = Layer.effect(FirstImage, preparedImage)

const makeFolder = async (place: string): Promise<void> => {
  await Deno.mkdir(place)
  const loadDataDir = await Effect.runPromise(preparedImage)
  const database = await PGlite.create({ dataDir: `${place}/database`, loadDataDir })
  await database.close()
}

const folder = once("folder", makeFolder)

/** A folder for `DATA_DIR`, gone when the scope closes, as a service leaves it that was not used. */
export const preparedFolder = Effect.flatMap(Effect.promise(folder), copyOf)

/** The same in memory, for a service in the process of the tests. */
export const preparedFolderInMemory = Effect.flatMap(
  Effect.promise(folder),
  (prepared) => copyOf(prepared, folderInMemory),
)
