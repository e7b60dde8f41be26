import { Effect } from "effect"
import { jsonDocument, jsonPlace } from "./jsonPage.ts"
import { settingsPages } from "./settingsTable.ts"
import { supportDocument, supportPlace } from "./supportPage.ts"

/** `deno task readme`: writes the lists of settings, of what the commands print, and of what is supported anew. */
for (const { document, place } of settingsPages) await Deno.writeTextFile(place, document)
await Deno.writeTextFile(jsonPlace, jsonDocument)
await Deno.writeTextFile(supportPlace, await Effect.runPromise(supportDocument))
