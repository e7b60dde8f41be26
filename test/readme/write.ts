import { Effect } from "effect"
import { settingsDocument, settingsPlace } from "./settingsTable.ts"
import { supportDocument, supportPlace } from "./supportPage.ts"

/** `deno task readme`: writes the list of all settings and that of what is supported anew. */
await Deno.writeTextFile(settingsPlace, settingsDocument)
await Deno.writeTextFile(supportPlace, await Effect.runPromise(supportDocument))
