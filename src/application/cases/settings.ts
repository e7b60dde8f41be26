import { Option, Schema } from "effect"
import { dataDir } from "#infrastructure/config/common.ts"
import { aRandomKey, makeKey } from "#infrastructure/config/kinds.ts"
import { derived, optionalSetting, struct } from "#infrastructure/config/Setting.ts"
import { databaseLocation } from "#infrastructure/store/database/settings.ts"
import { privateKeysIn } from "./keyPair.ts"

export const caseFileKeys = optionalSetting({
  name: "CASE_FILE_KEYS",
  isTuning: false,
  unset: "made once in DATA_DIR; with DATABASE_URL: none, and no case files",
  schema: Schema.RedactedFromValue(
    Schema.String.check(Schema.makeFilter((text) => privateKeysIn(text).length > 0)),
  ),
  expected: `${aRandomKey}, or several with commas between them; or Ed25519 private keys in PEM (PKCS #8)`,
  madeWith: makeKey,
  meaning:
    "Keys for case files: the first one signs. The public keys of all are published, so that older files can still be " +
    "verified. The same on every replica",
})

export const caseSettings = derived(
  struct({ keys: caseFileKeys, dataDir, location: databaseLocation }),
  ({ dataDir, keys, location }) => ({
    keys,
    /** The folder in which a key can be kept, which no other replica needs. */
    folder: location._tag === "Folder" ? Option.some(dataDir) : Option.none(),
    /** Whether nothing is kept anyway, so that a key of this process alone will do. */
    isForgotten: location._tag === "Memory",
  }),
)
