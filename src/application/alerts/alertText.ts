import { Match } from "effect"
import type { Alert, AlertEntry, ToldAlert } from "#domain/operations/Alert.ts"
import { endingAdvice, endingText } from "#domain/operations/EndpointEnding.ts"
import { counted, grouped } from "#domain/figures.ts"
import { type EpochMillis, toIsoDate } from "#domain/Time.ts"
import { pausedHealth, providerTitle } from "#providers/Registry.ts"

/** What is wrong, and what to do about it. */
interface Words {
  readonly problem: string
  readonly action: string
}

/** `2 openings and 1 withdrawal`: those of which there are any. */
const both = (openings: number, withdrawals: number): string =>
  [
    ...(openings > 0 ? [counted(openings, "opening")] : []),
    ...(withdrawals > 0 ? [counted(withdrawals, "withdrawal")] : []),
  ].join(" and ")

/** `13:26 UTC on 2026-07-29`. */
const utc = (at: EpochMillis): string => {
  const [day = "", time = ""] = toIsoDate(at).split("T")
  return `${time.slice(0, 5)} UTC on ${day}`
}

/** The words of each alert. They name accounts and providers, never addresses, URLs or upstream texts; figures have the addresses. */
const wordsOf = (title: string): (alert: Alert) => Words =>
  Match.type<Alert>().pipe(
    Match.discriminatorsExhaustive("type")({
      flip_low: ({ busiest, channelsLeft }) => ({
        problem: `The ${title} account can pay for only ${counted(channelsLeft, "more channel")}${
          busiest === undefined
            ? ""
            : `. ${busiest.name} opened ${counted(busiest.channels, "channel")} recently`
        }`,
        action: "Send FLIP to the account. Its balance is in the treasury",
      }),
      ledger_mismatch: ({ asset, differenceNative }) => ({
        problem: `The ${asset} balance at ${title} differs from the ledger by ${
          grouped(differenceNative)
        } units`,
        action: "Compare the treasury with the commission before you withdraw anything",
      }),
      withdrawals_disabled: () => ({
        problem: `${title} has disabled withdrawals`,
        action: `Wait until ${title} enables them again. Its own channels have the reason`,
      }),
      node_out_of_sync: () => ({
        problem: `The node of ${title} is behind its chain`,
        action: "Check the node's log and its peers. Its balances and openings are out of date",
      }),
      bond_missing_for_btc_vault_swaps: () => ({
        problem: `The ${title} account has no private channel for Bitcoin vault swaps, or no bond for one`,
        action: "Fund the bond and open the private channel, or switch Bitcoin payloads off",
      }),
      swaps_stalled: ({ stalledSince, swaps }) => ({
        problem: `${counted(swaps, "swap")} at ${title} stalled, the first at ${utc(stalledSince)}`,
        action: `Ask ${title} support. The stalled swaps have its responses in their timelines`,
      }),
      end_disputed: ({ disputedSince, swaps }) => ({
        problem: `${counted(swaps, "disputed result")} at ${title}, the first since ${utc(disputedSince)}`,
        action:
          `Look up the payments on their chains and ask ${title} support. Accept a result that is true; the timeline ` +
          "shows what contradicts the record",
      }),
      channels_unrecorded: ({ asset, channels }) => ({
        problem: `${counted(channels, "untracked channel")} from ${asset} at ${title}`,
        action:
          "This service gave out none of their addresses. Find out who else opens channels with the same account",
      }),
      outcome_unknown: ({ openings, unknownSince, withdrawals }) => ({
        problem: `${both(openings, withdrawals)} at ${title} ${
          openings + withdrawals === 1 ? "has" : "have"
        } an unknown outcome, the first since ${utc(unknownSince)}`,
        action: `Ask ${title} support, then decide withdrawals by the reply. Openings: cli swaps unknown`,
      }),
      provider_down: ({ because, operations }) => ({
        problem: `${title} is ${pausedHealth(operations)}. Paused: ${operations.join(", ")}${
          because === undefined ? "" : `. ${title} rejects the API key, or requires one`
        }`,
        action: because === undefined
          ? "Check the last error of the provider. If it lasts, switch the provider off"
          : `Set a valid API key for ${title}, and restart the service`,
      }),
      wire_drift: ({ call, expected, member, operation }) => ({
        problem: `API response changed at ${title}: ${[call ?? operation, member].join(" ").trim()}${
          expected === undefined ? "" : `, expected ${expected}`
        }`,
        action:
          "See the response on the provider's page. Update the service, or switch the provider off until then",
      }),
      endpoint_ending: (ending) => ({
        problem: `${title} ${endingText(ending)}. Used for: ${ending.operations.join(", ")}`,
        action: ending.retiredAt === undefined
          ? `${endingAdvice}${
            ending.sunsetAt === undefined ? "" : " before then"
          }. The provider's page shows the announcement`
          : `${endingAdvice}, or switch the provider off until then`,
      }),
      webhook_failing: ({ account, failingSince, webhooks }) => ({
        problem: account === undefined
          ? `The operator's webhook has failed since ${utc(failingSince)}`
          : `The account ${account} has ${counted(webhooks, "failing webhook")}, the first since ${
            utc(failingSince)
          }`,
        action: account === undefined
          ? "Check the receiver of OPERATOR_WEBHOOK_URL. Messages are retried for three days"
          : "Tell the account. Its deliveries show the attempts and can be resent",
      }),
      database_slow: ({ medianMillis }) => ({
        problem: `A trivial database statement takes ${grouped(`${medianMillis}`)} ms`,
        action: "Check the load and the disk of the database, and the network to it",
      }),
    }),
  )

export const alertText = (entry: AlertEntry): ToldAlert => ({
  ...entry,
  state: entry.endedAt === undefined ? "active" : "ended",
  ...wordsOf("provider" in entry.alert ? providerTitle(entry.alert.provider) : "")(entry.alert),
})
