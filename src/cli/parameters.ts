import { Schema, SchemaGetter } from "effect"
import { Argument, Flag } from "effect/cli"
import { CommissionBps, KeyLabel, mostListed } from "../api/OperatorBodies.ts"
import { allTypes } from "../api/WebhookBodies.ts"
import { AccountName, AllowedOrigins } from "../domain/Account.ts"
import { KeyId, Scope } from "../domain/Key.ts"
import { ProviderName } from "../domain/ProviderName.ts"
import { RouteAsset } from "../domain/Route.ts"
import { SwapEventType } from "../domain/SwapEvent.ts"
import { EpochMillis } from "../domain/Time.ts"
import { WantedTypes } from "../domain/Webhook.ts"

/** Parameters of several commands; each is checked before the command does anything. */

/** The items of a list, separated by commas. */
const partsOf = (text: string): ReadonlyArray<string> => text.split(",").map((part) => part.trim())

const ListText = Schema.String.pipe(Schema.decodeTo(Schema.Array(Schema.String), {
  decode: SchemaGetter.transform(partsOf),
  encode: SchemaGetter.transform((parts) => parts.join(",")),
}))

const Scopes = ListText.pipe(Schema.decodeTo(
  Schema.NonEmptyArray(Scope).annotate({ message: `must be some of ${Scope.literals.join(",")}` }),
))

const OriginsText = Schema.String.pipe(Schema.decodeTo(
  Schema.toEncoded(AllowedOrigins),
  {
    decode: SchemaGetter.transform((text) => text === "*" ? "*" : text === "none" ? [] : partsOf(text)),
    encode: SchemaGetter.transform((origins) => origins === "*" ? "*" : origins.join(",")),
  },
))

const Origins = OriginsText.pipe(Schema.decodeTo(
  AllowedOrigins.annotate({
    message: "must be *, none, or origins such as https://app.example,https://b.example",
  }),
))

const Moment = Schema.Date.pipe(Schema.decodeTo(EpochMillis, {
  decode: SchemaGetter.transform((date) => date.getTime()),
  encode: SchemaGetter.transform((millis) => new Date(millis)),
}))

const EventTypesText = Schema.String.pipe(Schema.decodeTo(
  Schema.Union([Schema.String, Schema.Array(Schema.String)]),
  {
    decode: SchemaGetter.transform((text) => text === allTypes ? text : partsOf(text)),
    encode: SchemaGetter.transform((types) => typeof types === "string" ? types : types.join(",")),
  },
))

const EventTypes = EventTypesText.pipe(Schema.decodeTo(
  Schema.Union([Schema.Literal(allTypes), WantedTypes]).annotate({
    message: `must be ${allTypes} or some of ${SwapEventType.literals.join(",")}`,
  }),
))

export const account = Argument.String("account").pipe(
  Argument.withDescription("Name of an account"),
  Argument.withSchema(AccountName.annotate({
    message: "must be 1 to 64 lower-case letters and digits, with . _ - between them",
  })),
)

/** Only those of one account. */
export const accountFlag = Flag.String("account").pipe(
  Flag.withDescription("Only those of this account"),
  Flag.withSchema(AccountName.annotate({ message: "must be the name of an account" })),
  Flag.optional,
)

/** Only those of one provider. */
export const platformFlag = Flag.String("provider").pipe(
  Flag.withDescription("Only those of this provider, such as chainflip"),
  Flag.withSchema(ProviderName.annotate({ message: "must be the name of a provider" })),
  Flag.optional,
)

/** Some of several words, with commas between them. */
export const choices = <const Words extends ReadonlyArray<string>>(
  name: string,
  description: string,
  words: Words,
) =>
  Flag.String(name).pipe(
    Flag.withDescription(`${description}: ${words.join(",")}`),
    Flag.withSchema(
      ListText.pipe(Schema.decodeTo(
        Schema.NonEmptyArray(Schema.Literals(words)).annotate({
          message: `must be some of ${words.join(",")}`,
        }),
      )),
    ),
    Flag.optional,
  )

export const keyId = Argument.String("key-id").pipe(
  Argument.withDescription("Public id of a key, as `keys list` shows it"),
  Argument.withSchema(KeyId.annotate({ message: "must be the 16 characters of a key's id, not the key" })),
)

export const routeAsset = (name: string, description: string) =>
  Argument.String(name).pipe(
    Argument.withDescription(`${description}, such as btc.btc; * stands for any`),
    Argument.withSchema(
      Schema.String.pipe(Schema.decodeTo(
        RouteAsset.annotate({ message: "must be * or a known asset, such as btc.btc" }),
      )),
    ),
  )

export const commissionBps = Flag.Int("commission-bps").pipe(
  Flag.withDescription("Default commission in basis points, 0 to 995"),
  Flag.withSchema(CommissionBps),
  Flag.optional,
)

export const affiliates = Flag.Boolean("affiliates").pipe(
  Flag.withDescription("Whether affiliates may share in the commission"),
  Flag.optional,
)

export const origins = Flag.String("origins").pipe(
  Flag.withDescription("Origins of the pages that may call, with commas between them; * for all, or none"),
  Flag.withSchema(Origins),
  Flag.optional,
)

export const mcp = Flag.Boolean("mcp").pipe(
  Flag.withDescription("Whether agents may call POST /mcp with keys of the account"),
  Flag.optional,
)

export const scopes = Flag.String("scopes").pipe(
  Flag.withDescription("What the key may be used for, with commas; all but operate when not given"),
  Flag.withSchema(Scopes),
  Flag.optional,
)

export const date = (name: string, description: string) =>
  Flag.Date(name).pipe(Flag.withDescription(description), Flag.withSchema(Moment), Flag.optional)

export const expires = date("expires", "When the key ends, such as 2030-01-31; never when not given")

export const eventTypes = Flag.String("types").pipe(
  Flag.withDescription(
    `Types of events with commas between them, such as swap.completed; ${allTypes} for all`,
  ),
  Flag.withSchema(EventTypes),
  Flag.optional,
)

export const label = Flag.String("label").pipe(
  Flag.withDescription("What the key is for"),
  Flag.withSchema(KeyLabel),
  Flag.optional,
)

/** The number of log entries to list; `what` names them, in the plural. */
export const limit = (what: string) =>
  Flag.Int("limit").pipe(
    Flag.withDescription(`How many ${what}, 1 to ${mostListed}`),
    Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: mostListed }))),
    Flag.withDefault(50),
  )
