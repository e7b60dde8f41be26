import type { Withdrawal, WithdrawalState } from "#domain/operations/Withdrawal.ts"
import type { Network } from "#domain/chains/Chain.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { explorerUrl, type Html, path, type Url } from "../../pages/jsx-runtime.ts"
import { amount, coin } from "../../pages/values.tsx"
import { code, pill, untrusted } from "../../pages/parts.tsx"

/** The words of the states, and how each looks. */
const states = {
  requested: ["Requested", "wait"],
  unknown: ["Unknown", "bad"],
  taken: ["Accepted", "wait"],
  sent: ["Sent", "info"],
  paid: ["Confirmed", "good"],
  failed: ["Not received", "bad"],
} as const satisfies { readonly [State in WithdrawalState]: readonly [string, Parameters<typeof pill>[1]] }

export const stateWord = (state: WithdrawalState): string => states[state][0]

export const statePill = (state: WithdrawalState): Html => {
  const [word, tone] = states[state]
  return pill(word, tone)
}

export const withdrawalPath = (id: Withdrawal["id"]): Url => path`/dashboard/money/withdrawals/${id}`

export const withdrawalLink = ({ id }: Withdrawal): Html => <a href={withdrawalPath(id)}>Withdrawal {id}</a>

/** The beginning and the end of an address or a transaction; the whole one is in its title. */
export const shortened = (text: string): Html =>
  text.length <= 16 ? code(text) : <code title={text.slice(0, 200)}>{text.slice(0, 6)}…{text.slice(-4)}</code>

/** What a withdrawal took, or was to take, in lists. */
export const withdrawnAmount = ({ asset, earned }: Withdrawal): Html =>
  <>{coin(asset)}{amount(asset, earned, "list")}</>

/** The payment, with its page in an explorer where payments are real; else why there is none. */
export const paymentCell =
  (networkOf: (platform: ProviderName) => Network) => (withdrawal: Withdrawal): Html => {
    const { asset, detail, paymentTransaction, platform, state } = withdrawal
    if (paymentTransaction === undefined) {
      return detail === undefined
        ? <span class="soft">{state === "failed" ? "none" : "none yet"}</span>
        : <small>{untrusted(detail, 80)}</small>
    }
    const place = explorerUrl(asset, networkOf(platform), paymentTransaction)
    return place === undefined
      ? shortened(paymentTransaction)
      : <a href={place} rel="noreferrer noopener">{shortened(paymentTransaction)} ↗</a>
  }
