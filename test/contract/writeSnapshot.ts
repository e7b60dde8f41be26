import { folded, openApiDocument, snapshotPlace } from "./support/openApiSnapshot.ts"

/** `deno task contract`: keeps the OpenAPI document as the code has it now; the difference is the change of the contract. */

await Deno.writeTextFile(snapshotPlace, folded(openApiDocument()))
