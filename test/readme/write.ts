import { Effect } from "effect"
import { jsonDocument, jsonPlace } from "./jsonPage.ts"
import { settingsDocument, settingsPlace } from "./settingsTable.ts"
import { supportDocument, supportPlace } from "./supportPage.ts"

/** `deno task readme`: writes the lists of settings, of what the commands print, and of what is supported anew. */
await Deno.writeTextFile(settingsPlace, settingsDocument)
await Deno.writeTextFile(jsonPlace, jsonDocument)
await Deno.writeTextFile(supportPlace, await Effect.runPromise(supportDocument))
