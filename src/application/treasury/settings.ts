import { Option } from "effect"
import {
  count,
  duration,
  durationOrNone,
  durationWithin,
  listOf,
  numberBetween,
} from "#infrastructure/config/kinds.ts"
import { perChain } from "#infrastructure/config/perChain.ts"
import { derived, optionalSetting, type Setting, struct } from "#infrastructure/config/Setting.ts"
import type { Network } from "#domain/chains/Chain.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { deadlines } from "#providers/guard/settings.ts"
import { soleProcess } from "#infrastructure/store/database/settings.ts"
import { withdrawalAddress } from "./destination.ts"

/** How the operator's accounts are looked at, and where what they have earned goes. */
export const treasurySettings = (networks: Setting<ReadonlyArray<Network>>) =>
  struct({
    addresses: perChain(withdrawalAddress, networks, {
      unset: { sandbox: "simulated", live: "none" },
      meaning: "Address that commission on this chain is withdrawn to. No request can name another",
    }),
    deadline: deadlines.treasuryDeadline,
    soleProcess,
    lookInterval: duration({
      name: "TREASURY_INTERVAL",
      default: { live: "10 seconds", sandbox: "1 second" },
      meaning: "Interval at which balances at the providers are read and reconciled with the ledger",
    }),
    followInterval: duration({
      name: "WITHDRAWAL_INTERVAL",
      default: { live: "10 seconds", sandbox: "500 millis" },
      meaning: "First interval of a withdrawal's status checks; grows to 5 minutes",
    }),
    ledgerPatience: durationWithin("1 minute", "7 days", {
      name: "LEDGER_PATIENCE",
      default: "15 minutes",
      meaning:
        "Time that a balance may exceed the ledger while open swaps could explain the difference. After it, or without such " +
        "swaps, the alert ledger_mismatch is raised",
    }),
    sharedAccounts: derived(
      optionalSetting({
        name: "SHARED_ACCOUNTS",
        unset: "none",
        schema: listOf(ProviderName),
        expected: "names of providers with commas between them",
        meaning:
          "Providers where another service earns on the same account. There, only a balance below the ledger is a mismatch",
      }),
      Option.getOrElse((): ReadonlyArray<ProviderName> => []),
    ),
  })

/** How old the funds may be that an opening is weighed against. */
export const fundsSettings = struct({
  maxAge: durationOrNone({
    name: "FUNDS_MAX_AGE",
    default: { live: "5 seconds", sandbox: "1 second" },
    meaning:
      "Maximum age of the funds of your provider account when an opening is checked against them; 0: no check",
  }),
  accountShare: numberBetween(0.01, 1, {
    name: "FUNDS_ACCOUNT_SHARE",
    default: "0.5",
    meaning:
      "Maximum share of the funds for channels that one account may use within FUNDS_WINDOW while others open channels too. " +
      "Example, share 0.5: an account that used 60 FLIP is refused once fewer than 60 remain",
  }),
  window: durationWithin("1 minute", "7 days", {
    name: "FUNDS_WINDOW",
    default: "1 hour",
    meaning: "Period of the openings that count against an account's share of the funds",
  }),
  reserve: count(0, 1_000_000, {
    name: "FUNDS_RESERVE",
    default: 10,
    meaning: "Channels that the funds keep in reserve for accounts without an opening within FUNDS_WINDOW",
  }),
})
