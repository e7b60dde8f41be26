import { Schema } from "effect"
import { Account, AccountName, AccountTerms, AllowedOrigins, mostOrigins } from "#domain/accounts/Account.ts"
import { type LimitTerm, mostOf, mostToleranceBps, OwnTerms, theDefault } from "#domain/accounts/OwnTerms.ts"
import { Actor, AuditAction, AuditChange, AuditEntryId } from "#domain/operations/Audit.ts"
import { Bps } from "#domain/money/Bps.ts"
import {
  expectedColour,
  expectedLogo,
  expectedReturnUrl,
  expectedSupport,
  MerchantColour,
  MerchantLogo,
  MerchantReturnUrl,
  MerchantSupport,
  mostNameLength,
} from "#domain/accounts/Merchant.ts"
import { ApiKeyRecord, KeyId, Scope } from "#domain/accounts/Key.ts"
import { anyAsset, routeAssets, RouteRule } from "#domain/accounts/Route.ts"
import { JournalEntryId } from "#domain/swaps/Journal.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import { descriptionOf } from "./document/vocabulary.ts"
import { firstRow, note, rowLimit, text, time } from "./parameterKinds.ts"
import { member } from "./shape.ts"
import { optional } from "#domain/optional.ts"

/** The most that an account may charge (decision 7). */
const mostCommissionBps = 995

const yesOrNo = (description: string) =>
  Schema.Boolean.annotate({ description, message: "must be true or false" })

export const CommissionBps = Bps.check(Schema.isLessThanOrEqualTo(mostCommissionBps)).annotate({
  description: `Default commission in basis points, at most ${mostCommissionBps}; 0 by default.`,
  message: `must be a whole number of basis points from 0 to ${mostCommissionBps}`,
})

/** A term that an account has of its own, or that a setting gives (`default`), described as in responses. */
const own = <S extends Schema.Top>(
  name: keyof OwnTerms,
  { schema }: Schema.optionalKey<S>,
  expected: string,
) =>
  optional(
    Schema.Union([schema, Schema.Literal(theDefault)]).annotate({
      description: descriptionOf(undefined, name),
      message: `must be ${expected}, or "${theDefault}"`,
    }),
  )

const ownLimit = (name: LimitTerm) =>
  own(name, OwnTerms.fields[name], `a whole number from 1 to ${mostOf[name]}`)

const ownTerms = {
  requestsPerMinute: ownLimit("requestsPerMinute"),
  openingsPerMinute: ownLimit("openingsPerMinute"),
  maximumOpenChannels: ownLimit("maximumOpenChannels"),
  maximumDailyVolumeUsd: ownLimit("maximumDailyVolumeUsd"),
  maximumWebhooks: ownLimit("maximumWebhooks"),
  providers: own(
    "providers",
    OwnTerms.fields.providers,
    '{"use":"only","providers":["chainflip","relay"]} or {"use":"preferred","provider":"chainflip","unlessBps":50}, with ' +
      "0 to 10000 bps",
  ),
  maximumSlippageToleranceBps: own(
    "maximumSlippageToleranceBps",
    OwnTerms.fields.maximumSlippageToleranceBps,
    `a whole number of basis points from 0 to ${mostToleranceBps}`,
  ),
  boostEstimatedPrice: own("boostEstimatedPrice", OwnTerms.fields.boostEstimatedPrice, "true or false"),
}

const terms = {
  commissionBps: optional(CommissionBps),
  affiliates: optional(yesOrNo("Whether affiliates may share in the commission; true by default.")),
  allowedOrigins: optional(AllowedOrigins.annotate({
    description:
      "Origins of the pages that may call in a browser, such as `https://app.example`, or `*` (the default) " +
      "for all. With a list, swaps are opened from these pages only; with an empty list, from servers only.",
    message: `must be "*" or a list of at most ${mostOrigins} origins, such as https://app.example`,
  })),
  mcp: optional(yesOrNo(
    "Whether agents may call `POST /mcp` with keys of the account; true by default. If false, each call is " +
      "a 403, and open sessions end.",
  )),
  suspended: optional(
    yesOrNo("A suspended account can only look at the swaps that it has; false by default."),
  ),
  ...ownTerms,
}

export const NewAccountBody = Schema.Struct({
  name: AccountName.annotate({
    description: "Lower-case letters, digits and, in between, `.`, `_` and `-`; at most 64. Never changes.",
    examples: [AccountName.make("wallet-one")],
    message: "must be 1 to 64 lower-case letters and digits, with . _ - between them",
  }),
  ...terms,
}).annotate({ identifier: "NewAccount" })

/** A change of an account; absent members stay as they are. */
export const AccountChangesBody = Schema.Struct(terms).annotate({ identifier: "AccountChanges" })

export const AccountBody = Schema.Struct({
  name: Account.fields.name,
  ...AccountTerms.fields,
  createdAt: EpochMillis,
}).annotate({ identifier: "Account" })
export type AccountBody = typeof AccountBody.Type

/** The account without its number, which is internal. */
export const accountBody = ({ id: _, ...account }: Account): AccountBody => account

/** Who payers of an account deal with, as their page shows it. */
export const MerchantBody = Schema.Struct({
  displayName: optional(note("Name at the head of the payer's page.", mostNameLength)),
  colour: optional(MerchantColour.annotate({
    description: "Colour of its button, as #rrggbb",
    examples: ["#0b6b5d"],
    message: `must be ${expectedColour}`,
  })),
  logo: optional(MerchantLogo.annotate({
    description: "Picture beside the name, as a data URL",
    message: `must be ${expectedLogo}`,
  })),
  support: optional(MerchantSupport.annotate({
    description: "Where payers get help: a mail address or an https URL",
    examples: ["help@acme-wallet.example"],
    message: `must be ${expectedSupport}`,
  })),
  returnUrl: optional(MerchantReturnUrl.annotate({
    description: "Where the payer's page links back to, an https URL",
    examples: ["https://acme-wallet.example"],
    message: `must be ${expectedReturnUrl}`,
  })),
}).annotate({ identifier: "Merchant" })

export const KeyLabel = note("What the key is for.", 100)

export const NewKeyBody = Schema.Struct({
  scopes: optional(
    Schema.NonEmptyArray(Scope).annotate({
      description: "Scopes of the key; all but `operate` and `withdraw` when absent.",
      message: `must be a list of one or more of ${Scope.literals.join(", ")}`,
    }),
  ),
  expiresAt: optional(EpochMillis.annotate({
    description:
      "When the key expires, in epoch milliseconds; if absent, never, or with the key that issues it.",
    message: "must be a time in milliseconds since 1970",
  })),
  label: optional(KeyLabel),
  replaces: optional(KeyId.annotate({
    description:
      "Id of a working key of the account whose scopes, label and end the new key has unless it names others. The old " +
      "key goes on working until it is revoked.",
    message: "must be the public id of a key",
  })),
}).annotate({ identifier: "NewApiKey" })

/** A key as the operator sees it: everything except the key itself. */
export const KeyBody = ApiKeyRecord.annotate({ identifier: "ApiKey" })

export const IssuedKeyBody = Schema.Struct({
  ...ApiKeyRecord.fields,
  key: member.text("The API key. It is kept nowhere: shown now and never again."),
}).annotate({ identifier: "IssuedApiKey" })
export type IssuedKeyBody = typeof IssuedKeyBody.Type

export const RevocationParameters = Schema.Struct({
  withMade: optional(
    Schema.Literals(["true", "false"]).annotate({
      description: "`true`: the keys that were issued with it are revoked, too, and those issued with these.",
      examples: ["true"],
    }),
  ),
})

const routeAsset = (description: string) =>
  Schema.Literals(routeAssets()).annotate({
    description,
    message: `must be ${anyAsset} or an asset listed in /assets`,
  })

export const RoutePairParameters = Schema.Struct({
  sourceAsset: routeAsset(`Asset to swap from; \`${anyAsset}\` stands for any.`),
  destinationAsset: routeAsset(`Asset to swap to; \`${anyAsset}\` stands for any.`),
})

export const RouteRuleBody = Schema.Struct({
  ...RoutePairParameters.fields,
  allowed: yesOrNo("Whether the account may swap such pairs."),
}).annotate({ identifier: "NewRouteRule" })

export const RouteRulesBody = Schema.Array(RouteRule).annotate({ description: "The most specific first." })

export const SwapMoveBody = Schema.Struct({
  account: AccountName.annotate({
    description: "Name of the account that the swap belongs to from now on.",
    examples: [AccountName.make("wallet-one")],
    message: "must be the name of an account",
  }),
}).annotate({ identifier: "SwapMove" })

export const MovedSwapBody = Schema.Struct({
  id: SwapRecordId.annotate({ description: "The `id` of the swap." }),
  account: AccountName.annotate({ description: "Name of the account that the swap belongs to." }),
}).annotate({ identifier: "MovedSwap" })

const endEntry = JournalEntryId.annotate({
  description: "The `id` of the journal's entry of kind `contradicted` that has the end.",
})

export const EndAcceptanceBody = Schema.Struct({ entry: endEntry }).annotate({ identifier: "EndAcceptance" })

export const AcceptedEndBody = Schema.Struct({
  id: SwapRecordId.annotate({ description: "The `id` of the swap." }),
  entry: endEntry,
}).annotate({ identifier: "AcceptedEnd" })

/** The most entries on one page of the operator's lists. */
export const mostListed = 500

export const listLimit = optional(rowLimit("to list", { most: mostListed, usual: 50 }))

export const AccountPageParameters = Schema.Struct({
  offset: optional(AccountName.annotate({
    description: "Name to start from, itself included.",
    examples: [AccountName.make("wallet-one")],
    message: "must be the name of an account",
  })),
  limit: listLimit,
})

export const KeyPageParameters = Schema.Struct({
  offset: optional(KeyId.annotate({
    description: "Public id of the key to start from, itself included; goes on to older ones.",
    examples: [KeyId.make("7f3kq2mzr5xwa6hd")],
    message: "must be the public id of a key",
  })),
  limit: listLimit,
})

/** Parameters of `/operator/audit`. */
export const AuditParameters = Schema.Struct({
  offset: optional(firstRow("entry")),
  limit: listLimit,
  account: optional(AccountName.annotate({
    description: "Only changes of this account, and of its keys, routes, webhooks and swaps.",
    examples: [AccountName.make("wallet-one")],
    message: "must be the name of an account",
  })),
  action: optional(
    Schema.Array(AuditAction).annotate({
      description: "Actions to list; repeat the parameter for several. Every action when absent.",
      examples: [["key.issued"]],
      message: `must be one of ${AuditAction.literals.join(", ")}; repeat the parameter for several`,
    }),
  ),
  actor: optional(text({
    description:
      "Who made the change: an account whose key did, `bootstrap`, `cli` for the command line, or `cli:` with one user of it.",
    example: "default",
    issue: "must be an account, bootstrap, cli, or cli: with the name of a user",
  })),
  from: optional(time("Only changes at this time or later, in epoch milliseconds.")),
  before: optional(time("Only changes before this time, in epoch milliseconds.")),
})

export const AuditEntryBody = Schema.Struct({
  id: AuditEntryId,
  at: EpochMillis,
  actor: Actor.annotate({ description: "A key of an account, the command line, or the first start." }),
  change: AuditChange.annotate({ description: "The state before, if there was one, and after." }),
}).annotate({ identifier: "AuditEntry" })
