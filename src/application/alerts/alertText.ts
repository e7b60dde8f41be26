import { Match } from "effect"
import type { Alert, AlertEntry, ToldAlert } from "#domain/operations/Alert.ts"
import { toIsoDate } from "#domain/Time.ts"

/** What is wrong, and what to do about it. */
interface Words {
  readonly problem: string
  readonly action: string
}

/** The words of each alert. They name accounts and providers, never addresses, URLs or what an upstream said; figures have the addresses. */
const wordsOf: (alert: Alert) => Words = Match.type<Alert>().pipe(
  Match.discriminatorsExhaustive("type")({
    flip_low: ({ busiest, channelsLeft, provider }) => ({
      problem: `The account at ${provider} has FLIP for ${channelsLeft} more channels${
        busiest === undefined ? "" : `; ${busiest.name} has opened ${busiest.channels} recently`
      }`,
      action: "Send FLIP to the account; GET /operator/treasury shows what it has",
    }),
    ledger_mismatch: ({ asset, differenceNative, provider }) => ({
      problem:
        `The earnings in ${asset} that ${provider} reports differ from the ledger by ${differenceNative}`,
      action: "Compare GET /operator/treasury with GET /operator/commission before anything is withdrawn",
    }),
    withdrawals_disabled: ({ provider }) => ({
      problem: `Nothing that was earned at ${provider} can be withdrawn at present`,
      action: `Wait for ${provider} to allow withdrawals again; it says why in its own channels`,
    }),
    node_out_of_sync: ({ provider }) => ({
      problem: `The node behind ${provider} is behind its chain`,
      action: "Look at the node's log and its peers; its balances and openings are out of date",
    }),
    bond_missing_for_btc_vault_swaps: ({ provider }) => ({
      problem:
        `The account at ${provider} has no private channel for vault swaps from Bitcoin, or no bond for one`,
      action: "Fund the bond and open the private channel, or switch payloads of Bitcoin off",
    }),
    swaps_stalled: ({ provider, stalledSince, swaps }) => ({
      problem: `${swaps} swaps at ${provider} stay in a state for too long, the first since ${
        toIsoDate(stalledSince)
      }`,
      action:
        "Ask the provider; GET /operator/swaps?stalled=true lists them, their journals have its answers",
    }),
    end_disputed: ({ disputedSince, provider, swaps }) => ({
      problem: `${provider} reports completions that are not possible for ${swaps} swaps, the first since ${
        toIsoDate(disputedSince)
      }`,
      action:
        "Look the payments up on their chains and ask the provider; the swaps keep their states, and their journals say what does not fit; POST /operator/swaps/{id}/accept accepts an end that is true",
    }),
    channels_unrecorded: ({ asset, channels, provider }) => ({
      problem: `${channels} deposit channels from ${asset} are open at ${provider}, and not in the records`,
      action:
        "This service gave their addresses to nobody; find out who else opens channels with the same account",
    }),
    outcome_unknown: ({ openings, provider, unknownSince, withdrawals }) => ({
      problem:
        `The outcome of ${openings} openings and ${withdrawals} withdrawals at ${provider} is unknown, the ` +
        `first since ${toIsoDate(unknownSince)}`,
      action:
        "GET /operator/swaps?opening=unknown and GET /operator/treasury/withdrawals?state=unknown list them; ask the " +
        "provider, and decide withdrawals by its answer",
    }),
    provider_down: ({ operations, provider }) => ({
      problem: `${provider} fails: no calls go to it for ${operations.join(", ")}`,
      action: "GET /providers shows the last error; switch the provider off if it stays so",
    }),
    wire_drift: ({ call, expected, member, operation, provider }) => ({
      problem: `${provider} answers in a form that is not expected: ${
        [call ?? operation, member].join(" ").trim()
      }${expected === undefined ? "" : `, expected ${expected}`}`,
      action:
        "The provider's page has its answer; update the service, or switch the provider off until a version supports it",
    }),
    webhook_failing: ({ account, failingSince, webhooks }) => ({
      problem: account === undefined
        ? `The operator's webhook has failed since ${toIsoDate(failingSince)}`
        : `${webhooks} webhooks of the account ${account} fail, the first since ${toIsoDate(failingSince)}`,
      action: account === undefined
        ? "Look at the receiver of OPERATOR_WEBHOOK_URL; messages are sent again for three days"
        : "Tell the account; its deliveries show the attempts and can be replayed",
    }),
    database_slow: ({ medianMillis }) => ({
      problem: `A trivial statement in the database takes ${medianMillis} ms`,
      action: "Check the load and the disk of the database, and the network between",
    }),
  }),
)

/** An alert as the operator is told of it. */
export const alertText = (entry: AlertEntry): ToldAlert => ({
  ...entry,
  state: entry.endedAt === undefined ? "active" : "ended",
  ...wordsOf(entry.alert),
})
