import { contractHash, folded, openApiDocument, snapshotPlace } from "./support/openApiSnapshot.ts"

/**
 * `deno task contract`: keeps the OpenAPI document as the code has it now; the difference is the change of the contract. Prints the
 * line that the newest entry of `src/api/CHANGELOG.md` has to have.
 */

await Deno.writeTextFile(snapshotPlace, folded(openApiDocument()))
console.log(`The newest entry of src/api/CHANGELOG.md has to say: Contract: \`${contractHash()}\``)
