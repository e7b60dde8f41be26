import { type Duration, Option, Schema } from "effect"
import { anHttpUrl, aSecret, count, ExplorerUrl, HttpUrl, Secret } from "#infrastructure/config/kinds.ts"
import * as Settings from "#infrastructure/config/Setting.ts"
import { productionKey, SigningKey } from "./signature.ts"

export const url = Settings.requiredSetting({
  name: "NEAR_INTENTS_URL",
  schema: HttpUrl,
  expected: anHttpUrl,
  meaning: "NEAR Intents' 1Click API: `https://1click.chaindefuser.com`",
})

const publicKey = Settings.ofPlace(
  url,
  Settings.setting({
    name: "NEAR_INTENTS_KEY",
    default: productionKey,
    schema: SigningKey,
    expected: "ed25519: and a public key in base58",
    meaning: "Key that 1Click signs its quotes with; the sandbox has its own",
  }),
)

export const token = Settings.optionalSetting({
  name: "NEAR_INTENTS_TOKEN",
  isTuning: false,
  unset: "none: NEAR Intents charges 0.2 % more",
  schema: Schema.RedactedFromValue(Secret),
  expected: aSecret,
  meaning: "Partner token of the 1Click API",
})

const tokenHeader = Settings.setting({
  name: "NEAR_INTENTS_TOKEN_HEADER",
  default: "both",
  schema: Schema.Literals(["both", "x-api-key", "bearer"]),
  expected: "both, x-api-key or bearer",
  meaning:
    "Header that carries NEAR_INTENTS_TOKEN: `X-API-Key`, `Authorization: Bearer` or both. Change it if 1Click " +
    "rejects a valid token",
})

export const feeAccount = Settings.optionalSetting({
  name: "NEAR_INTENTS_FEE_ACCOUNT",
  isTuning: false,
  unset: { sandbox: "simulated", live: "none: no commission" },
  schema: Schema.NonEmptyString,
  expected: "a NEAR account",
  meaning: "NEAR account that receives your commission",
})

export const nearIntentsSettings = Settings.struct({
  url,
  token,
  tokenHeader,
  publicKey,
  /** Whether the upstream is the sandbox, which has a time of its own. Its key tells, in either mode of the service. */
  simulatedTime: Settings.derived(
    publicKey,
    (key, { announced }) => Option.contains(announced(publicKey.name), key),
  ),
  feeAccount,
  commissionBasis: Settings.setting({
    name: "NEAR_INTENTS_COMMISSION_BASIS",
    default: "charged",
    schema: Schema.Literals(["charged", "received"]),
    expected: "charged or received",
    meaning:
      "`charged`: you receive half of the commission. `received`: you receive all of it, 250 bps at most. In both, " +
      "1Click charges the payer as much again for itself, or 20 bps if that is more",
  }),
  otherFeesMostBps: count(0, 1_000, {
    name: "NEAR_INTENTS_OTHER_FEES_MOST",
    default: 60,
    meaning:
      "Highest total of 1Click's own fees on top of the commission, in basis points. A quote with more is refused",
  }),
  waitingMillis: count(0, 10_000, {
    name: "NEAR_INTENTS_QUOTE_WAITING",
    default: 0,
    meaning:
      "Time in milliseconds that 1Click collects offers of market makers; 0: the first offer. More time may bring a " +
      "better quote",
  }),
  explorerUrl: Settings.setting({
    name: "NEAR_INTENTS_EXPLORER_URL",
    default: "https://explorer.near-intents.org/transactions/{depositAddress}",
    schema: ExplorerUrl,
    expected: "a URL in which {depositAddress} may stand",
    meaning: "Template of explorerUrl",
  }),
})

/** Without a token 1Click charges 20 basis points more; without a fee account there can be no commission. */
export interface Options
  extends Omit<Settings.Value<typeof nearIntentsSettings>, "simulatedTime" | "tokenHeader"> {
  readonly simulatedTime?: boolean
  /** Both headers by default. */
  readonly tokenHeader?: Settings.Value<typeof tokenHeader>
  /** The time between two fetches of the catalogue; 10 minutes by default, at least 1 second. */
  readonly catalogueMaxAge?: Duration.Input
  /** The longest that a fetch of the catalogue may take; 3 seconds by default. */
  readonly lookupTimeout?: Duration.Input
}

/** What decides how much is asked for. */
export type CommissionTerms = Pick<Options, "commissionBasis">

/** The basis points to ask for, as the upstream keeps half of them (near-intents/wire.md 1, fees). */
export const askedFor = (commissionBps: number, { commissionBasis }: CommissionTerms): number =>
  commissionBasis === "received" ? 2 * commissionBps : commissionBps
