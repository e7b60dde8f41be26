import { Schema, SchemaGetter } from "effect"
import { Argument, Flag } from "effect/cli"
import { AccountSwapsParameters } from "#api/Business.ts"
import { wordsOf } from "#api/endpoint.ts"
import { mostListed, NewAccountBody, NewKeyBody } from "#api/OperatorBodies.ts"
import { allTypes } from "#api/WebhookBodies.ts"
import { AccountName, AllowedOrigins } from "#domain/accounts/Account.ts"
import {
  choiceOf,
  type LimitTerm,
  mostOf,
  mostToleranceBps,
  type OwnTerms,
  theDefault,
} from "#domain/accounts/OwnTerms.ts"
import { AssetId, assetIds } from "#domain/chains/Asset.ts"
import { UtcDay } from "#domain/money/Commission.ts"
import { IdempotencyKey } from "#domain/swaps/Idempotency.ts"
import { KeyId, Scope } from "#domain/accounts/Key.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { RouteAsset } from "#domain/accounts/Route.ts"
import { SwapEventType } from "#domain/swaps/SwapEvent.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import { WantedTypes, WebhookId } from "#domain/accounts/Webhook.ts"

/** Parameters of the commands; each is checked before the command does anything. */

type Text<A> = Schema.ConstraintCodec<A, string, never, unknown>

export const argument = <A>(name: string, description: string, schema: Text<A>) =>
  Argument.String(name).pipe(Argument.withDescription(description), Argument.withSchema(schema))

/** An argument that is the number of a record. */
export const numberArgument = <A>(
  name: string,
  description: string,
  schema: Schema.ConstraintCodec<A, number, never, unknown>,
) => Argument.Int(name).pipe(Argument.withDescription(description), Argument.withSchema(schema))

/** A flag of text that may be left out. */
export const flag = <A>(name: string, description: string, schema: Text<A>) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.withSchema(schema), Flag.optional)

/** The contract's description of a member, as a label: commands name no endpoints. */
const about = (member: Parameters<typeof wordsOf>[0]): string =>
  wordsOf(member).replace(/\.$/, "").replaceAll("`POST /mcp`", "MCP")

/** A flag for a member of the contract that may be absent, described and checked by it. */
export const flagOf = <A>(name: string, member: Schema.optionalKey<Text<A> & Schema.Top>) =>
  flag(name, about(member), member.schema)

export const yesOrNo = (name: string, member: { readonly schema: Schema.Top }) =>
  Flag.Boolean(name).pipe(Flag.withDescription(about(member)), Flag.optional)

/** A flag that says yes, and cannot say no. */
export const switchOn = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withoutNegation, Flag.withDescription(description), Flag.withDefault(false))

/** The items of a list, separated by commas. */
const partsOf = (text: string): ReadonlyArray<string> => text.split(",").map((part) => part.trim())

const ListText = Schema.String.pipe(Schema.decodeTo(Schema.Array(Schema.String), {
  decode: SchemaGetter.transform(partsOf),
  encode: SchemaGetter.transform((parts) => parts.join(",")),
}))

/** Some of several words, with commas between them. */
export const choices = <const Words extends ReadonlyArray<string>>(
  name: string,
  description: string,
  words: Words,
) =>
  flag(
    name,
    `${description}: ${words.join(",")}`,
    ListText.pipe(Schema.decodeTo(
      Schema.NonEmptyArray(Schema.Literals(words).annotate({ message: `some of ${words.join(", ")}` })),
    )),
  )

const OriginsText = Schema.String.pipe(Schema.decodeTo(
  Schema.toEncoded(AllowedOrigins),
  {
    decode: SchemaGetter.transform((text) => text === "*" ? "*" : text === "none" ? [] : partsOf(text)),
    encode: SchemaGetter.transform((origins) => origins === "*" ? "*" : origins.join(",")),
  },
))

const EventTypesText = Schema.String.pipe(Schema.decodeTo(
  Schema.Union([Schema.String, Schema.Array(Schema.String)]),
  {
    decode: SchemaGetter.transform((text) => text === allTypes ? text : partsOf(text)),
    encode: SchemaGetter.transform((types) => typeof types === "string" ? types : types.join(",")),
  },
))

const Moment = Schema.Date.pipe(Schema.decodeTo(EpochMillis, {
  decode: SchemaGetter.transform((date) => date.getTime()),
  encode: SchemaGetter.transform((millis) => new Date(millis)),
}))

/** A moment, as a day or as a time. */
export const date = (name: string, description: string) =>
  Flag.Date(name).pipe(Flag.withDescription(description), Flag.withSchema(Moment), Flag.optional)

export const day = (name: string, description: string) =>
  flag(name, description, UtcDay.annotate({ message: "must be a day of the calendar, such as 2030-01-31" }))

/** A flag for a whole number of the contract. */
export const numberOf = <A>(
  name: string,
  member: { readonly schema: Schema.ConstraintCodec<A, number, never, unknown> & Schema.Top },
) => Flag.Int(name).pipe(Flag.withDescription(about(member)), Flag.withSchema(member.schema), Flag.optional)

/** A flag for a whole number within bounds. */
export const whole = (
  name: string,
  description: string,
  bounds: { readonly minimum: number; readonly maximum: number },
) =>
  Flag.Int(name).pipe(
    Flag.withDescription(description),
    Flag.withSchema(Schema.Int.check(Schema.isBetween(bounds))),
  )

/** How many entries of a list to show; `what` names them, in the plural. */
export const limit = (what: string) =>
  whole("limit", `Maximum number of ${what}, 1 to ${mostListed}`, { minimum: 1, maximum: mostListed }).pipe(
    Flag.withDefault(50),
  )

export const account = argument(
  "account",
  "Name of an account",
  AccountName.annotate({ message: "must be 1 to 64 lower-case letters and digits, with . _ - between them" }),
)

export const aProvider = ProviderName.annotate({ message: "must be the name of a provider" })

export const anAsset = AssetId.annotate({ message: "must be a known asset, such as btc.btc" })

export const provider = argument("provider", "Name of a provider, such as chainflip", aProvider)

export const whose = {
  account: flag("account", "Only this account", AccountSwapsParameters.fields.account.schema),
  platform: flagOf("provider", AccountSwapsParameters.fields.platform),
}

export const assetArgument = Argument.Literals("asset", assetIds()).pipe(
  Argument.withDescription("Asset, such as usdc.eth"),
)

export const routeAsset = (name: string, description: string) =>
  argument(
    name,
    `${description}, such as btc.btc; * for any`,
    RouteAsset.annotate({ message: "must be * or a known asset, such as btc.btc" }),
  )

export const swapId = numberArgument("id", "ID of a swap", SwapRecordId)

export const keyId = argument(
  "key-id",
  "ID of a key, as `keys list` shows it",
  KeyId.annotate({ message: "must be the 16 characters of a key's id, not the key" }),
)

export const webhookId = argument(
  "webhook-id",
  "ID of a webhook, as `webhooks list` shows it",
  WebhookId.annotate({ message: "must be whk_ and the 16 characters after it" }),
)

const wholeOr = (text: string): number | string => /^\d{1,15}$/.test(text) ? Number(text) : text

/** A flag for a term of an account's own, and the way back to the setting. */
const ownTerm = (
  name: Exclude<keyof OwnTerms, "boostEstimatedPrice">,
  flagName: string,
  expected: string,
  read: (text: string) => unknown = wholeOr,
) => {
  const { [name]: member } = NewAccountBody.fields
  const decode = Schema.decodeUnknownOption(member.schema)
  const form = `${expected}, or ${theDefault}`
  return Flag.String(flagName).pipe(
    Flag.withDescription(`${about(member)}: ${form}`),
    Flag.filterMap((text) => decode(text === theDefault ? text : read(text)), () => form),
    Flag.optional,
  )
}

const ownLimit = (name: LimitTerm, flagName: string) =>
  ownTerm(name, flagName, `a whole number from 1 to ${mostOf[name]}`)

export const terms = {
  commissionBps: numberOf("commission-bps", NewAccountBody.fields.commissionBps),
  affiliates: yesOrNo("affiliates", NewAccountBody.fields.affiliates),
  allowedOrigins: flag(
    "origins",
    "Origins of the pages that may call, separated by commas; * for all, or none",
    OriginsText.pipe(Schema.decodeTo(AllowedOrigins.annotate({
      message: "must be *, none, or origins such as https://app.example,https://b.example",
    }))),
  ),
  mcp: yesOrNo("mcp", NewAccountBody.fields.mcp),
  requestsPerMinute: ownLimit("requestsPerMinute", "requests-per-minute"),
  openingsPerMinute: ownLimit("openingsPerMinute", "openings-per-minute"),
  maximumOpenChannels: ownLimit("maximumOpenChannels", "open-channels"),
  maximumDailyVolumeUsd: ownLimit("maximumDailyVolumeUsd", "daily-volume-usd"),
  maximumWebhooks: ownLimit("maximumWebhooks", "webhooks"),
  providers: ownTerm(
    "providers",
    "providers",
    "chainflip,relay in this order, prefer:relay:50 unless another pays over 50 bps more",
    choiceOf,
  ),
  maximumSlippageToleranceBps: ownTerm(
    "maximumSlippageToleranceBps",
    "slippage-tolerance-bps",
    `a whole number of basis points from 0 to ${mostToleranceBps}`,
  ),
  boostEstimatedPrice: yesOrNo("boost-estimated-price", NewAccountBody.fields.boostEstimatedPrice),
}

export const expires = date("expires", "When the key expires, such as 2030-01-31; by default never")

export const keyTerms = {
  scopes: choices(
    "scopes",
    "Scopes of the key, separated by commas; by default all except operate and withdraw",
    Scope.literals,
  ),
  expiresAt: expires,
  label: flagOf("label", NewKeyBody.fields.label),
}

const typesGiven = Flag.String("types").pipe(
  Flag.withDescription(`Event types, separated by commas, such as swap.completed; ${allTypes} for all`),
  Flag.withSchema(EventTypesText.pipe(Schema.decodeTo(
    Schema.Union([Schema.Literal(allTypes), WantedTypes]).annotate({
      message: `must be ${allTypes} or some of ${SwapEventType.literals.join(",")}`,
    }),
  ))),
)

/** The event types of a webhook: required where they are changed, optional where there is a default. */
export const eventTypes = { given: typesGiven, optional: Flag.optional(typesGiven) }

/** Makes it safe to retry a withdrawal. */
export const orderKey = flag(
  "key",
  "Idempotency key: a retry with the same key gets the same response, and orders nothing again",
  IdempotencyKey.annotate({ message: "must be 1 to 255 printable ASCII characters" }),
)
