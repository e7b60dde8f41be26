import { Schema } from "effect"
import { durationWithin, integer } from "#infrastructure/config/kinds.ts"
import { byMode, optionalSetting, setting, struct } from "#infrastructure/config/Setting.ts"
import { Bps } from "#domain/money/Bps.ts"
import { isReadable } from "#domain/readable.ts"
import {
  expectedColour,
  expectedLogo,
  expectedReturnUrl,
  expectedSupport,
  MerchantColour,
  MerchantLogo,
  MerchantName,
  MerchantReturnUrl,
  MerchantSupport,
  mostNameLength,
} from "#domain/accounts/Merchant.ts"

/** Commission of the first account. */
export const bootstrapCommission = setting({
  name: "BOOTSTRAP_COMMISSION_BPS",
  isTuning: false,
  default: "0",
  schema: integer(0, 995).pipe(Schema.decodeTo(Bps)),
  expected: "basis points from 0 to 995",
  meaning: "Commission of the account `default`, in basis points",
})

/** The first account (`Accounts.bootstrap`). */
export const bootstrapSettings = struct({
  key: optionalSetting({
    name: "BOOTSTRAP_API_KEY",
    isTuning: false,
    unset: {
      sandbox: "made at the first start and printed once",
      live: "none: the first start creates no account",
    },
    schema: Schema.RedactedFromValue(Schema.NonEmptyString.check(Schema.isMinLength(24))),
    expected: "24 characters or more",
    madeWith: "openssl rand -hex 24",
    meaning: "API key of the account `default`, which the first start creates if there is no account",
  }),
  commissionBps: bootstrapCommission,
  generate: byMode({ live: false, sandbox: true }),
})

/** The merchant that payers see where their account has none of its own. */
export const merchantSettings = struct({
  name: optionalSetting({
    name: "MERCHANT_NAME",
    isTuning: false,
    unset: "the host of the service; Swap Broker where that is an IP address",
    schema: MerchantName.check(Schema.makeFilter(isReadable)),
    expected: `text of 1 to ${mostNameLength} visible characters`,
    meaning: "Name at the top of the payer's page for accounts without their own",
  }),
  colour: optionalSetting({
    name: "MERCHANT_COLOUR",
    isTuning: false,
    unset: "blue",
    schema: MerchantColour,
    expected: expectedColour,
    meaning: "Button colour of the payer's page",
  }),
  logo: optionalSetting({
    name: "MERCHANT_LOGO",
    isTuning: false,
    unset: "none",
    schema: MerchantLogo,
    expected: expectedLogo,
    madeWith: 'echo "data:image/png;base64,$(base64 -w0 logo.png)"',
    meaning: "Logo on the payer's page, as a data URL",
  }),
  support: optionalSetting({
    name: "MERCHANT_SUPPORT",
    isTuning: false,
    unset: "`OPERATOR_SUPPORT`",
    schema: MerchantSupport,
    expected: expectedSupport,
    meaning: "Support contact on the payer's page, for accounts without their own",
  }),
  returnUrl: optionalSetting({
    name: "MERCHANT_RETURN_URL",
    isTuning: false,
    unset: "none",
    schema: MerchantReturnUrl,
    expected: expectedReturnUrl,
    meaning: "Return link on the payer's page, for accounts without their own",
  }),
})

/** The records about accounts that end. */
export const accountSettings = struct({
  errorsKeep: durationWithin("1 day", "366 days", {
    name: "REQUEST_ERRORS_KEEP",
    default: "30 days",
    meaning: "How long each account's counts of failed requests are kept",
  }),
})
