import { Duration, Option } from "effect"
import {
  between,
  count,
  duration,
  durationOrNone,
  listOf,
  numberBetween,
} from "#infrastructure/config/kinds.ts"
import { perChain } from "#infrastructure/config/perChain.ts"
import { derived, optionalSetting, type Setting, setting, struct } from "#infrastructure/config/Setting.ts"
import type { Network } from "#domain/chains/Chain.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { deadlines } from "#providers/guard/settings.ts"
import { soleProcess } from "#infrastructure/store/database/settings.ts"
import { withdrawalAddress } from "./destination.ts"

/** How the operator's accounts are looked at, and where what they have earned goes. */
export const treasurySettings = (networks: Setting<ReadonlyArray<Network>>) =>
  struct({
    addresses: perChain(withdrawalAddress, networks, {
      unset: "the sandbox's own; live: none",
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
    ledgerPatience: setting({
      name: "LEDGER_PATIENCE",
      default: "15 minutes",
      schema: between(Duration.minutes(1), Duration.days(7)),
      expected: 'a duration from 1 minute to 7 days, such as "15 minutes"',
      meaning:
        "How long an account may have more than the ledger says while swaps that could explain it have not been looked " +
        "up; with nothing under way it is told at the next look",
    }),
    sharedAccounts: derived(
      optionalSetting({
        name: "SHARED_ACCOUNTS",
        unset: "none",
        schema: listOf(ProviderName),
        expected: "names of providers with commas between them",
        meaning:
          "Providers at which others earn on the same account: there only less than the ledger says is a mismatch",
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
      "How old the known funds of the operator's account may be when an opening is weighed against them; 0: it never is",
  }),
  accountShare: numberBetween(0.01, 1, {
    name: "FUNDS_ACCOUNT_SHARE",
    default: "0.5",
    meaning:
      "Most that one of several accounts may take within FUNDS_WINDOW of what the operator's funds pay channels from: the " +
      "part of what it has taken and what is left",
  }),
  window: setting({
    name: "FUNDS_WINDOW",
    default: "1 hour",
    schema: between(Duration.minutes(1), Duration.days(7)),
    expected: 'a duration from 1 minute to 7 days, such as "1 hour"',
    meaning: "The time whose openings count against an account's share of the funds",
  }),
  reserve: count(0, 1_000_000, {
    name: "FUNDS_RESERVE",
    default: 10,
    meaning:
      "Last channels that the funds pay for, left to accounts that have opened none within FUNDS_WINDOW",
  }),
})
