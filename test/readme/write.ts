import { settingsDocument, settingsPlace } from "./settingsTable.ts"

/** `deno task readme`: writes the list of all settings anew. */
await Deno.writeTextFile(settingsPlace, settingsDocument)
