import { jsonDocument, jsonPlace } from "./jsonPage.ts"
import { settingsDocument, settingsPlace } from "./settingsTable.ts"

/** `deno task readme`: writes the list of all settings, and that of what the commands print, anew. */
await Deno.writeTextFile(settingsPlace, settingsDocument)
await Deno.writeTextFile(jsonPlace, jsonDocument)
